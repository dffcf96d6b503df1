import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newTask, type TaskRecord } from '../../../src/runtime/tasks/task-record.ts';
import { until, usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

const MANY = { total: 100, perSubject: 100, withoutSubject: 100 };

function taskOf(taskId: string, now: number, subject?: string, ttl = 1000): TaskRecord {
  const facts = { taskId, subject, runner: 'r', statusMessage: undefined };
  return newTask(facts, { ttl, pollInterval: 1 }, now);
}

async function start() {
  const app = randomUUID();
  const { ports, pass } = await database.openTimed(app);
  return { store: ports.tasks, other: (await database.open(app)).tasks, pass };
}

test('the next version replaces a task, once, and no other', async () => {
  const { store, other } = await start();
  const task = taskOf('a', Date.now());
  await store.create(task, MANY);
  expect(await store.update({ ...task, version: 1 })).toBe(false);
  expect(await store.update({ ...task, version: 3 })).toBe(false);
  expect(await store.update({ ...task, taskId: 'b', version: 2 })).toBe(false);
  const updates = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? store : other).update({ ...task, version: 2, statusMessage: String(index) }),
  );
  const done = await Promise.all(updates);
  expect(done.filter(Boolean)).toHaveLength(1);
  expect(await other.get('a')).toEqual({ ...task, version: 2, statusMessage: String(done.indexOf(true)) });
});

test('as many tasks are taken as may be, of each subject and in all, also of many at once', async () => {
  const { store, other, pass } = await start();
  const limits = { total: 3, perSubject: 2, withoutSubject: 2 };
  const add = (taskId: string, subject?: string): Promise<boolean> =>
    store.create(taskOf(taskId, Date.now(), subject), limits);
  expect([await add('a', 's'), await add('b', 's'), await add('c', 's')]).toEqual([true, true, false]);
  expect([await add('d'), await add('e')]).toEqual([true, false]);
  await pass(1000);
  expect(await store.get('a')).toBeUndefined();
  expect(await store.list('s', { limit: 10 })).toEqual([]);
  const made = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? store : other).create(taskOf(`many ${index}`, Date.now(), String(index % 4)), limits),
  );
  expect((await Promise.all(made)).filter(Boolean)).toHaveLength(3);
});

test('a hundredth of the tasks makes room at once, those that were done first', async () => {
  const { store } = await start();
  const limits = { total: 200, perSubject: 200, withoutSubject: 200 };
  const add = (taskId: string, status: TaskRecord['status'] = 'completed'): Promise<boolean> =>
    store.create({ ...taskOf(taskId, Date.now(), 's', 600_000), status }, limits);
  await add('runs', 'working');
  for (let index = 0; index < 199; index += 1) await add(`done ${String(index)}`);
  const ids = ['runs', 'done 0', 'done 1', 'done 2', 'next'];
  const found = () => Promise.all(ids.map(async (taskId) => (await store.get(taskId)) !== undefined));
  expect(await add('next')).toBe(true);
  expect(await found()).toEqual([true, false, false, true, true]);
  // What was given up more is room for the one after it
  expect(await add('last')).toBe(true);
  expect(await found()).toEqual([true, false, false, true, true]);
});

test('the tasks of a subject are listed from the oldest on, a page at a time', async () => {
  const { store } = await start();
  const now = Date.now() + 0.5;
  const ages = { c: 2, b: 1, a: 1, d: 3 };
  for (const [id, age] of Object.entries(ages)) await store.create(taskOf(id, now + age, 's', 10_000), MANY);
  await store.create(taskOf('x', now, 'other'), MANY);
  const ids = async (after?: { createdAt: number; taskId: string }): Promise<string[]> => {
    const page = { limit: 2, ...(after === undefined ? {} : { after }) };
    return (await store.list('s', page)).map(({ taskId }) => taskId);
  };
  expect(await ids()).toEqual(['a', 'b']);
  expect(await ids({ createdAt: now + 1, taskId: 'b' })).toEqual(['c', 'd']);
  expect(await ids({ createdAt: now + 3, taskId: 'd' })).toEqual([]);
});

test('every change is reported to those who watch the task, in all instances', async () => {
  const { store, other } = await start();
  const heard: string[] = [];
  const stops: ((() => void) | undefined)[] = [];
  for (const id of ['a', 'c']) stops.push(await other.watch?.(id, () => heard.push(id)));
  const task = taskOf('a', Date.now());
  for (const id of ['a', 'b', 'c']) await store.create(taskOf(id, Date.now()), MANY);
  await store.update({ ...task, version: 2 });
  await store.update({ ...task, version: 2 });
  await store.update({ ...task, taskId: 'b', version: 2 });
  await store.delete('a');
  await store.delete('a');
  await store.update({ ...task, taskId: 'c', version: 2 });
  await until(() => heard.includes('c'));
  for (const stop of stops) stop?.();
  expect(heard).toEqual(['a', 'a', 'c']);
  expect(await other.get('a')).toBeUndefined();
});

describe('when there is no room', () => {
  const limits = { total: 6, perSubject: 3, withoutSubject: 3 };

  test('tasks that are done make it: those of the same subject, or of the one with the most', async () => {
    const { store } = await start();
    const add = (taskId: string, subject?: string): Promise<boolean> =>
      store.create(taskOf(taskId, Date.now(), subject, 60_000), limits);
    const finish = async (taskId: string): Promise<void> => {
      const task = await store.get(taskId);
      if (task !== undefined) await store.update({ ...task, status: 'completed', version: task.version + 1 });
    };
    const kept = async (...ids: readonly string[]): Promise<readonly string[]> => {
      const found = await Promise.all(ids.map((id) => store.get(id)));
      return ids.filter((_id, index) => found[index] !== undefined);
    };
    for (const id of ['b1', 'b2', 'b3']) expect(await add(id, 'bob')).toBe(true);
    expect(await add('b4', 'bob')).toBe(false);
    await finish('b3');
    await finish('b2');
    expect(await add('b4', 'bob')).toBe(true);
    expect(await kept('b1', 'b2', 'b3', 'b4')).toEqual(['b1', 'b2', 'b4']);
    for (const id of ['n1', 'n2', 'n3']) expect(await add(id)).toBe(true);
    expect(await add('n4')).toBe(false);
    await finish('n1');
    expect(await add('a1', 'ann')).toBe(true);
    await finish('n2');
    expect(await kept('b1', 'b2', 'b4', 'n2', 'n3', 'a1')).toEqual(['b1', 'b4', 'n2', 'n3', 'a1']);
    await add('a2', 'ann');
    expect(await add('e1', 'eve')).toBe(true);
    expect(await kept('b1', 'b4', 'n2', 'n3', 'a1', 'a2')).toEqual(['b1', 'b4', 'n3', 'a1', 'a2']);
  });

  test('tasks that have expired do not count for the one who wants room', async () => {
    const { store, pass } = await start();
    const add = (taskId: string, subject: string, ttl: number): Promise<boolean> =>
      store.create({ ...taskOf(taskId, Date.now(), subject, ttl), status: 'completed' }, limits);
    for (const id of ['a1', 'a2']) await add(id, 'ann', 1000);
    await pass(1000);
    for (const subject of ['bob', 'eve', 'tom'])
      for (const place of ['1', '2']) expect(await add(subject + place, subject, 60_000)).toBe(true);
    expect(await add('a3', 'ann', 60_000)).toBe(true);
  });
});
