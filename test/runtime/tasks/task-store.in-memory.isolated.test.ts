import { describe, expect, test } from '@jest/globals';
import { InMemoryTaskStore } from '../../../src/runtime/tasks/task-store.ts';
import { newTask, type TaskRecord } from '../../../src/runtime/tasks/task-record.ts';
import { Executions } from '../../support/executions.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const LIMITS = { total: 3, perSubject: 2, withoutSubject: 2 };

function taskOf(taskId: string, now: number, subject?: string, ttl = 1000): TaskRecord {
  const facts = { taskId, subject, runner: 'r', statusMessage: undefined };
  return newTask(facts, { ttl, pollInterval: 1 }, now);
}

describe('the store in memory', () => {
  test('takes as many tasks as it may, of each subject and in all', async () => {
    const clock = new ManualClock();
    const store = new InMemoryTaskStore(clock);
    const add = (taskId: string, subject?: string): Promise<boolean> =>
      store.create(taskOf(taskId, clock.now(), subject), LIMITS);
    expect([await add('a', 's'), await add('b', 's'), await add('c', 's')]).toEqual([true, true, false]);
    expect([await add('d'), await add('e')]).toEqual([true, false]);
    await clock.advance(1000);
    expect(await add('f', 's')).toBe(true);
    expect(await store.get('a')).toBeUndefined();
  });

  test('forgets what has expired without being asked, and then waits for nothing', async () => {
    const clock = new ManualClock();
    const store = new InMemoryTaskStore(clock);
    await store.create(taskOf('short', clock.now(), undefined, 2000), LIMITS);
    await store.create(taskOf('long', clock.now(), undefined, 9000), LIMITS);
    const gone: string[] = [];
    for (const taskId of ['short', 'long']) await store.watch(taskId, () => gone.push(taskId));
    await clock.advance(2000);
    expect(gone).toEqual(['short']);
    await clock.advance(7000);
    expect(gone).toEqual(['short', 'long']);
    expect(clock.timers).toBe(0);
  });

  test('deletes a task, and reports it to its listeners', async () => {
    const store = new InMemoryTaskStore();
    const told: string[] = [];
    const stops = [
      await store.watch('a', () => told.push('a')),
      await store.watch('b', () => told.push('b')),
    ];
    await store.create(taskOf('a', Date.now()), LIMITS);
    await store.delete('a');
    await store.delete('a');
    for (const stop of stops) stop();
    await store.create(taskOf('b', Date.now()), LIMITS);
    expect(told).toEqual(['a', 'a']);
    expect(await store.get('a')).toBeUndefined();
  });

  test('where there is no room, tasks that are done make it', async () => {
    const store = new InMemoryTaskStore(new ManualClock());
    const clock = new ManualClock();
    const limits = { total: 6, perSubject: 3, withoutSubject: 3 };
    const add = (taskId: string, subject?: string): Promise<boolean> =>
      store.create(taskOf(taskId, clock.now(), subject), limits);
    const finish = async (taskId: string): Promise<void> => {
      const task = await store.get(taskId);
      if (task !== undefined) await store.update({ ...task, status: 'completed', version: task.version + 1 });
    };
    const kept = async (...ids: readonly string[]): Promise<readonly string[]> => {
      const found = await Promise.all(ids.map((id) => store.get(id)));
      return ids.filter((_id, index) => found[index] !== undefined);
    };

    // The tasks of a subject that were done first make it, and never those that run
    for (const id of ['b1', 'b2', 'b3']) expect(await add(id, 'bob')).toBe(true);
    expect(await add('b4', 'bob')).toBe(false);
    await finish('b3');
    await finish('b2');
    expect(await add('b4', 'bob')).toBe(true);
    expect(await kept('b1', 'b2', 'b3', 'b4')).toEqual(['b1', 'b2', 'b4']);

    // Those without an owner share one quota, which leaves room for others
    for (const id of ['n1', 'n2', 'n3']) expect(await add(id)).toBe(true);
    expect(await add('n4')).toBe(false);
    await finish('n1');
    expect(await add('a1', 'ann')).toBe(true);

    // It is taken from whom has the most
    await finish('n2');
    expect(await kept('b1', 'b2', 'b4', 'n2', 'n3', 'a1')).toEqual(['b1', 'b4', 'n2', 'n3', 'a1']);
    await add('a2', 'ann');
    expect(await add('e1', 'eve')).toBe(true);
    expect(await kept('b1', 'b4', 'n2', 'n3', 'a1', 'a2')).toEqual(['b1', 'b4', 'n3', 'a1', 'a2']);
  });

  test('makes tasks as fast when it is full as when it is empty', async () => {
    const executions = new Executions('src/runtime/tasks/task-store.ts');
    await executions.start();
    const store = new InMemoryTaskStore(new ManualClock());
    const limits = { total: 20_000, perSubject: 20_000, withoutSubject: 20_000 };
    let count = 0;
    const make = async (until: number): Promise<number> => {
      const made: Promise<boolean>[] = [];
      const work = await executions.during(() => {
        for (; count < until; count += 1) made.push(store.create(taskOf(String(count), 0, 's', 1e6), limits));
      });
      expect(new Set(await Promise.all(made))).toEqual(new Set([true]));
      return work;
    };
    await make(2000);
    const few = await make(4000);
    await make(18_000);
    const full = await make(20_000);
    executions.stop();
    expect(few).toBeGreaterThan(0);
    expect(full).toBeLessThan(2 * few);
  });
});
