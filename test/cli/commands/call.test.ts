import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ENTRIES, runCli, startCli } from '../../support/cli-process.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import type { LineProcess } from '../../support/line-process.ts';

const COMMAND = `'${process.execPath}' '${ENTRIES}stdio-server.mjs'`;

async function callTasks(...args: readonly string[]) {
  return runCli(['call', 'tasks.ts', ...args]);
}

let server: LineProcess;
let url: string;

beforeAll(async () => {
  server = startCli(['run', 'tasks.ts', '--port', '0']);
  url = await server.line('stdout', 'http');
});

afterAll(async () => {
  server.kill('SIGTERM');
  await server.ended;
});

/** Calls a server of the same file, in this process: for what is not about the file. */
async function callServer(...args: readonly string[]) {
  return runInProcess(['call', url, ...args]);
}

describe('call', () => {
  test('gives numbers as numbers and texts as texts, and prints the answer alone', async () => {
    const { code, stdout, stderr } = await callTasks('tasks.create', 'title=012', 'priority=3', 'urgent=yes');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ created: { title: '012', priority: 3, urgent: true } });
    expect(stderr).not.toContain('012');
  });

  test('takes the action as an argument as well, and input from stdin', async () => {
    const input = JSON.stringify({ action: 'create', title: 'x', priority: 1 });
    const { stdout } = await runCli(['call', 'tasks.ts', 'tasks', '--input', '-', 'priority=2'], { input });
    expect(JSON.parse(stdout)).toEqual({ created: { title: 'x', priority: 2 } });
  });

  test('sends what the file prints to stderr', async () => {
    const { stdout, stderr } = await callTasks('tasks.list');
    expect(JSON.parse(stdout)).toEqual(['Milk']);
    expect(stderr).toContain('user code prints');
  });

  test('gets prompts and reads resources, by their names and by URIs', async () => {
    expect((await callTasks('plan', 'week=12')).stdout).toBe('user:\nPlan week 12');
    expect((await callTasks('today')).stdout).toBe('Milk');
    expect((await callTasks('tasks://today')).stdout).toBe('Milk');
  });

  test.each(['2025', '2026'])('speaks the era %s', async (era) => {
    const { code, stdout } = await callTasks('tasks.list', '--era', era, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text' }] });
  });

  test('shows what it would send', async () => {
    const { code, stdout } = await callTasks('tasks.remove', 'id=7', '--dry-run');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      method: 'tools/call',
      params: { name: 'tasks', arguments: { action: 'remove', id: '7' } },
    });
  });
});

describe('call ends with 5', () => {
  test.each([
    [['tasks.crate'], 'did you mean "create"?'],
    [['task'], 'did you mean "tasks"?'],
    [['tsks.list'], 'did you mean "tasks.list"?'],
    [['pln'], 'did you mean "plan"?'],
    [['plans', '--prompt'], 'plans'],
    [['tasks://tomorrow'], 'tasks://tomorrow'],
  ])('where %j does not exist', async (args, words) => {
    const { code, stdout, stderr } = await callServer(...args);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([code, stdout]).toEqual([5, '']);
  });

  test('where the answer is an error, with its text on stdout', async () => {
    const { code, stdout } = await callServer('tasks.remove', 'id=3');
    expect([code, stdout]).toEqual([5, expect.stringContaining('There is no task 3')]);
  });

  test('where a field is wrong, and the server says which one was meant', async () => {
    const { code, stdout } = await callServer('tasks.create', 'titel=x');
    expect([code, stdout]).toEqual([5, expect.stringContaining('did you mean title?')]);
  });

  test('with --json, with the result on stdout and the error on stderr', async () => {
    const { code, stdout, stderr } = await callServer('tasks.remove', 'id=3', '--json');
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true });
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1)!)).toMatchObject({
      error: { code: 'TW_CLI_RESULT' },
    });
  });
});

