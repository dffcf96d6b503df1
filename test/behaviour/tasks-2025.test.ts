import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  TaskStatusNotificationSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { createTestApplication, type TestApplication, type TestClientOptions } from 'toolwright/testing';
import { refusalOf, connectedClient, sendRaw } from '../support/attached-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsController, JobsModule } from '../support/jobs-module.ts';
import { eventually } from '../support/eventually.ts';
import { beginTask } from '../support/begin-task.ts';

const RELATED = 'io.modelcontextprotocol/related-task';

describe('tasks of 2025-11-25', () => {
  let app: TestApplication;
  let client: Client;

  beforeEach(async () => {
    app = await createTestApplication(JobsModule, { logger: new MemoryLogger(), drainTimeout: 0 });
    client = await app.client();
  });
  afterEach(() => app.close());

  test('says in the list which tools can be tasks', async () => {
    const { tools } = await client.listTools();
    const support = Object.fromEntries(tools.map((tool) => [tool.name, tool.execution?.taskSupport]));
    expect(support).toMatchObject({
      jobs_greet: undefined,
      jobs_slow: 'optional',
      jobs_heavy: 'required',
      jobs_greetLater: 'optional',
    });
    expect(client.getServerCapabilities()).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
  });

  test('runs a task for the official client, from its creation to its result', async () => {
    await client.listTools();
    app.get(Gates).open('a');
    const stream = client.experimental.tasks.callToolStream({ name: 'jobs_slow', arguments: { label: 'a' } });
    const types: string[] = [];
    let result: unknown;
    for await (const message of stream) {
      types.push(message.type);
      if (message.type === 'result') result = message.result;
    }
    expect([types[0], types.at(-1)]).toEqual(['taskCreated', 'result']);
    expect(result).toMatchObject({ content: [{ text: 'done a' }] });
  });

  test('waits for the result of a task, and ties it to the task', async () => {
    const { taskId, status, ttl, pollInterval } = await beginTask(client, 'jobs_slow', { label: 'b' });
    expect([status, ttl, pollInterval]).toEqual(['working', 3_600_000, 1000]);
    const waiting = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    app.get(Gates).open('b');
    const result = await waiting;
    expect(result).toMatchObject({ content: [{ text: 'done b' }], _meta: { [RELATED]: { taskId } } });
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'completed' });
  });

  test('lets the client shorten the life of a task, and never lengthen it', async () => {
    expect((await beginTask(client, 'jobs_heavy', { label: 'c' }, { ttl: 60_000 })).ttl).toBe(60_000);
    expect((await beginTask(client, 'jobs_heavy', { label: 'c' }, { ttl: 1e12 })).ttl).toBe(3_600_000);
  });

  test('asks through tasks/result', async () => {
    const questions: unknown[] = [];
    const options: TestClientOptions = {
      onElicitation: (question) => {
        questions.push(question);
        return { action: 'accept', content: { confirm: true } };
      },
    };
    const asked = await app.connect(options);
    const { taskId } = await beginTask(asked, 'jobs_remove', { label: 'd' });
    let task = await asked.experimental.tasks.getTask(taskId);
    while (task.status === 'working') task = await asked.experimental.tasks.getTask(taskId);
    expect(task.status).toBe('input_required');
    expect(questions).toEqual([]);
    const result = await asked.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result).toMatchObject({ content: [{ text: 'deleted d' }] });
    expect(questions).toMatchObject([{ message: 'Delete d?', _meta: { [RELATED]: { taskId } } }]);
    await asked.close();
  });

  test('reports to the handler that the client refused to answer', async () => {
    const asked = await app.connect({
      onElicitation: () => {
        throw new Error('not today');
      },
    });
    const { taskId } = await beginTask(asked, 'jobs_remove', { label: 'e' });
    const result = await asked.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(JSON.stringify(result.content)).toContain('not today');
    await asked.close();
  });

  test('keeps a question for the next one who asks for the result', async () => {
    const answers: ((value: { action: 'decline' }) => void)[] = [];
    const asked = await app.connect({
      onElicitation: () => new Promise((resolve) => answers.push(resolve)),
    });
    const { taskId } = await beginTask(asked, 'jobs_remove', { label: 'f' });
    const stop = new AbortController();
    const first = asked.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, {
      signal: stop.signal,
    });
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(first).rejects.toThrow();
    const second = asked.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    answers[1]?.({ action: 'decline' });
    expect(await second).toMatchObject({ content: [{ text: 'kept f' }] });
    await asked.close();
  });

  test('asks once, however many wait for the result', async () => {
    const answers: ((value: { action: 'decline' }) => void)[] = [];
    const asked = await app.connect({
      onElicitation: () => new Promise((resolve) => answers.push(resolve)),
    });
    const { taskId } = await beginTask(asked, 'jobs_remove', { label: 'm' });
    const { tasks } = asked.experimental;
    const results = [1, 2, 3].map(() => tasks.getTaskResult(taskId, CallToolResultSchema));
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await tasks.getTask(taskId);
    answers[0]?.({ action: 'decline' });
    for (const result of results) expect(await result).toMatchObject({ content: [{ text: 'kept m' }] });
    expect(answers).toHaveLength(1);
    await asked.close();
  });

  test('fails a task whose tool reports an error, and gives its result all the same', async () => {
    const { taskId } = await beginTask(client, 'jobs_failing');
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result.isError).toBe(true);
    const task = await client.experimental.tasks.getTask(taskId);
    expect(task).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringContaining('It does not work'),
    });
    const broken = await beginTask(client, 'jobs_broken');
    expect(await refusalOf(client, 'tasks/result', { taskId: broken.taskId })).toMatchObject({
      code: -32001,
      message: 'The line is cut',
    });
  });

  test('cancels a task once', async () => {
    const { taskId } = await beginTask(client, 'jobs_slow', { label: 'g' });
    const cancelled = await client.experimental.tasks.cancelTask(taskId);
    expect(cancelled).toMatchObject({ taskId, status: 'cancelled' });
    const { aborted } = app.get(JobsController);
    await eventually(() => aborted.length > 0);
    expect(aborted).toEqual(['g: The task was cancelled']);
    expect((await refusalOf(client, 'tasks/cancel', { taskId })).code).toBe(-32602);
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('cancelled') }],
    });
  });

  test('reports status and progress without being asked', async () => {
    const statuses: string[] = [];
    client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
      statuses.push(params.status);
    });
    const progress: Progress[] = [];
    const params = { name: 'jobs_steps', arguments: { label: 'h' }, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema, {
      onprogress: (report) => progress.push(report),
    });
    app.get(Gates).open('h 1');
    app.get(Gates).open('h 2');
    await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    while (statuses.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(statuses).toEqual(['completed']);
    expect(progress).toMatchObject([
      { progress: 1, total: 2 },
      { progress: 2, total: 2, message: 'nearly there' },
    ]);
  });

  test('lists only the tasks of its client, page by page', async () => {
    const other = await app.connect();
    const ids: string[] = [];
    for (let count = 0; count < 105; count += 1)
      ids.push((await beginTask(client, 'jobs_heavy', { label: 'i' })).taskId);
    const { taskId: foreign } = await beginTask(other, 'jobs_heavy', { label: 'i' });
    const first = await client.experimental.tasks.listTasks();
    expect(first.tasks).toHaveLength(100);
    const second = await client.experimental.tasks.listTasks(first.nextCursor);
    expect(second.nextCursor).toBeUndefined();
    const listed = [...first.tasks, ...second.tasks].map((task) => task.taskId);
    expect([...listed].sort()).toEqual([...ids].sort());
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect((await refusalOf(client, method, { taskId: foreign })).code).toBe(-32602);
    }
    await other.close();
  });
});

