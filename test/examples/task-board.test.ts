import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, runExample } from '../support/example-process.ts';
import type { LineProcess } from '../support/line-process.ts';

let directory: string;
const processes: LineProcess[] = [];
const clients: Client[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolwright-'));
});

afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
  await rm(directory, { recursive: true, force: true });
});

async function serve(): Promise<{ server: LineProcess; address: string }> {
  const server = runExample('task-board/main.ts', [], { TASK_BOARD_FILE: join(directory, 'board.db') });
  processes.push(server);
  return { server, address: await addressOf(server) };
}

async function connect(address: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  clients.push(client);
  return client;
}

async function board(client: Client, action: string, args: object = {}): Promise<string> {
  const result = await client.callTool({
    name: 'board',
    arguments: { action, workspaceId: 'home', ...args },
  });
  const text = (result.content as { text: string }[])[0]?.text ?? '';
  if (result.isError === true) throw new Error(text);
  return text;
}

async function titles(client: Client): Promise<readonly string[]> {
  return (JSON.parse(await board(client, 'tasks.list')) as { title: string }[]).map(({ title }) => title);
}

test('tasks survive a server that was killed', async () => {
  const first = await serve();
  const before = await connect(first.address);
  await board(before, 'tasks.create', { title: 'fix the roof' });
  first.server.kill('SIGKILL');
  expect(await first.server.ended).toBe('SIGKILL');

  const after = await connect((await serve()).address);
  expect(await titles(after)).toEqual(['fix the roof']);
  expect(await board(after, 'audit.latest')).toContain('tasks.create');
});

test('an action that fails half way leaves nothing behind, and the next one can write', async () => {
  const client = await connect((await serve()).address);
  const tasks = [{ title: 'buy nails' }, { title: 'fix the roof' }, { title: 'buy nails' }];
  await expect(board(client, 'tasks.plan', { tasks })).rejects.toThrow('There is a task "buy nails" already');
  expect(await titles(client)).toEqual([]);
  expect(await board(client, 'audit.latest')).not.toContain('tasks.plan');
  await board(client, 'tasks.plan', { tasks: tasks.slice(0, 2) });
  expect(await titles(client)).toEqual(['buy nails', 'fix the roof']);
});

test('two clients that write at once neither fail nor mix', async () => {
  const { address } = await serve();
  const pair = await Promise.all([connect(address), connect(address)]);
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all(
    pair.flatMap((client, who) =>
      numbers.map((number) => board(client, 'tasks.create', { title: `${String(who)}-${String(number)}` })),
    ),
  );
  const expected = [0, 1].flatMap((who) => numbers.map((number) => `${String(who)}-${String(number)}`));
  expect([...(await titles(pair[0]))].sort()).toEqual(expected.sort());
});

test('two servers on one file wait for each other', async () => {
  const servers = await Promise.all([serve(), serve()]);
  const pair = await Promise.all(servers.map(({ address }) => connect(address)));
  await Promise.all(
    pair.map((client, who) => board(client, 'tasks.create', { title: `from ${String(who)}` })),
  );
  expect(await titles(pair[0]!)).toHaveLength(2);
});

test('Ctrl+C lets running calls finish: what is kept is exactly what was answered', async () => {
  const { server, address } = await serve();
  const client = await connect(address);
  const wanted = Array.from({ length: 40 }, (_, index) => `task ${String(index)}`);
  const calls = wanted.map(async (title) => {
    await board(client, 'tasks.create', { title });
    return title;
  });
  await Promise.any(calls);
  server.kill('SIGINT');
  const settled = await Promise.allSettled(calls);
  expect(await server.ended).toBe('SIGINT');
  expect(server.stderr).toEqual([]);

  const answered = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const kept = await titles(await connect((await serve()).address));
  expect([...kept].sort()).toEqual(answered.sort());
});
