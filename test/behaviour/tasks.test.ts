import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsController, JobsModule } from '../support/jobs-module.ts';
import { filledIn, TaskRequests, TASKS } from '../support/task-requests.ts';

describe('tasks of 2026-07-28', () => {
  let app: TestApplication;
  let client: TaskRequests;

  beforeEach(async () => {
    app = await createTestApplication(JobsModule, { name: 'jobs', logger: new MemoryLogger() });
    client = new TaskRequests((request) => app.app.fetch(request));
  });
  afterEach(() => app.close());

  const open = (gate: string): void => {
    app.get(Gates).open(gate);
  };

  test('answers a call with a task that goes on until it has a result', async () => {
    const created = await client.result('tools/call', { name: 'jobs_slow', arguments: { label: 'a' } });
    const { taskId } = created as { readonly taskId: string };
    expect(created).toMatchObject({
      resultType: 'task',
      status: 'working',
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
      ttlMs: 3_600_000,
      pollIntervalMs: 1000,
    });
    for (const member of [
      'task',
      'ttl',
      'pollInterval',
      'result',
      'error',
      'inputRequests',
      'requestState',
    ]) {
      expect(created).not.toHaveProperty(member);
    }
    const working = await client.get(taskId);
    expect(working).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    expect(working).not.toHaveProperty('result');
    open('a');
    const done = await client.end(taskId);
    expect(done).toMatchObject({
      status: 'completed',
      result: { resultType: 'complete', content: [{ type: 'text', text: 'done a' }] },
    });
    expect(JSON.stringify(done['result'])).not.toContain('related-task');
  });

  test('runs a call to its end for a client that does not know tasks', async () => {
    const other = new TaskRequests((request) => app.app.fetch(request), {});
    open('b');
    const result = await other.result('tools/call', { name: 'jobs_slow', arguments: { label: 'b' } });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'done b' }] });
    expect(result).not.toHaveProperty('taskId');
  });

  test('refuses what must be a task to a client that does not know tasks', async () => {
    const other = new TaskRequests((request) => app.app.fetch(request), {});
    const { status, error } = await other.send('tools/call', {
      name: 'jobs_heavy',
      arguments: { label: 'c' },
    });
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
    const taskId = await client.begin('jobs_heavy', { label: 'c' });
    expect(await client.end(taskId)).toMatchObject({ result: { content: [{ text: 'lifted c' }] } });
  });

  test('runs a tool without tasks as usual, whatever the params say of a task', async () => {
    const params = { name: 'jobs_greet', arguments: { name: 'Ada' }, task: { ttl: 1000 } };
    const result = await client.result('tools/call', params);
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'Hello, Ada!' }] });
  });

  test('makes a task of a call also when it looks like the answer to a question', async () => {
    const others = { requestState: 'made up', inputResponses: { who: filledIn({ name: 'Eve' }) } };
    const taskId = await client.begin('jobs_heavy', { label: 'j' }, others);
    expect(await client.end(taskId)).toMatchObject({ result: { content: [{ text: 'lifted j' }] } });
  });

  test('completes a task with a result that is an error, and fails it with a JSON-RPC error', async () => {
    const failing = await client.end(await client.begin('jobs_failing'));
    expect(failing).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: expect.stringContaining('It does not work') }] },
    });
    const broken = await client.end(await client.begin('jobs_broken'));
    expect(broken).toMatchObject({
      status: 'failed',
      statusMessage: 'The line is cut',
      error: { code: -32001, message: 'The line is cut', data: { line: 7 } },
    });
    expect(broken).not.toHaveProperty('result');
  });

  test('answers a call that is not a task with the same JSON-RPC error', async () => {
    const other = new TaskRequests((request) => app.app.fetch(request), {});
    const { error } = await other.send('tools/call', { name: 'jobs_broken', arguments: {} });
    expect(error).toMatchObject({ code: -32001, message: 'The line is cut', data: { line: 7 } });
  });

  test('makes a task of a call with wrong arguments, which is completed with what is wrong', async () => {
    const done = await client.end(await client.begin('jobs_slow', { label: 5 }));
    expect(done).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: expect.stringContaining('label') }] },
    });
  });

  test('cancels a task, as often as the client likes', async () => {
    const taskId = await client.begin('jobs_slow', { label: 'd' });
    const ack = await client.result('tasks/cancel', { taskId });
    expect(ack['resultType']).toBe('complete');
    expect(ack).not.toHaveProperty('status');
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(app.get(JobsController).aborted).toEqual(['d: The task was cancelled']);
    await client.result('tasks/cancel', { taskId });
    open('d');
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  test('leaves a task as it is that is cancelled too late', async () => {
    const taskId = await client.begin('jobs_heavy', { label: 'e' });
    await client.end(taskId);
    await client.result('tasks/cancel', { taskId });
    expect(await client.get(taskId)).toMatchObject({ status: 'completed' });
  });

  test('asks through the task and goes on with the answer', async () => {
    const taskId = await client.begin('jobs_remove', { label: 'f' });
    const asking = await client.until(taskId, 'input_required');
    const requests = asking['inputRequests'] as Readonly<Record<string, { readonly method: string }>>;
    const [key = ''] = Object.keys(requests);
    expect(requests[key]).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Delete f?' },
    });
    const ack = await client.update(taskId, { [key]: filledIn({ confirm: true }) });
    expect(ack['resultType']).toBe('complete');
    expect(ack).not.toHaveProperty('status');
    expect(await client.end(taskId)).toMatchObject({ result: { content: [{ text: 'deleted f' }] } });
  });

  test('asks again, under another key, when an answer does not fit', async () => {
    const taskId = await client.begin('jobs_remove', { label: 'g' });
    const keys = new Set<string>();
    const wrong = [filledIn({ confirm: 'perhaps' }), { action: 'perhaps' }, { roots: [] }];
    for (const answer of wrong) {
      const asking = await client.until(taskId, 'input_required');
      const [key = ''] = Object.keys(asking['inputRequests'] as object);
      expect(keys.has(key)).toBe(false);
      keys.add(key);
      await client.update(taskId, { [key]: answer });
    }
    const asking = await client.until(taskId, 'input_required');
    const [key = ''] = Object.keys(asking['inputRequests'] as object);
    await client.update(taskId, { [key]: { action: 'decline' } });
    expect(await client.end(taskId)).toMatchObject({ result: { content: [{ text: 'kept g' }] } });
  });

  test('takes answers one by one, and ignores those to nothing that it asks', async () => {
    const taskId = await client.begin('jobs_both');
    let asking = await client.until(taskId, 'input_required');
    while (Object.keys(asking['inputRequests'] as object).length < 2) asking = await client.get(taskId);
    await client.update(taskId, { who: filledIn({ name: 'Ada' }), other: filledIn({}), __proto__: {} });
    const rest = await client.get(taskId);
    expect(rest).toMatchObject({ status: 'input_required' });
    expect(Object.keys(rest['inputRequests'] as object)).toEqual(['sure']);
    await client.update(taskId, { who: filledIn({ name: 'Eve' }), sure: filledIn({ confirm: true }) });
    const done = await client.end(taskId);
    expect(done).toMatchObject({ result: { content: [{ text: '[{"name":"Ada"},{"confirm":true}]' }] } });
  });

  test('asks for a call first and through the task later, where the handler decides when', async () => {
    const call = { name: 'jobs_greetLater', arguments: {} };
    const first = await client.result('tools/call', call);
    expect(first).toMatchObject({ resultType: 'input_required' });
    expect(first).not.toHaveProperty('taskId');
    const [key = ''] = Object.keys(first['inputRequests'] as object);
    const answered = {
      ...call,
      inputResponses: { [key]: filledIn({ name: 'Alice' }) },
      ...(first['requestState'] === undefined ? {} : { requestState: first['requestState'] }),
    };
    const created = await client.result('tools/call', answered);
    expect(created).toMatchObject({ resultType: 'task', statusMessage: 'Greeting Alice' });
    expect(created).not.toHaveProperty('requestState');
    expect(created).not.toHaveProperty('inputRequests');
    const taskId = created['taskId'] as string;
    const asking = await client.until(taskId, 'input_required');
    expect(await client.result('tools/call', answered)).toEqual(created);
    const [later = ''] = Object.keys(asking['inputRequests'] as object);
    await client.update(taskId, { [later]: { action: 'cancel' } });
    expect(await client.end(taskId)).toMatchObject({
      result: { content: [{ text: 'Hello, Alice, cancel!' }] },
    });
  });

  test('reports progress with the status', async () => {
    const taskId = await client.begin('jobs_steps', { label: 'h' }, { _meta: {} });
    let task = await client.get(taskId);
    while (task['statusMessage'] === undefined) task = await client.get(taskId);
    expect(task['statusMessage']).toBe('1 of 2');
    open('h 1');
    while (task['statusMessage'] === '1 of 2') task = await client.get(taskId);
    expect(task['statusMessage']).toBe('nearly there');
    open('h 2');
    expect(await client.end(taskId)).toMatchObject({ status: 'completed' });
  });

  test('says of a handler that becomes a task by surprise what its action lacks', async () => {
    const result = await client.result('tools/call', { name: 'jobs_surprise', arguments: {} });
    expect(JSON.stringify(result)).toContain("task: 'on-demand'");
    expect(result['isError']).toBe(true);
  });

  test('runs an action that is a task inside the process as any other', async () => {
    expect(await app.call('jobs_heavy', { label: 'i' })).toMatchObject({ content: [{ text: 'lifted i' }] });
    expect(await app.call('jobs_surprise')).toMatchObject({ content: [{ text: 'surprise' }] });
  });
});