describe('call ends with 2', () => {
  test.each([
    [['--input', '@missing.json'], 'cannot be read'],
    [['--input', '{'], 'line 1, column 2'],
    [['--input', '{"a":1,\n}'], 'line 2, column 1'],
    [['--input', '[1]'], 'is not an object'],
    [['title'], 'key=value'],
  ])('for %j', async (args, words) => {
    const { code, stdout, stderr } = await callServer('tasks.create', ...args);
    expect(stderr).toContain(words);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('a question', () => {
  test.each(['2025', '2026'])('without an answer ends with 2 and names the option (%s)', async (era) => {
    const { code, stderr } = await callServer('tasks.ask', '--era', era);
    expect(stderr).toContain('What is its name?');
    expect(stderr).toContain('--answer');
    expect(code).toBe(2);
  });

  test.each(['decline', 'cancel'])('is answered by --answer %s', async (answer) => {
    const { code, stdout } = await callServer('tasks.ask', '--answer', answer);
    expect([code, JSON.parse(stdout)]).toEqual([0, { action: answer }]);
  });

  test('is answered by a file', async () => {
    const { stdout } = await callServer('tasks.ask', '--answer', `@${ENTRIES}answers.json`);
    expect(JSON.parse(stdout)).toMatchObject({ action: 'accept', content: { name: 'Ada' } });
  });
});

describe('a call that has to be confirmed', () => {
  test('is sent again when somebody agrees', async () => {
    const { code, stdout } = await callServer('tasks.clear', '--answer', `@${ENTRIES}answers.json`);
    expect([code, stdout]).toEqual([0, 'cleared\n']);
  });

  test.each([[[]], [['--answer', 'decline']]])(
    'is not done otherwise, and says how (%j)',
    async (options) => {
      const { code, stdout } = await callServer('tasks.clear', ...options);
      expect(stdout).toMatch(/CONSENT_REQUIRED[^]*Suggestion: if the user agrees[^]*"confirmation":/);
      expect(code).toBe(5);
    },
  );
});

test('reports progress line by line where no bar can be drawn', async () => {
  const { stdout, stderr } = await callTasks('tasks.wait', 'milliseconds=100');
  expect(stdout).toBe('waited');
  expect(stderr).toContain('tasks: 10/10 step 10');
});

test('Ctrl-C cancels the call', async () => {
  const started = startCli(['call', 'tasks.ts', 'tasks.wait', 'milliseconds=600000']);
  await started.line('stderr', 'waiting');
  started.kill('SIGINT');
  expect(await started.ended).toBe(130);
  expect(started.stdout).toEqual([]);
});

describe('a server of a command', () => {
  test('is started, called and ended', async () => {
    const { code, stdout } = await runCli(['call', '--command', COMMAND, 'echo', 'text=hello']);
    expect([code, stdout]).toEqual([0, 'hello']);
  });

  test('that does not start is not reachable', async () => {
    const { code, stderr } = await runCli(['call', '--command', 'no-such-command', 'echo']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('cannot be started')]);
  });
});

describe('a URL', () => {
  async function against(
    answer: { status: number; headers?: Record<string, string>; body?: string },
    ...options: readonly string[]
  ) {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      return await runInProcess(['call', `http://127.0.0.1:${String(port)}/mcp`, 'x', ...options]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('where nothing listens ends with 4', async () => {
    const { code, stdout, stderr } = await runInProcess(['call', 'http://127.0.0.1:1/mcp', 'x']);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('cannot be reached');
  });

  test('that never answers ends with 4 within its time', async () => {
    const server = createServer((request) => request.resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${String(port)}/mcp`;
    const { code, stderr } = await runInProcess(['call', url, 'x', '--timeout', '300']);
    server.closeAllConnections();
    server.close();
    expect([code, stderr]).toEqual([4, expect.stringContaining('within 300 milliseconds')]);
  });

  test('that asks for authentication ends with 3, and names the metadata of the resource', async () => {
    const metadata = 'https://example.com/.well-known/oauth-protected-resource';
    const headers = { 'www-authenticate': `Bearer resource_metadata="${metadata}"` };
    const { code, stderr } = await against({ status: 401, headers });
    expect([code, stderr]).toEqual([3, expect.stringContaining(metadata)]);
  });

  test.each([
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }],
    ['nothing', { status: 404 }],
    ['garbage', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":' }],
    ['a list', { status: 200, headers: { 'content-type': 'application/json' }, body: '[1,null]' }],
  ])('that answers with %s ends with 4', async (_what, answer) => {
    const { code, stdout, stderr } = await against(answer);
    expect(stderr).not.toMatch(/\n\s+at |TW_CLI_BUG/);
    expect([code, stdout]).toEqual([4, '']);
  });
});
