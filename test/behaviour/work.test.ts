import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  Action,
  InMemoryTaskStore,
  InMemoryWorkQueue,
  type LocalCallOptions,
  McpApplication,
  Module,
  ToolGroup,
  type WorkQueue,
} from 'toolwright';
import { beginTask } from '../support/begin-task.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { QueueModule, Workshop } from '../support/queue-module.ts';
import { filledIn, TaskRequests } from '../support/task-requests.ts';
import { textOf } from '../support/text-of.ts';

const SECRET = 'of 32 bytes, which only the instances know';

/** Instances of one application: what they share is in the memory of the test. */
class Instances {
  readonly store = new InMemoryTaskStore();
  readonly logger = new MemoryLogger();
  readonly all: McpApplication[] = [];
  queues: WorkQueue = new InMemoryWorkQueue(this.logger);
  ttl = 60_000;

  async start(): Promise<McpApplication> {
    const { store, queues, ttl, logger } = this;
    const tasks = { queues, ttl, lease: 300, pollInterval: 20 };
    const backplane = { tasks: store };
    const app = await McpApplication.create(QueueModule, {
      ...{ tasks, backplane, logger, secrets: [SECRET], drainTimeout: 0 },
    });
    this.all.push(app);
    return app;
  }

  /** Another instance that works on all queues. */
  async work(hold?: Workshop['hold']): Promise<McpApplication> {
    const app = await this.start();
    if (hold !== undefined) app.get(Workshop).hold = hold;
    await app.work();
    return app;
  }
}

let instances: Instances;
beforeEach(() => {
  instances = new Instances();
});
afterEach(async () => {
  await Promise.all(instances.all.map((app) => app.close()));
});

/** A client of 2025-11-25. */
async function clientOf(app: McpApplication, answer?: object): Promise<Client> {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'client', version: '1.0.0' }, { capabilities });
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, () => answer as never);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await app.connect(far);
  await client.connect(near);
  return client;
}

/** A handler that never ends by itself, like that of a process which is gone. */
const forever: Workshop['hold'] = () => new Promise(() => undefined);

test('A call becomes a task that another instance runs, and any instance has its result, in both eras', async () => {
  const [front, worker, other] = [await instances.start(), await instances.work(), await instances.start()];
  const client = await clientOf(front);
  const { taskId } = await beginTask(client, 'reports_write', { label: 'a' });
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  expect(textOf(result)).toBe('a by nobody');
  const newer = new TaskRequests(front.fetch);
  const task = await newer.begin('reports_write', { label: 'b' });
  expect(await new TaskRequests(other.fetch).end(task)).toMatchObject({
    status: 'completed',
    statusMessage: 'Reading b',
    result: { content: [{ text: 'b by nobody' }] },
  });
  expect(worker.get(Workshop).done).toEqual(['write a', 'write b']);
});

test('A store sees nothing of what a task is about', async () => {
  await instances.work();
  const newer = new TaskRequests((await instances.start()).fetch);
  const taskId = await newer.begin('reports_write', { label: 'secret' });
  await newer.end(taskId);
  const stored = await instances.store.get(taskId);
  expect(JSON.stringify(stored)).not.toMatch(/secret|Reading/);
  expect(stored).toMatchObject({ v: 1, status: 'completed', sealed: expect.any(String) });
});

test('Wrong arguments are answered at once, and put on no queue', async () => {
  const front = await instances.start();
  const newer = new TaskRequests(front.fetch);
  const answered = await newer.result('tools/call', { name: 'reports_write', arguments: {} });
  expect(answered).toMatchObject({
    isError: true,
    _meta: { 'toolwright/error': { code: 'VALIDATION_FAILED' } },
  });
  const client = await clientOf(front);
  const { taskId, status } = await beginTask(client, 'reports_write', {});
  expect(status).toBe('failed');
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  expect(result).toMatchObject({ isError: true });
});

