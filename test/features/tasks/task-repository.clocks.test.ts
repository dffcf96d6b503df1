import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { InMemoryTaskStore, InMemoryWorkQueue, type TaskStore } from '../../../src/index.ts';
import { LEASE } from '../../../src/runtime/tasks/task-record.ts';
import { systemClock, type TaskClock } from '../../../src/runtime/tasks/task-store.ts';
import { TaskRunner } from '../../../src/features/tasks/task-runner.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { usePostgresSchema } from '../../support/postgres-backplane.ts';
import { CLIENTS, openRedis } from '../../support/redis-ports.ts';
import { taskBench, Work } from '../../support/running-tasks.ts';
import { useRedis } from '../../support/services/use-services.ts';

const HOUR = 3_600_000;
const redis = useRedis();
const database = usePostgresSchema();
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

const skewed = (clock: TaskClock, ahead: number): TaskClock => ({
  now: () => clock.now() + ahead,
  after: (milliseconds, run) => clock.after(milliseconds, run),
});

const STORES: Readonly<Record<string, () => Promise<readonly [TaskStore, TaskStore]>>> = {
  'in memory': async () => {
    const store = new InMemoryTaskStore();
    return [store, store];
  },
  'on Redis': async () => {
    const [name, clientFor] = [`clocks ${randomUUID()}`, CLIENTS['ioredis']];
    const open = async (): Promise<TaskStore> => {
      const { ports } = await openRedis(clientFor?.(redis.url) as never, { name });
      closing.push(() => ports.close());
      return ports.tasks;
    };
    return [await open(), await open()];
  },
  'on PostgreSQL': async () => {
    const name = randomUUID();
    return [(await database.open(name)).tasks, (await database.open(name)).tasks];
  },
};

const CALL = {
  ...{ params: { name: 'a' }, requestId: 1, meta: {} },
  client: { info: undefined, capabilities: {} },
} as never;

describe.each(Object.entries(STORES))('tasks %s', (_where, open) => {
  test.each([
    ['the reader an hour ahead', 0, HOUR],
    ['the reader an hour behind', 0, -HOUR],
    ['the one that runs it an hour ahead', HOUR, 0],
    ['the one that runs it an hour behind', -HOUR, 0],
  ])('are left to the process that runs them, %s', async (_which, own, others) => {
    const [first, second] = await open();
    const one = taskBench({ store: first }, undefined, skewed(systemClock, own));
    const other = taskBench({ store: second }, undefined, skewed(systemClock, others));
    const [running, work] = [one.begin({ subject: 'ann' }), new Work()];
    await running.start();
    await running.run(work.run);
    const { taskId } = running;
    await running.start('half of it');
    expect(await other.tasks.find(taskId, 'ann')).toMatchObject({ status: 'working' });
    expect(await other.tasks.list('ann', { limit: 9 })).toMatchObject([{ taskId, status: 'working' }]);
    await other.tasks.answer(taskId, 'ann', {});
    work.end();
    await running.ended;
    expect(await other.tasks.find(taskId, 'ann')).toMatchObject({ status: 'completed' });
  });

  test.each([0, HOUR])('of a queue stay with their worker, where a reader is %d ms ahead', async (ahead) => {
    const [first, second] = await open();
    const queues = new InMemoryWorkQueue(new MemoryLogger());
    const logger = new MemoryLogger();
    const one = new TaskRunner({ queues }, logger, { store: first });
    const other = new TaskRunner({ queues }, logger, { store: second, clock: skewed(systemClock, ahead) });
    const terms = { subject: 'ann', ttl: undefined };
    const { taskId } = await other.enqueue('q', CALL, terms);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let entered = (): void => undefined;
    const begun = new Promise<void>((resolve) => (entered = resolve));
    const worker = await one.work(
      async ({ task }) => {
        entered();
        await ended;
        (task as { enter?: () => void }).enter?.();
        return { kind: 'result', value: { content: [] }, encoded: undefined };
      },
      { queues: ['q'], concurrency: 1 },
    );
    await begun;
    const found = await other.find(taskId, 'ann');
    expect(found.work).toMatchObject({ is: 'taken', fence: 1 });
    expect(Math.abs(found.createdAt - systemClock.now())).toBeLessThan(HOUR / 2);
    end();
    await worker.stop();
    expect(await other.find(taskId, 'ann')).toMatchObject({ status: 'completed', work: { fence: 1 } });
  });
});

test('A task whose lease is over by the clock of the store is lost, whatever the clock of its reader says', async () => {
  for (const ahead of [-HOUR, HOUR]) {
    const clock = new ManualClock();
    const store = new InMemoryTaskStore(clock);
    const dead: TaskStore = {
      create: (...given) => store.create(...given),
      get: (...given) => store.get(...given),
      update: () => Promise.reject(new Error('dead')),
      list: (...given) => store.list(...given),
      delete: (...given) => store.delete(...given),
    };
    const one = taskBench({ store: dead }, clock);
    const other = taskBench({ store }, clock, skewed(clock, ahead));
    const [running, work] = [one.begin(), new Work()];
    await running.start();
    await running.run(work.run);
    await other.tasks.clock.known();
    await clock.advance(LEASE);
    expect(await other.tasks.find(running.taskId, undefined)).toMatchObject({ status: 'working' });
    await clock.advance(1);
    expect(await other.tasks.find(running.taskId, undefined)).toMatchObject({ status: 'failed' });
  }
});
