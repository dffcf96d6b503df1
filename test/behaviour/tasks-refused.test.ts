import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsController, JobsModule } from '../support/jobs-module.ts';
import { serve2026 } from '../support/app-of-2026.ts';
import { TaskRequests, TASKS } from '../support/task-requests.ts';
import { WorkModule } from '../support/work-module.ts';

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const NOBODY = '3a3d1f0a-0000-4000-8000-000000000000';

describe('requests for tasks that are refused', () => {
  let app: TestApplication;
  let client: TaskRequests;

  beforeEach(async () => {
    app = await createTestApplication(JobsModule, { logger: new MemoryLogger(), drainTimeout: 0 });
    client = new TaskRequests((request) => app.app.fetch(request));
  });
  afterEach(() => app.close());

  test.each(METHODS)('%s needs a client that declares the extension', async (method) => {
    const other = new TaskRequests((request) => app.app.fetch(request), { elicitation: {} });
    const { status, error } = await other.send(method, { taskId: NOBODY, inputResponses: {} });
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
  });

  test.each(METHODS)('%s of an unknown task is a wrong parameter', async (method) => {
    const { error } = await client.send(method, { taskId: NOBODY, inputResponses: {} });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Task not found') });
  });

  test.each(METHODS)('%s takes no id but a text', async (method) => {
    for (const taskId of [undefined, null, 5, {}, ['a']]) {
      const { error } = await client.send(method, { taskId, inputResponses: {} });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('taskId') });
    }
  });

  test.each(METHODS)('%s needs the header that names the task', async (method) => {
    const taskId = await client.begin('jobs_slow', { label: 'a' });
    for (const name of ['another', NOBODY]) {
      const { status, error } = await client.send(
        method,
        { taskId, inputResponses: {} },
        { 'mcp-name': name },
      );
      expect([status, error?.code]).toEqual([400, -32020]);
    }
    const encoded = `=?base64?${Buffer.from(taskId).toString('base64')}?=`;
    const { error } = await client.send(method, { taskId, inputResponses: {} }, { 'mcp-name': encoded });
    expect(error).toBeUndefined();
  });

  test('takes answers in an object and in nothing else', async () => {
    const taskId = await client.begin('jobs_remove', { label: 'a' });
    await client.until(taskId, 'input_required');
    for (const inputResponses of [7, 'yes', [1]]) {
      await client.send('tasks/update', { taskId, inputResponses });
      expect(await client.get(taskId)).toMatchObject({ status: 'input_required' });
    }
  });

  test.each(['tasks/list', 'tasks/result'])('%s is gone', async (method) => {
    const { error } = await client.send(method, { taskId: NOBODY });
    expect(error?.code).toBe(-32601);
  });

  test('hides the task of another person', async () => {
    const of = (clientId: string, sub?: string): TaskRequests =>
      new TaskRequests(serve2026(app.app, { clientId, ...(sub === undefined ? {} : { sub }) }));
    const mine = of('desk', 'ada');
    const taskId = await mine.begin('jobs_slow', { label: 'b' });
    for (const other of [of('desk', 'eve'), of('phone', 'ada'), of('desk'), client]) {
      for (const method of METHODS) {
        const { error } = await other.send(method, { taskId, inputResponses: {} });
        expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Task not found') });
      }
    }
    expect(await of('desk', 'ada').get(taskId)).toMatchObject({ status: 'working' });
    expect(app.get(JobsController).aborted).toEqual([]);
    app.get(Gates).open('b');
    expect(await mine.end(taskId)).toMatchObject({ status: 'completed' });
  });

  test('declares tasks only where an action has them', async () => {
    const capabilities = async (of: TestApplication): Promise<object> => {
      const requests = new TaskRequests((request) => of.app.fetch(request));
      return (await requests.result('server/discover'))['capabilities'] as object;
    };
    const found = await capabilities(app);
    expect(found).toMatchObject({ extensions: { [TASKS]: {} } });
    expect(found).not.toHaveProperty('tasks');
    const other = await createTestApplication(WorkModule, { logger: new MemoryLogger() });
    expect(await capabilities(other)).not.toHaveProperty('extensions');
    await other.close();
  });

  test('hides the era before from this one: a listed tool says nothing of its execution', async () => {
    const { tools } = await client.result('tools/list');
    expect(JSON.stringify(tools)).not.toContain('taskSupport');
  });
});

describe('limits of tasks', () => {
  test('refuses a task where there are too many already, and takes it again when one has expired', async () => {
    const app = await createTestApplication(JobsModule, {
      logger: new MemoryLogger(),
      tasks: { maxTasks: 2, maxTasksWithoutOwner: 2 },
    });
    const client = new TaskRequests((request) => app.app.fetch(request));
    await client.begin('jobs_slow', { label: 'a' });
    await client.begin('jobs_slow', { label: 'a' });
    const { error } = await client.send('tools/call', { name: 'jobs_slow', arguments: { label: 'a' } });
    expect(error).toMatchObject({ code: -32603, data: { code: 'TASK_LIMIT' } });
    app.get(Gates).open('a');
    await app.close();
  });

  test('keeps room for persons while unknown callers use all of their share', async () => {
    const app = await createTestApplication(JobsModule, {
      logger: new MemoryLogger(),
      tasks: { maxTasks: 4 },
    });
    const nobody = new TaskRequests((request) => app.app.fetch(request));
    const ada = new TaskRequests(serve2026(app.app, { clientId: 'c', sub: 'ada' }));
    const call = { name: 'jobs_slow', arguments: { label: 'a' } };
    await nobody.begin(call.name, call.arguments);
    const done = await nobody.begin(call.name, call.arguments);
    expect((await nobody.send('tools/call', call)).error).toMatchObject({ data: { code: 'TASK_LIMIT' } });
    await ada.begin(call.name, call.arguments);
    await ada.begin(call.name, call.arguments);
    app.get(Gates).open('a');
    await nobody.end(done);
    // What is done makes room for what is new.
    await nobody.begin(call.name, call.arguments);
    await ada.begin(call.name, call.arguments);
    await app.close();
  });

  test('counts the tasks of each person apart', async () => {
    const app = await createTestApplication(JobsModule, {
      logger: new MemoryLogger(),
      tasks: { maxTasksPerOwner: 1 },
    });
    const ada = new TaskRequests(serve2026(app.app, { clientId: 'c', sub: 'ada' }));
    const eve = new TaskRequests(serve2026(app.app, { clientId: 'c', sub: 'eve' }));
    await ada.begin('jobs_slow', { label: 'a' });
    const { error } = await ada.send('tools/call', { name: 'jobs_slow', arguments: { label: 'a' } });
    expect(error).toMatchObject({ data: { code: 'TASK_LIMIT' } });
    await eve.begin('jobs_slow', { label: 'a' });
    app.get(Gates).open('a');
    await app.close();
  });

  test('names every option that cannot be', async () => {
    const bad: object[] = [
      { ttl: 0 },
      { ttl: 1.5 },
      { ttl: Infinity },
      { pollInterval: -1 },
      { maxTasks: '5' },
      { maxTasksPerOwner: 0 },
      { maxTasksWithoutOwner: 0 },
      { time: 5 },
      { store: {} },
      { store: { create: () => undefined } },
    ];
    for (const tasks of bad) {
      await expect(createTestApplication(JobsModule, { tasks })).rejects.toMatchObject({
        problems: [{ code: 'TW_APPLICATION_OPTION', what: expect.stringContaining('tasks.') }],
      });
    }
  });
});
