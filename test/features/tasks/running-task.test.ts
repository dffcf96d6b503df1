import { describe, expect, test } from '@jest/globals';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { InMemoryTaskStore, type TaskStore } from '../../../src/runtime/tasks/task-store.ts';
import { LEASE } from '../../../src/runtime/tasks/task-record.ts';
import { text } from '../../support/fake-application.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { taskBench, Work } from '../../support/running-tasks.ts';

describe('a call that may become a task', () => {
  test('gives its result when it never does', async () => {
    const { begin, tasks } = taskBench();
    const running = begin();
    const work = new Work();
    const answer = running.run(work.run);
    work.end(text('quick'));
    expect(await answer).toEqual({ kind: 'result', result: text('quick') });
    await expect(tasks.find(running.taskId, undefined)).rejects.toMatchObject({ code: -32602 });
  });

  test('fails like any other when it never does', async () => {
    const work = new Work();
    const answer = taskBench().begin().run(work.run);
    work.fail(new Error('broken'));
    await expect(answer).rejects.toThrow('broken');
  });

  test('is aborted with its request until it becomes one, and not afterwards', async () => {
    const { begin } = taskBench();
    const gone = new AbortController();
    const [before, after] = [new Work(), new Work()];
    const early = begin({ signal: gone.signal }).run(before.run);
    const late = begin({ signal: gone.signal }).run(after.run);
    await after.given.startTask();
    await late;
    gone.abort(new Error('gone'));
    expect([before.given.signal.aborted, after.given.signal.aborted]).toEqual([true, false]);
    before.end();
    after.end();
    await early;
  });

  test('is not aborted with a request that was gone before, when it is a task from its beginning', async () => {
    const { begin } = taskBench();
    const running = begin({ signal: AbortSignal.abort() });
    const work = new Work();
    await running.start();
    await running.run(work.run);
    expect(work.given.signal.aborted).toBe(false);
    work.end();
  });

  test('is a task from then on when its handler does not wait for that', async () => {
    const clock = new ManualClock();
    const memory = new InMemoryTaskStore(clock);
    const slow: TaskStore = {
      create: (task, limits) => settle().then(() => memory.create(task, limits)),
      get: (taskId) => memory.get(taskId),
      update: (task) => memory.update(task),
      list: (subject, page) => memory.list(subject, page),
      delete: (taskId) => memory.delete(taskId),
    };
    const { begin, tasks } = taskBench({ store: slow }, clock);
    const running = begin();
    const work = new Work();
    const answer = running.run(work.run);
    void work.given.startTask('in passing');
    work.end();
    expect(await answer).toMatchObject({ kind: 'task', task: { statusMessage: 'in passing' } });
    await running.ended;
    expect(await tasks.find(running.taskId, undefined)).toMatchObject({ status: 'completed' });
  });

  test('is started once, and a second message replaces the first', async () => {
    const { begin, tasks } = taskBench();
    const running = begin();
    const work = new Work();
    const answer = running.run(work.run);
    await Promise.all([work.given.startTask('one'), work.given.startTask(), work.given.startTask('two')]);
    await answer;
    const [task] = await tasks.list('nobody', { limit: 5 });
    expect(task).toBeUndefined();
    expect(await tasks.find(running.taskId, undefined)).toMatchObject({ statusMessage: 'two' });
    work.end();
  });

  test('fails the handler and goes on without a task where there are too many', async () => {
    const { begin } = taskBench({ maxTasks: 1 });
    await begin().start();
    const running = begin();
    const work = new Work();
    const answer = running.run(work.run);
    await expect(work.given.startTask()).rejects.toMatchObject({ code: 'TASK_LIMIT' });
    work.end();
    expect(await answer).toMatchObject({ kind: 'result' });
  });
});

