import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ENTRIES, runCli, startCli } from '../../support/cli-process.ts';
import { addressOf } from '../../support/example-process.ts';

const COMMAND = `'${process.execPath}' '${ENTRIES}stdio-server.mjs'`;

test('lists actions as signatures, with what they do', async () => {
  const { code, stdout } = await runCli(['list', 'tasks.ts']);
  expect(code).toBe(0);
  const [list, create, remove] = stdout.split('\n');
  expect(list).toMatch(/^tasks\.list\(\) +\[read-only\] List the tasks$/);
  expect(create).toMatch(
    /^tasks\.create\(title: string, priority\?: integer, .*labels\?: string\[\]\) +Create a task$/,
  );
  expect(remove).toMatch(/^tasks\.remove\(id: string\) +\[destructive\] Delete a task$/);
  expect(stdout).toMatch(/\nplan\(week\) +Plan a week\ntasks:\/\/today +today$/);
});

test('lists the parts that are asked for, as JSON with schemas', async () => {
  const { stdout } = await runCli(['list', 'tasks.ts', '--prompts', '--resources', '--json']);
  const kinds = (JSON.parse(stdout) as { kind: string }[]).map(({ kind }) => kind);
  expect(kinds).toEqual(['prompt', 'resource']);
  const tools = await runCli(['list', 'tasks.ts', '--tools', '--schema', '--json']);
  expect(JSON.parse(tools.stdout)).toContainEqual(
    expect.objectContaining({
      name: 'tasks.create',
      inputSchema: expect.objectContaining({ required: ['title'] }),
    }),
  );
});

test('takes the fields of each action from the descriptions of a server at a distance', async () => {
  const server = startCli(['run', 'tasks.ts', '--port', '0']);
  const { stdout } = await runCli(['list', await addressOf(server), '--tools']);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const signatures = stdout.split('\n').map((line) => line.replace(/ {2,}.*/, ''));
  expect(signatures).toContain('tasks.list()');
  expect(signatures).toContain('tasks.remove(id: string)');
  expect(signatures.find((line) => line.startsWith('tasks.create('))).toMatch(
    /title: string, priority\?: integer/,
  );
});

test('lists the tools of any server, 10,000 of them', async () => {
  const { code, stdout } = await runCli(['list', '--command', `${COMMAND} --tools 10000`]);
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines).toHaveLength(10_000);
  expect(lines[9999]).toMatch(/^echo-9999\(text: string\) +Say it again$/);
});

test('lists what a lock file holds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  const lock = join(folder, 'toolwright.lock.json');
  expect((await runCli(['lock', 'tasks.ts', '-o', lock])).code).toBe(0);
  const { code, stdout } = await runCli(['list', lock, '--tools']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^tasks\.list\(\)[^]*\ntasks\.remove\(id: string\)/);
  rmSync(folder, { recursive: true });
});

test('ends in good order when its reader has seen enough', async () => {
  const started = startCli(['list', '--command', `${COMMAND} --tools 10000`]);
  await started.line('stdout', 'echo');
  started.closeStdout();
  expect(await started.ended).toBe(0);
  expect(started.stderr).toEqual([]);
});

test('says what is missing where a server offers nothing of the kind', async () => {
  const { code, stdout, stderr } = await runCli(['list', '--command', COMMAND, '--prompts']);
  expect([code, stdout, stderr]).toEqual([0, '', 'It offers none of these.']);
});

test('--names writes one name on each line, or a list as JSON', async () => {
  const { code, stdout } = await runCli(['list', 'tasks.ts', '--tools', '--names']);
  const { stdout: json } = await runCli(['list', 'tasks.ts', '--tools', '--names', '--json']);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toContain('tasks.create');
  expect(JSON.parse(json)).toEqual(stdout.split('\n'));
});
