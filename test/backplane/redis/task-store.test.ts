import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import type { TaskRecord, TaskStore } from 'toolwright';
import { newTask } from '../../../src/runtime/tasks/task-record.ts';
import { CLIENTS, openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { useRedis } from '../../support/services/use-services.ts';

const redis = useRedis();
const MANY = { total: 1000, perSubject: 1000, withoutSubject: 1000 };

function taskOf(taskId: string, subject?: string, createdAt = Date.now()): TaskRecord {
  const facts = { taskId, subject, runner: 'r', statusMessage: undefined };
  return newTask(facts, { ttl: 60_000, pollInterval: 1 }, createdAt);
}

describe.each(Object.entries(CLIENTS))('tasks in Redis, with %s', (_library, clientFor) => {
  let opened: OpenedPorts[] = [];

  /** Two instances of a new application. */
  async function start(): Promise<readonly [TaskStore, TaskStore]> {
    const name = `tasks ${randomUUID()}`;
    const pair = [
      await openRedis(clientFor(redis.url), { name }),
      await openRedis(clientFor(redis.url), { name }),
    ] as const;
    opened.push(...pair);
    return [pair[0].ports.tasks, pair[1].ports.tasks];
  }

  beforeAll(() => {
    opened = [];
  });

  afterAll(() => Promise.all(opened.map(({ ports }) => ports.close())));

  test('are there in every instance at once, and change by version', async () => {
    const [one, other] = await start();
    const task = taskOf('a', 'ann');
    expect(await one.create(task, MANY)).toBe(true);
    expect(await other.get('a')).toEqual(task);
    expect(await other.get('b')).toBeUndefined();
    expect(await one.update({ ...task, version: 1 })).toBe(false);
    expect(await one.update({ ...task, version: 3 })).toBe(false);
    expect(await one.update({ ...task, taskId: 'b', version: 2 })).toBe(false);
    const changes = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : other).update({ ...task, statusMessage: String(index), version: 2 }),
    );
    expect((await Promise.all(changes)).filter((isDone) => isDone)).toHaveLength(1);
    expect(await other.get('a')).toMatchObject({ version: 2 });
  });

  test('are reported when they change, to those who watch them, in every instance', async () => {
    const [one, other] = await start();
    const told: string[] = [];
    const stops: ((() => void) | undefined)[] = [];
    for (const id of ['a', 'last']) stops.push(await other.watch?.(id, () => void told.push(id)));
    const task = taskOf('a', 'ann');
    for (const id of ['a', 'b', 'last']) await one.create(taskOf(id, 'ann'), MANY);
    await one.update({ ...task, version: 2 });
    await one.update({ ...task, taskId: 'b', version: 2 });
    await one.delete('a');
    await one.update({ ...task, taskId: 'last', version: 2 });
    while (!told.includes('last')) await pass(10);
    expect(told).toEqual(['a', 'a', 'last']);
    for (const stop of stops) stop?.();
  });

  test('are listed by subject from the oldest on', async () => {
    const [one, other] = await start();
    const now = Date.now();
    for (const [id, age] of [
      ['c', 2],
      ['b', 1],
      ['a', 1],
      ['d', 3],
    ] as const)
      await one.create(taskOf(id, 'ann', now + age), MANY);
    await one.create(taskOf('x', 'bob', now), MANY);
    await one.create(taskOf('y', undefined, now), MANY);
    const ids = async (after?: { createdAt: number; taskId: string }): Promise<string[]> => {
      const page = { limit: 2, ...(after === undefined ? {} : { after }) };
      return (await other.list('ann', page)).map(({ taskId }) => taskId);
    };
    expect(await ids()).toEqual(['a', 'b']);
    expect(await ids({ createdAt: now + 1, taskId: 'b' })).toEqual(['c', 'd']);
    expect(await ids({ createdAt: now + 3, taskId: 'd' })).toEqual([]);
    expect(await one.list('eve', { limit: 2 })).toEqual([]);
  });

  test('are listed in pages, however many there are', async () => {
    const [one] = await start();
    for (let index = 0; index < 230; index += 1)
      await one.create(taskOf(`task ${String(index).padStart(3, '0')}`, 'ann', 1_700_000_000_000), MANY);
    const found: string[] = [];
    let after: TaskRecord | undefined;
    for (;;) {
      const page = await one.list('ann', { limit: 40, ...(after === undefined ? {} : { after }) });
      found.push(...page.map(({ taskId }) => taskId));
      after = page.at(-1);
      if (page.length < 40) break;
    }
    expect(found).toEqual(
      Array.from({ length: 230 }, (_, index) => `task ${String(index).padStart(3, '0')}`),
    );
  });

  test('are as many as there may be, however many come at once', async () => {
    const [one, other] = await start();
    const limits = { total: 15, perSubject: 10, withoutSubject: 5 };
    const create = (subject: string | undefined) =>
      Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          (index % 2 === 0 ? one : other).create(taskOf(randomUUID(), subject), limits),
        ),
      );
    const created = async (subject?: string) => (await create(subject)).filter((isDone) => isDone).length;
    expect(await created('ann')).toBe(10);
    expect(await created()).toBe(5);
    expect(await created('bob')).toBe(0);
  });

  test('that are done make room: of the same owner, or of the one with the most', async () => {
    const [one, other] = await start();
    const limits = { total: 6, perSubject: 3, withoutSubject: 3 };
    const add = (id: string, subject?: string) => one.create(taskOf(id, subject), limits);
    const finish = async (id: string): Promise<void> => {
      const task = await other.get(id);
      if (task !== undefined) await other.update({ ...task, status: 'completed', version: task.version + 1 });
    };
    const kept = async (...ids: readonly string[]): Promise<readonly string[]> => {
      const found = await Promise.all(ids.map((id) => one.get(id)));
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
    expect((await kept('b1', 'b2', 'b4', 'n1', 'n2', 'n3', 'a1')).length).toBe(6);
    await add('a2', 'ann');
    expect(await add('e1', 'eve')).toBe(true);
    expect(await kept('b1', 'b4', 'n3', 'a1', 'a2', 'e1')).toEqual(['b1', 'b4', 'n3', 'a1', 'a2', 'e1']);
  });

  test('that are done make no room for an owner with more tasks than theirs', async () => {
    const [one] = await start();
    const limits = { total: 4, perSubject: 9, withoutSubject: 9 };
    for (const id of ['b1', 'b2', 'b3']) await one.create(taskOf(id, 'bob'), limits);
    const done = taskOf('a1', 'ann');
    await one.create(done, limits);
    await one.update({ ...done, status: 'failed', version: 2 });
    expect(await one.create(taskOf('b4', 'bob'), limits)).toBe(false);
    expect(await one.create(taskOf('e1', 'eve'), limits)).toBe(true);
    expect(await one.get('a1')).toBeUndefined();
  });
});