test('Who knows no tasks waits for the result, sees the progress, and answers questions', async () => {
  const [front] = [await instances.start(), await instances.work()];
  const progress: unknown[] = [];
  const options: LocalCallOptions = {
    ...{ meta: { progressToken: 1 }, client: { capabilities: { elicitation: {} } } },
    onNotification: (_method, params) => progress.push(params['message']),
    onRequest: () => filledIn({ word: 'please' }),
    authInfo: { token: 'of ada', clientId: 'ada', scopes: [] },
  };
  expect(textOf(await front.call('reports_write', { label: 'a' }, options))).toBe('a by ada');
  expect(progress).toEqual(['Reading a']);
  expect(textOf(await front.call('reports_ask', { label: 'b' }, options))).toBe('b: please');
  const client = await clientOf(front, filledIn({ word: 'now' }));
  const answered = await client.callTool({ name: 'reports_ask', arguments: { label: 'c' } });
  expect(answered).toMatchObject({ content: [{ text: 'c: now' }] });
});

test('A client of 2026-07-28 without tasks is asked round by round, and one task runs for it', async () => {
  const [front, worker] = [await instances.start(), await instances.work()];
  const plain = new TaskRequests(front.fetch, { elicitation: {} });
  const call = { name: 'reports_ask', arguments: { label: 'a' } };
  const { inputRequests, requestState } = await plain.result('tools/call', call);
  const [key = ''] = Object.keys(inputRequests as object);
  const inputResponses = { [key]: filledIn({ word: 'yes' }) };
  const ended = await plain.result('tools/call', { ...call, requestState, inputResponses });
  expect(ended).toMatchObject({ content: [{ text: 'a: yes' }] });
  expect(worker.get(Workshop).done).toEqual([]);
});

test('A question is answered, and a task is cancelled, at any instance', async () => {
  const signals: AbortSignal[] = [];
  const hold: Workshop['hold'] = (place, signal) => {
    signals.push(signal);
    return place.startsWith('ask') ? Promise.resolve() : forever(place, signal);
  };
  const [front, other] = [await instances.start(), await instances.start(), await instances.work(hold)];
  const [asking, answering] = [new TaskRequests(front.fetch), new TaskRequests(other.fetch)];
  const asked = await asking.begin('reports_ask', { label: 'a' });
  const { inputRequests } = await answering.until(asked, 'input_required');
  const [key = ''] = Object.keys(inputRequests as object);
  await answering.update(asked, { [key]: filledIn({ word: 'hello' }) });
  expect(await asking.end(asked)).toMatchObject({ result: { content: [{ text: 'a: hello' }] } });
  const held = await asking.begin('reports_write', { label: 'b' });
  await eventually(() => signals.length === 2);
  await answering.result('tasks/cancel', { taskId: held });
  await eventually(() => signals[1]?.aborted === true);
  expect(await asking.end(held)).toMatchObject({ status: 'cancelled' });
});

test('What a worker lets go of goes on at another one, without the steps that are done', async () => {
  const first = await instances.work(forever);
  const newer = new TaskRequests((await instances.start()).fetch);
  const taskId = await newer.begin('reports_send', { label: 'a' });
  await eventually(() => first.get(Workshop).done.includes('render a'));
  const second = await instances.work();
  await first.close();
  expect(await newer.end(taskId)).toMatchObject({
    result: { content: [{ text: 'render a done, post a done' }] },
  });
  expect(second.get(Workshop).done).toEqual(['post a']);
});

test('A question that a worker asked is not asked again by the one that goes on', async () => {
  const first = await instances.work(forever);
  const newer = new TaskRequests((await instances.start()).fetch);
  const taskId = await newer.begin('reports_ask', { label: 'a' });
  const { inputRequests } = await newer.until(taskId, 'input_required');
  await newer.update(taskId, { [Object.keys(inputRequests as object)[0] ?? '']: filledIn({ word: 'once' }) });
  await newer.until(taskId, 'working');
  await instances.work();
  await first.close();
  expect(await newer.end(taskId)).toMatchObject({ result: { content: [{ text: 'a: once' }] } });
});

test('A destructive call that was cut runs at most once, and its outcome is unknown', async () => {
  const first = await instances.work(forever);
  const newer = new TaskRequests((await instances.start()).fetch);
  const taskId = await newer.begin('reports_remove', { label: 'a' });
  await eventually(() => first.get(Workshop).done.includes('remove a'));
  const second = await instances.work();
  await first.close();
  expect(await newer.end(taskId)).toMatchObject({
    result: { isError: true, _meta: { 'toolwright/error': { code: 'OUTCOME_UNKNOWN' } } },
  });
  expect(second.get(Workshop).done).toEqual([]);
});

