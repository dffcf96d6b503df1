import { afterEach, describe, expect, test } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer as EarlierServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import {
  createTool,
  InMemoryTaskStore,
  type ToolContext,
  ToolRegistry,
  toolContextOf,
  type TaskStore,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { connectedClient, refusalOf, sendRaw } from '../support/attached-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsModule, JobsController } from '../support/jobs-module.ts';
import { connectInMemory, client2025, envelope, message2026 } from '../support/client-of-2026.ts';
import { filledIn, TaskRequests, TASKS } from '../support/task-requests.ts';

/** A result of any form. */
const anything = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function jobs(): Promise<TestApplication> {
  const app = await createTestApplication(JobsModule, { logger: new MemoryLogger(), drainTimeout: 0 });
  cleanups.push(() => app.close());
  return app;
}

async function overHttp(url: string): Promise<Client> {
  const client = new Client({ name: 'http', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { confirm: true } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  cleanups.push(() => client.close());
  return client;
}

async function begin(client: Client, name: string, label: string): Promise<string> {
  const params = { name, arguments: { label }, task: {} };
  return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task.taskId;
}

describe('tasks of 2025-11-25 over HTTP', () => {
  test('belong to their session, and ask through it', async () => {
    const { url } = await (await jobs()).app.listen(0);
    const [mine, other] = [await overHttp(url), await overHttp(url)];
    const taskId = await begin(mine, 'jobs_remove', 'a');
    const result = await mine.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result).toMatchObject({ content: [{ text: 'deleted a' }] });
    expect((await refusalOf(other, 'tasks/get', { taskId })).code).toBe(-32602);
    expect((await other.experimental.tasks.listTasks()).tasks).toEqual([]);
    expect((await mine.experimental.tasks.listTasks()).tasks).toHaveLength(1);
  });

  test('belong to every client that knows their id where there are no sessions, and cannot ask', async () => {
    const { url } = await (await jobs()).app.listen({ port: 0, sessions: false });
    const [mine, other] = [await overHttp(url), await overHttp(url)];
    const taskId = await begin(mine, 'jobs_heavy', 'b');
    const result = await other.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result).toMatchObject({ content: [{ text: 'lifted b' }] });
    expect((await mine.experimental.tasks.listTasks()).tasks).toEqual([]);
    const asking = await begin(mine, 'jobs_remove', 'c');
    const failed = await mine.experimental.tasks.getTaskResult(asking, CallToolResultSchema);
    expect(failed.isError).toBe(true);
  });
});

describe('a server of SDK v2 with a client of 2025-11-25', () => {
  test('has no tasks: calls run as usual, or not at all', async () => {
    const jobsApp = await jobs();
    const server = new McpServer({ name: 'later', version: '1.0.0' });
    jobsApp.app.attach(server);
    const client = await connectInMemory(client2025(), (far) => server.connect(far as never));
    cleanups.push(() => client.close());
    jobsApp.get(Gates).open('d');
    expect(await client.callTool({ name: 'jobs_slow', arguments: { label: 'd' } })).toMatchObject({
      content: [{ text: 'done d' }],
    });
    const heavy = client.callTool({ name: 'jobs_heavy', arguments: { label: 'd' } });
    await expect(heavy).rejects.toMatchObject({ code: -32601 });
    const found = client.request({ method: 'tasks/get', params: { taskId: 'a' } }, anything);
    await expect(found).rejects.toMatchObject({ code: -32601 });
  });
});

describe('tools without decorators', () => {
  const bench = () =>
    createTool<ToolContext>('bench')
      .action({ name: 'list', handler: () => 'listed' })
      .action({ name: 'press', task: true, handler: () => 'pressed' })
      .action({ name: 'weld', task: 'required', handler: () => 'welded' });

  test('say of all their actions together whether they can be tasks', () => {
    const registry = new ToolRegistry().register(bench().tags('shop'));
    expect(registry.getTools()[0]?.execution).toEqual({ taskSupport: 'optional' });
    const weldOnly = new ToolRegistry().register(bench()).disable('bench', 'list', 'press');
    expect(weldOnly.getTools()[0]?.execution).toEqual({ taskSupport: 'required' });
    const listOnly = new ToolRegistry().register(bench()).disable('bench', 'press', 'weld');
    expect(listOnly.getTools()[0]).not.toHaveProperty('execution');
  });

  test('become tasks on a server of the SDK, each action of a tool that has one', async () => {
    const store = new InMemoryTaskStore();
    const registry = new ToolRegistry({
      contextFactory: toolContextOf,
      backplane: { tasks: store },
      tasks: { ttl: 500_000 },
    });
    const server = new EarlierServer({ name: 'own', version: '1.0.0' });
    registry.register(bench()).attachToServer(server);
    const client = await connectedClient(server);
    for (const [action, text] of [
      ['press', 'pressed'],
      ['weld', 'welded'],
      ['list', 'listed'],
    ]) {
      const params = { name: 'bench', arguments: { action }, task: {} };
      const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
      expect(task.ttl).toBe(500_000);
      expect(await sendRaw(client, 'tasks/result', { taskId: task.taskId })).toMatchObject({
        content: [{ text }],
      });
    }
    const weld = { name: 'bench', arguments: { action: 'weld' } };
    expect(await refusalOf(client, 'tools/call', weld)).toMatchObject({ code: -32601 });
    expect(
      await sendRaw(client, 'tools/call', { name: 'bench', arguments: { action: 'list' } }),
    ).toMatchObject({
      content: [{ text: 'listed' }],
    });
  });

  test('refuse what is not a way of becoming a task', () => {
    for (const task of ['always', 1, null, {}]) {
      const action = { name: 'a', handler: () => 1, task } as never;
      expect(() => createTool('t').action(action)).toThrow(
        expect.objectContaining({ code: 'TW_SCAN_OPTION_VALUE' }),
      );
    }
    expect(() => new ToolRegistry({ tasks: { ttl: -1 } })).toThrow(
      expect.objectContaining({ code: 'TW_REGISTRY_OPTION' }),
    );
  });
});

function requestsOf(app: TestApplication): TaskRequests {
  return new TaskRequests((request) => app.app.fetch(request));
}

function appOn(store: TaskStore, drainTimeout?: number): Promise<TestApplication> {
  return createTestApplication(JobsModule, {
    logger: new MemoryLogger(),
    backplane: { tasks: store },
    tasks: { pollInterval: 5 },
    ...(drainTimeout === undefined ? {} : { drainTimeout }),
  });
}

/** The same store without news of changes, as one over a plain database would be. */
function silent(store: TaskStore): TaskStore {
  return {
    create: (task, limits) => store.create(task, limits),
    get: (taskId) => store.get(taskId),
    update: (task) => store.update(task),
    list: (subject, page) => store.list(subject, page),
    delete: (taskId) => store.delete(taskId),
  };
}

describe('two applications over one store', () => {
  test.each(['with', 'without'])('one knows the tasks of the other, %s news of changes', async (news) => {
    const memory = new InMemoryTaskStore();
    const store = news === 'with' ? memory : silent(memory);
    const [runs, asks] = await Promise.all([appOn(store), appOn(store)]);
    const [here, there] = [requestsOf(runs), requestsOf(asks)];

    const waiting = await here.begin('jobs_slow', { label: 'a' });
    expect(await there.get(waiting)).toMatchObject({ status: 'working' });
    runs.get(Gates).open('a');
    expect(await there.end(waiting)).toMatchObject({ result: { content: [{ text: 'done a' }] } });

    const asking = await here.begin('jobs_remove', { label: 'b' });
    const { inputRequests } = await there.until(asking, 'input_required');
    const [key = ''] = Object.keys(inputRequests as object);
    await there.update(asking, { [key]: filledIn({ confirm: true }) });
    expect(await here.end(asking)).toMatchObject({ result: { content: [{ text: 'deleted b' }] } });

    const cancelled = await here.begin('jobs_slow', { label: 'c' });
    await there.result('tasks/cancel', { taskId: cancelled });
    expect(await here.get(cancelled)).toMatchObject({ status: 'cancelled' });
    const { aborted } = runs.get(JobsController);
    while (aborted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(aborted).toEqual(['c: The task was cancelled']);
    await Promise.all([runs.close(), asks.close()]);
  });
});

describe('closing an application with tasks', () => {
  test('waits for running tasks', async () => {
    const store = new InMemoryTaskStore();
    const app = await appOn(store);
    const taskId = await requestsOf(app).begin('jobs_slow', { label: 'a' });
    const closed = app.close();
    app.get(Gates).open('a');
    await closed;
    expect(await store.get(taskId)).toMatchObject({ status: 'completed' });
  });

  test('cancels what takes longer than it may', async () => {
    const store = new InMemoryTaskStore();
    const app = await appOn(store, 0);
    const taskId = await requestsOf(app).begin('jobs_slow', { label: 'a' });
    const jobs = app.get(JobsController);
    await app.close();
    expect(await store.get(taskId)).toMatchObject({
      status: 'cancelled',
      statusMessage: 'The server was shut down',
    });
    expect(jobs.aborted).toEqual(['a: The server was shut down']);
  });
});

type Result = Readonly<Record<string, unknown>>;

test('tasks of 2026-07-28 work without HTTP, where there are no headers', async () => {
  const app = await createTestApplication(JobsModule, { logger: new MemoryLogger() });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (result: Result) => void>();
  near.onmessage = (message) => {
    const { id, result } = message as { readonly id?: unknown; readonly result?: Result };
    waiting.get(id)?.(result ?? {});
  };
  await app.app.connect(far);
  await near.start();
  const _meta = envelope({ elicitation: {}, extensions: { [TASKS]: {} } });
  const send = (method: string, params: Result): Promise<Result> => {
    const id = waiting.size + 1;
    const answered = new Promise<Result>((resolve) => waiting.set(id, resolve));
    return near.send(message2026(method, { ...params, _meta }, id) as never).then(() => answered);
  };
  const until = async (taskId: unknown, status: string): Promise<Result> => {
    for (;;) {
      const task = await send('tasks/get', { taskId });
      if (task['status'] === status) return task;
    }
  };

  const { taskId } = await send('tools/call', { name: 'jobs_slow', arguments: { label: 'a' } });
  expect(await send('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  app.get(Gates).open('a');
  expect(await until(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'done a' }] } });

  const asking = await send('tools/call', { name: 'jobs_remove', arguments: { label: 'b' } });
  const { inputRequests } = await until(asking['taskId'], 'input_required');
  const [key = ''] = Object.keys(inputRequests as object);
  const inputResponses = { [key]: filledIn({ confirm: true }) };
  await send('tasks/update', { taskId: asking['taskId'], inputResponses });
  expect(await until(asking['taskId'], 'completed')).toMatchObject({
    result: { content: [{ text: 'deleted b' }] },
  });
  await near.close();
  await app.close();
});