describe('tasks of 2025-11-25 that are refused or not agreed on', () => {
  let app: TestApplication;
  let client: Client;

  beforeEach(async () => {
    app = await createTestApplication(JobsModule, { logger: new MemoryLogger(), drainTimeout: 0 });
    client = await app.client();
  });
  afterEach(() => app.close());

  test('wants tasks where they are required, and only where they are possible', async () => {
    const heavy = { name: 'jobs_heavy', arguments: { label: 'j' } };
    expect(await refusalOf(client, 'tools/call', heavy)).toMatchObject({
      code: -32601,
      message: expect.stringContaining('as a task'),
    });
    const greet = { name: 'jobs_greet', arguments: { name: 'Ada' }, task: {} };
    expect((await refusalOf(client, 'tools/call', greet)).code).toBe(-32601);
    app.get(Gates).open('j');
    const result = await client.callTool({ name: 'jobs_slow', arguments: { label: 'j' } });
    expect(result).toMatchObject({ content: [{ text: 'done j' }] });
  });

  test.each([
    ['tasks/get', {}],
    ['tasks/get', { taskId: 7 }],
    ['tasks/result', { taskId: 'nobody' }],
    ['tasks/cancel', { taskId: null }],
    ['tasks/list', { cursor: 'nonsense' }],
    ['tasks/list', { cursor: 7 }],
    ['tasks/list', { cursor: Buffer.from('[1]').toString('base64url') }],
    ['tasks/list', { cursor: Buffer.from('["a",1]').toString('base64url') }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: 7 }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: [] }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: { ttl: 0 } }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: { ttl: 'long' } }],
  ])('refuses %s with %j', async (method, params) => {
    expect((await refusalOf(client, method, params)).code).toBe(-32602);
  });

  test('has no method of the era after', async () => {
    const { taskId } = await beginTask(client, 'jobs_heavy', { label: 'l' });
    expect((await refusalOf(client, 'tasks/update', { taskId, inputResponses: {} })).code).toBe(-32601);
  });

  test('serves tasks on a server of the SDK, and calls on one that was connected before', async () => {
    const server = new McpServer({ name: 'own', version: '1.0.0' });
    app.app.attach(server);
    const attached = await connectedClient(server);
    const { taskId } = await beginTask(attached, 'jobs_heavy', { label: 'm' });
    expect(await sendRaw(attached, 'tasks/result', { taskId })).toMatchObject({
      content: [{ text: 'lifted m' }],
    });

    const early = new McpServer({ name: 'own', version: '1.0.0' }, { capabilities: { tools: {} } });
    const late = await connectedClient(early);
    app.app.attach(early);
    app.get(Gates).open('n');
    const result = await late.callTool({ name: 'jobs_slow', arguments: { label: 'n' } });
    expect(result).toMatchObject({ content: [{ text: 'done n' }] });
  });
});
