import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_NAMES, EXAMPLES, runExample } from '../support/example-process.ts';
import { LineProcess } from '../support/line-process.ts';

const processes: LineProcess[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
  for (const each of directories.splice(0)) await rm(each, { recursive: true, force: true });
});

const run = (...args: Parameters<typeof runExample>): LineProcess => {
  const started = runExample(...args);
  processes.push(started);
  return started;
};

async function environment(): Promise<NodeJS.ProcessEnv> {
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-'));
  directories.push(directory);
  return {
    TASK_BOARD_FILE: join(directory, 'board.db'),
    KNOWLEDGE_BASE_FOLDER: join(directory, 'pages'),
    RELEASE_MANAGER_FILE: join(directory, 'runs.db'),
  };
}

describe.each(EXAMPLE_NAMES)('the example %s', (name) => {
  test('writes nothing but messages on stdout when it serves over stdio', async () => {
    const server = run(`${name}/main.ts`, ['--stdio'], await environment());
    server.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(await server.ended).toBe(0);
    expect(server.stdout.map((line) => JSON.parse(line) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });
});

test('the quickstart has at most 25 lines', async () => {
  const text = await readFile(join(EXAMPLES, 'quickstart/server.ts'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
});

test('examples load the built package, as users do, and not the sources', async () => {
  const script = "console.log(import.meta.resolve('toolwright'))";
  const args = ['--import', '@oxc-node/core/register', '--input-type=module', '--eval', script];
  const printed = new LineProcess({ args, cwd: EXAMPLES });
  expect(await printed.ended).toBe(0);
  expect(printed.stdout).toEqual([new URL('../../dist/index.js', import.meta.url).href]);
});
