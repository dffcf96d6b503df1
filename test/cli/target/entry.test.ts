import { describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { runCli } from '../../support/cli-process.ts';

async function nameOf(entry: string): Promise<unknown> {
  const { code, stdout, stderr } = await runCli(['inspect', entry, '--json']);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { server: { name: string } }).server.name;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
}

describe('a file gives its application', () => {
  test('that it serves at its top level; nothing is opened, and the process ends', async () => {
    const { code, stdout, stderr } = await runCli(['list', 'tasks.ts', '--tools']);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('(')[0])).toEqual([
      'tasks.list',
      'tasks.create',
      'tasks.remove',
      'tasks.clear',
      'tasks.ask',
      'tasks.wait',
    ]);
    expect(stderr).toContain('tasks at http://127.0.0.1:3999/mcp');
    expect(await isOpen(3999)).toBe(false);
  });

  test('that works on queues; it takes no task', async () => {
    const { code, stdout, stderr } = await runCli(['list', 'worker.ts', '--tools']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('reports.write');
  });

  test.each([
    ['two-modules.ts#B', 'b'],
    ['factory.ts', 'from-a-factory'],
    ['factory.ts#makeApplication', 'from-a-factory'],
    ['promised.ts', 'promised'],
    ['promised.ts#default', 'promised'],
  ])('%s', async (entry, name) => {
    expect(await nameOf(entry)).toBe(name);
  });

  test('in a main() that is not awaited', async () => {
    expect(await nameOf('main-function.ts')).toBe('from-main');
  });

  test('as an exported module of which it made an application itself, with the options of that', async () => {
    expect(await nameOf('exported-and-served.ts')).toBe('served');
  });
});

describe('a file without one application ends with 2 and says what to do', () => {
  test.each([
    ['two-modules.ts', ['A, B', 'two-modules.ts#A', 'two-modules.ts#B']],
    ['two-modules.ts#C', ['"C", which does not exist', 'two-modules.ts#A']],
    ['two-modules.ts#notAnApplication', ['"notAnApplication", which is not an application']],
    ['nothing.ts', ['gives no application', 'export default', '@Module', 'app.listen()', 'file.ts#name']],
    ['taks.ts', ['does not exist', 'did you mean "tasks.ts"?']],
    ['.', ['is a folder']],
    ['throws.ts', ['could not be loaded', 'no-such-config.json', 'throws.ts:3']],
    ['late-failure.ts', ['could not be loaded', 'The database is down', 'late-failure.ts:5']],
    ['stuck.ts', ['waits for something that never comes', '--timeout']],
    [
      'ring-a.ts',
      ['could not be loaded', 'files import each other: ring-b.ts imports ring-a.ts', 'uses RingA before'],
    ],
    ['used-early.ts', ['names Clock', 'it stands further up', 'move Clock above the class that names it']],
    ['no-such-folder/server.ts', ['neither does its folder', 'bring the folder back']],
  ])('%s', async (entry, words) => {
    const { code, stdout, stderr } = await runCli(['list', entry]);
    for (const word of words) expect(stderr).toContain(word);
    // No user can correct a line of this package
    expect(stderr).not.toMatch(/\n\s+at .*\/dist\//);
    expect([code, stdout]).toEqual([2, '']);
  });

  test.each([
    ['list'],
    ['check', '--json'],
    ['lock', '-o', 'never-written.json'],
    ['doctor'],
    ['diff', 'tasks.ts'],
    ['call', 'tasks.list'],
    ['run'],
  ])('that ends the process while it is loaded, for %s', async (command, ...more) => {
    const { code, stdout, stderr } = await runCli([command, 'exits.mjs', ...more]);
    expect(stdout + stderr).toContain('TW_CLI_ENTRY_EXIT');
    expect(stdout + stderr).toContain('exits.mjs');
    expect(code).not.toBe(0);
  });

  test('that does not finish loading in the time that it has', async () => {
    const { code, stderr } = await runCli(['list', 'never-loads.ts', '--timeout', '300']);
    expect(stderr).toContain('did not finish loading within 300 milliseconds');
    expect(code).toBe(2);
  });
});
