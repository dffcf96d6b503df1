import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ENTRIES, runCli } from '../../support/cli-process.ts';

test('says in short what a server is', async () => {
  const { code, stdout } = await runCli(['inspect', 'tasks.ts']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^tasks 1\.2\.3\n {2}tools +1, with 6 actions\n {2}prompts +1\n/);
  expect(stdout).toMatch(/surface +[0-9a-f]{64}/);
});

test('writes the lists of the protocol, or all that is known', async () => {
  const mcp = JSON.parse((await runCli(['inspect', 'tasks.ts', '--format', 'mcp'])).stdout) as {
    tools: object[];
  };
  expect(Object.keys(mcp)).toEqual(['tools', 'prompts', 'resources', 'resourceTemplates']);
  expect(mcp.tools[0]).not.toHaveProperty('actions');
  const all = JSON.parse((await runCli(['inspect', 'tasks.ts', '--json'])).stdout) as { tools: object[] };
  expect(all.tools[0]).toHaveProperty('actions');
  expect(all).toMatchObject({ server: { name: 'tasks', version: '1.2.3' } });
});

test('writes to a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inspect-'));
  const file = join(folder, 'surface.json');
  const { stdout, stderr } = await runCli(['inspect', 'tasks.ts', '--json', '-o', file]);
  expect([stdout, stderr]).toEqual(['', expect.stringContaining(file)]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('surfaceHash');
  rmSync(folder, { recursive: true });
  expect((await runCli(['inspect', 'tasks.ts', '-o', file])).code).toBe(2);
});

test('inspects any MCP server', async () => {
  const command = `'${process.execPath}' '${ENTRIES}stdio-server.mjs' --hostile`;
  const { code, stdout } = await runCli(['inspect', '--command', command]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('echo-server 1.0.0')]);
});