test('A task waits for a worker, and its ttl ends it', async () => {
  const newer = new TaskRequests((await instances.start()).fetch);
  const taskId = await newer.begin('reports_write', { label: 'a' });
  expect(await newer.get(taskId)).toMatchObject({ status: 'working' });
  await instances.work();
  expect(await newer.end(taskId)).toMatchObject({ status: 'completed' });
  instances.ttl = 50;
  const late = await instances.start();
  await Promise.all(instances.all.slice(0, 2).map((app) => app.close()));
  await expect(late.call('reports_write', { label: 'b' })).resolves.toMatchObject({
    _meta: { 'toolwright/error': { code: 'TIMED_OUT' } },
  });
});

test('A task that is missing on its queue is put there again', async () => {
  const { queues } = instances;
  let isLost = true;
  instances.queues = {
    add: async (queue, taskId) => (isLost ? undefined : queues.add(queue, taskId)),
    work: (...work) => queues.work(...work),
  };
  const newer = new TaskRequests((await instances.start()).fetch);
  await instances.work();
  const taskId = await newer.begin('reports_write', { label: 'a' });
  isLost = false;
  expect(await newer.end(taskId)).toMatchObject({ status: 'completed' });
});

test('Without a queue nothing is accepted, and nothing is left behind', async () => {
  instances.queues = {
    add: () => Promise.reject(new Error('down')),
    work: () => Promise.reject(new Error('down')),
  };
  const front = await instances.start();
  const newer = new TaskRequests(front.fetch);
  const refused = {
    isError: true,
    _meta: { 'toolwright/error': { code: 'TRY_AGAIN_LATER', retryAfter: 5 } },
  };
  const call = { name: 'reports_write', arguments: { label: 'a' } };
  expect(await newer.result('tools/call', call)).toMatchObject(refused);
  expect(await front.call(call.name, call.arguments)).toMatchObject(refused);
  const client = await clientOf(front);
  const failed = await beginTask(client, call.name, call.arguments);
  expect(failed).toMatchObject({
    status: 'failed',
    statusMessage: expect.stringContaining('TRY_AGAIN_LATER'),
  });
  await expect(front.work()).rejects.toThrow('down');
});

test('A key decides whether a call runs that several workers get', async () => {
  const first = await instances.work(forever);
  const newer = new TaskRequests((await instances.start()).fetch);
  const taskId = await newer.begin('reports_pay', { label: 'a', idempotencyKey: 'k' });
  await eventually(() => first.get(Workshop).done.includes('pay a'));
  await newer.result('tasks/cancel', { taskId });
  expect(await newer.end(taskId)).toMatchObject({ status: 'cancelled' });
});

test('Where no queues are shared, calls run where they arrive, and a worker says that it has nothing to do', async () => {
  const { logger } = instances;
  const app = await McpApplication.create(QueueModule, { logger });
  instances.all.push(app);
  expect(textOf(await app.call('reports_send', { label: 'a' }))).toBe('render a done, post a done');
  const working = await app.work({ queues: ['reports'] });
  const events = logger.records.map(({ event }) => event);
  expect([working.queues, events]).toEqual([['reports'], ['task.no-queues']]);
});

test('A worker that serves nothing does not wait for those who send requests', async () => {
  const { logger } = instances;
  // Where it waited, this test would end by its time limit
  const app = await McpApplication.create(QueueModule, { logger, drainDelay: 86_400_000 });
  const working = await app.work();
  await app.close('SIGTERM');
  await working.closed;
  expect(app.isDrained).not.toBe(false);
});

test('Refuses queues that no action has, and names that no queue can have', async () => {
  const app = await instances.start();
  await expect(app.work({ queues: ['report'] })).rejects.toThrow('did you mean "reports"?');
  await expect(app.work({ concurrency: 0 })).rejects.toThrow('TW_APPLICATION_OPTION');
});

test('Refuses a queue without a name when the application starts', async () => {
  @ToolGroup('reports')
  class Unnamed {
    @Action({ description: 'Write it', task: { queue: '' } })
    write() {
      return 'written';
    }
  }
  @Module({ controllers: [Unnamed] })
  class UnnamedModule {}
  await expect(McpApplication.create(UnnamedModule)).rejects.toThrow('task.queue');
});