describe('a running task', () => {
  async function started(bench = taskBench(), others = {}) {
    const running = bench.begin(others);
    const work = new Work();
    await running.start();
    await running.run(work.run);
    return { ...bench, running, work, taskId: running.taskId };
  }

  test('fails with the JSON-RPC error that ended it, and with nothing of any other error', async () => {
    const declared = await started();
    declared.work.fail(new ProtocolError(-32099 + 200, 'cut', { line: 1 }));
    await declared.running.ended;
    expect((await declared.tasks.find(declared.taskId, undefined)).outcome).toEqual({
      kind: 'error',
      error: { code: -31899, message: 'cut', data: { line: 1 } },
    });
    const hidden = await started();
    hidden.work.fail(new Error('password: 1234'));
    await hidden.running.ended;
    const task = await hidden.tasks.find(hidden.taskId, undefined);
    expect(task).toMatchObject({ status: 'failed', outcome: { error: { code: -32603 } } });
    expect(JSON.stringify(task)).not.toContain('1234');
    expect(hidden.logger.records).toMatchObject([{ event: 'task.escaped' }]);
  });

  test('fails when its result cannot be kept, or is a question of the call', async () => {
    for (const result of [
      { content: [], structuredContent: { size: 1n } },
      { resultType: 'input_required' },
    ]) {
      const { running, work, tasks, taskId } = await started();
      work.end(result);
      await running.ended;
      expect(await tasks.find(taskId, undefined)).toMatchObject({ status: 'failed' });
    }
  });

  test('keeps nothing that the handler changes afterwards', async () => {
    const { running, work, tasks, taskId } = await started();
    const result = { content: [{ type: 'text', text: 'as it was' }] };
    work.end(result);
    await running.ended;
    (result.content[0] as { text: string }).text = 'changed';
    expect(JSON.stringify(await tasks.find(taskId, undefined))).toContain('as it was');
  });

  test('is forgotten when it has expired, and its handler is aborted', async () => {
    const { work, clock, tasks, taskId } = await started(taskBench({ ttl: 50_000 }), { ttl: 30_000 });
    await clock.advance(29_999);
    expect(await tasks.find(taskId, undefined)).toMatchObject({ ttl: 30_000 });
    expect(work.given.signal.aborted).toBe(false);
    await clock.advance(1);
    await expect(tasks.find(taskId, undefined)).rejects.toMatchObject({ code: -32602 });
    await clock.advance(LEASE / 3);
    expect(work.given.signal.aborted).toBe(true);
    work.end();
  });

  test('cannot be failed by others as long as its process lives', async () => {
    const clock = new ManualClock();
    const store = new InMemoryTaskStore(clock);
    const { work, taskId, running } = await started(taskBench({ store }, clock));
    const other = taskBench({ store }, clock);
    for (let minute = 0; minute < 10; minute += 1) {
      for (let third = 0; third < 3; third += 1) await clock.advance(LEASE / 3);
      expect(await other.tasks.find(taskId, undefined)).toMatchObject({ status: 'working' });
    }
    work.end();
    await running.ended;
    expect(await other.tasks.find(taskId, undefined)).toMatchObject({ status: 'completed' });
  });

  test('goes on when its process slept for longer than it may be silent', async () => {
    const { clock, tasks, taskId, work } = await started();
    await clock.advance(LEASE * 3);
    expect(await tasks.find(taskId, undefined)).toMatchObject({ status: 'working' });
    expect(work.given.signal.aborted).toBe(false);
    work.end();
  });

  test('is failed by others when its process is gone', async () => {
    const clock = new ManualClock();
    const memory = new InMemoryTaskStore(clock);
    let isDead = false;
    const dying: TaskStore = {
      create: (task, limits) => memory.create(task, limits),
      get: (taskId) => memory.get(taskId),
      update: (task) => (isDead ? Promise.reject(new Error('dead')) : memory.update(task)),
      list: (subject, page) => memory.list(subject, page),
      delete: (taskId) => memory.delete(taskId),
    };
    const { taskId, work } = await started(taskBench({ store: dying }, clock));
    const other = taskBench({ store: memory }, clock);
    isDead = true;
    await clock.advance(LEASE);
    expect(await other.tasks.find(taskId, undefined)).toMatchObject({ status: 'working' });
    await clock.advance(1);
    expect(await other.tasks.find(taskId, undefined)).toMatchObject({
      status: 'failed',
      outcome: { kind: 'error', error: { code: -32603, message: expect.stringContaining('stopped') } },
    });
    await clock.advance(LEASE);
    expect(work.given.signal.aborted).toBe(true);
    work.end();
  });

  test('outlives a store that does not answer for a while', async () => {
    const clock = new ManualClock();
    const memory = new InMemoryTaskStore(clock);
    let isBroken = false;
    const flaky: TaskStore = {
      create: (task, limits) => memory.create(task, limits),
      get: (taskId) => (isBroken ? Promise.reject(new Error('no answer')) : memory.get(taskId)),
      update: (task) => memory.update(task),
      list: (subject, page) => memory.list(subject, page),
      delete: (taskId) => memory.delete(taskId),
    };
    const { work, tasks, taskId, logger, running } = await started(
      taskBench({ store: flaky, pollInterval: 100 }, clock),
    );
    isBroken = true;
    await clock.advance(100);
    await clock.advance(100);
    expect(logger.records.map(({ event }) => event)).toContain('task.store-failed');
    isBroken = false;
    const answered = work.given.request('roots/list', {}, { name: 'q' });
    await settle();
    await tasks.answer(taskId, undefined, { q: { value: { roots: [] } } });
    await clock.advance(100);
    await clock.advance(100);
    expect(await answered).toEqual({ roots: [] });
    isBroken = true;
    work.end();
    await settle();
    expect(logger.records.map(({ event }) => event)).not.toContain('task.lost');
    isBroken = false;
    await clock.advance(100);
    await running.ended;
    expect(await tasks.find(taskId, undefined)).toMatchObject({ status: 'completed' });
  });

  test('is lost when its store takes no outcome until others may take it over', async () => {
    const clock = new ManualClock();
    const store = new InMemoryTaskStore(clock);
    const { work, logger, running } = await started(taskBench({ store, pollInterval: LEASE }, clock));
    store.update = () => Promise.reject(new Error('no answer'));
    work.end();
    await settle();
    expect(logger.records.map(({ event }) => event)).not.toContain('task.lost');
    await clock.advance(LEASE);
    await running.ended;
    expect(logger.records.map(({ event }) => event)).toContain('task.lost');
  });

  test('leaves neither timers nor listeners behind', async () => {
    const clock = new ManualClock();
    // The store waits for its end with a clock of its own
    const bench = taskBench({ store: new InMemoryTaskStore(new ManualClock()) }, clock);
    const { running, work } = await started(bench);
    work.end();
    await running.ended;
    await settle();
    expect(clock.timers).toBe(0);
  });
});
