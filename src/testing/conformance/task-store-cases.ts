import assert from 'node:assert/strict';
import type { TaskLimits, TaskRecord, TaskStore } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  atOnce,
  eventually,
  expectForgotten,
  expectLifetime,
  expectTime,
  LARGE_TEXT,
  ODD_KEYS,
  ODD_TEXT,
  portConformance,
  type MakePort,
  type PortCases,
  type Trial,
} from './trial.ts';

const LONG = 60_000;
const HOUR = 3_600_000;
const MANY: TaskLimits = { total: 1000, perSubject: 1000, withoutSubject: 1000 };

/** A task that has just begun, but for what the facts say. */
function taskOf(trial: Trial<TaskStore>, taskId: string, facts: Partial<TaskRecord> = {}): TaskRecord {
  const now = trial.epoch();
  return {
    v: 1,
    taskId,
    version: 1,
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    ttl: LONG,
    pollInterval: 1000,
    questions: {},
    answers: {},
    runner: 'runner',
    leaseUntil: now + LONG,
    ...facts,
  };
}

async function create(
  trial: Trial<TaskStore>,
  taskId: string,
  facts: Partial<TaskRecord> = {},
  limits = MANY,
): Promise<boolean> {
  return trial.port.create(taskOf(trial, taskId, facts), limits);
}

async function listed(store: TaskStore, subject: string): Promise<string[]> {
  return (await store.list(subject, { limit: 1000 })).map(({ taskId }) => taskId);
}

const CASES: PortCases<TaskStore> = {
  async 'gives a task back as it is, also with characters that only JSON can carry'(trial) {
    const value = { text: `${ODD_TEXT}\u0000 \ud800`, [ODD_TEXT]: [1e-7, null, {}], large: LARGE_TEXT };
    const task = taskOf(trial, 'a', {
      subject: 'ann',
      status: 'completed',
      statusMessage: ODD_TEXT,
      answers: { one: { value } },
      outcome: { kind: 'result', result: { content: [value] } },
    });
    assert.equal(await trial.port.get('a'), undefined);
    assert.equal(await trial.port.create(task, MANY), true);
    const found = (await (await trial.second()).get('a')) ?? {};
    // Not an assertion on the whole task, which would print all of it
    for (const [name, member] of Object.entries(task)) {
      const is: unknown = Reflect.get(found, name);
      assert.ok(JSON.stringify(is) === JSON.stringify(member), `the member ${name} came back as another one`);
    }
    assert.deepEqual(Object.keys(found).sort(), Object.keys(task).sort());
  },
  async 'replaces a task by its next version, and by no other'(trial) {
    const { port } = trial;
    const task = taskOf(trial, 'a', { subject: 'ann' });
    await port.create(task, MANY);
    for (const version of [1, 3]) assert.equal(await port.update({ ...task, version }), false);
    assert.deepEqual(await port.get('a'), task);
    const next = { ...task, version: 2, statusMessage: 'half of it' };
    assert.equal(await port.update(next), true);
    assert.equal(await port.update({ ...next, statusMessage: 'late' }), false);
    assert.deepEqual(await port.get('a'), next);
    assert.deepEqual(await port.list('ann', { limit: 1 }), [next]);
    assert.equal(await port.update({ ...task, taskId: 'unknown', version: 2 }), false);
    assert.equal(await port.get('unknown'), undefined);
  },
  async 'makes one of many changes at once'(trial) {
    const task = taskOf(trial, 'a');
    await trial.port.create(task, MANY);
    const done = await atOnce(trial, (store, index) =>
      store.update({ ...task, version: 2, statusMessage: String(index) }),
    );
    assert.equal(done.filter(Boolean).length, 1);
    assert.equal((await trial.port.get('a'))?.statusMessage, String(done.indexOf(true)));
  },
  async 'lists the tasks of a subject by age and id, page by page'(trial) {
    const now = trial.epoch();
    const ages = { b: 1, a: 1, e: 3, c: 2, B: 1, d: 2 };
    for (const [taskId, age] of Object.entries(ages)) {
      await create(trial, taskId, { subject: 'ann', createdAt: now + age });
    }
    await create(trial, 'of bob', { subject: 'bob', createdAt: now });
    await create(trial, 'of nobody', { createdAt: now });
    const pages: string[][] = [];
    let after: { createdAt: number; taskId: string } | undefined;
    for (let page = 0; page < 5; page += 1) {
      const tasks = await trial.port.list('ann', { limit: 2, ...(after && { after }) });
      pages.push(tasks.map(({ taskId }) => taskId));
      after = tasks.at(-1);
      if (after === undefined) break;
    }
    assert.deepEqual(pages, [['B', 'a'], ['b', 'c'], ['d', 'e'], []]);
    assert.deepEqual(await listed(trial.port, 'bob'), ['of bob']);
    assert.deepEqual(await listed(trial.port, 'eve'), []);
  },
  async 'takes as many tasks as it may, of a subject, of those without one, and in all'(trial) {
    const limits = { total: 4, perSubject: 2, withoutSubject: 1 };
    const add = (taskId: string, subject?: string): Promise<boolean> =>
      create(trial, taskId, subject === undefined ? {} : { subject }, limits);
    assert.deepEqual(
      [await add('a', 'ann'), await add('b', 'ann'), await add('c', 'ann')],
      [true, true, false],
    );
    assert.deepEqual([await add('d'), await add('e')], [true, false]);
    assert.deepEqual([await add('f', 'bob'), await add('g', 'eve')], [true, false]);
    for (const refused of ['c', 'e', 'g']) assert.equal(await trial.port.get(refused), undefined);
    assert.deepEqual(await listed(trial.port, 'ann'), ['a', 'b']);
  },
  async 'takes no more when many are added at once'(trial) {
    const limits = { total: 7, perSubject: 5, withoutSubject: 5 };
    const added = await atOnce(trial, (store, index) =>
      store.create(taskOf(trial, `task ${String(index)}`, { subject: index < 10 ? 'ann' : 'bob' }), limits),
    );
    assert.equal(added.filter(Boolean).length, 7);
    const kept = [...(await listed(trial.port, 'ann')), ...(await listed(trial.port, 'bob'))];
    assert.deepEqual(kept.sort(), added.flatMap((is, index) => (is ? [`task ${String(index)}`] : [])).sort());
  },
  async 'forgets no task that runs to make room'(trial) {
    const limits = { total: 2, perSubject: 2, withoutSubject: 2 };
    await create(trial, 'runs', { subject: 'ann' }, limits);
    await create(trial, 'done', { subject: 'ann', status: 'completed' }, limits);
    await create(trial, 'next', { subject: 'ann' }, limits);
    await create(trial, 'last', { subject: 'ann' }, limits);
    assert.notEqual(await trial.port.get('runs'), undefined);
  },
  async 'forgets a task when its time is over, and not before'(trial) {
    await expectLifetime(trial, {
      begin: (taskId, ttl) => create(trial, taskId, { subject: 'ann', ttl }),
      isThere: async (taskId) => {
        const isFound = (await trial.port.get(taskId)) !== undefined;
        const isListed = (await listed(trial.port, 'ann')).includes(taskId);
        const next = taskOf(trial, taskId, { subject: 'ann', version: 2 });
        return isFound || isListed || trial.port.update(next);
      },
    });
  },
  async 'says the same time to all instances'(trial) {
    await expectTime(trial);
  },
  async 'takes nothing away where the clock of an instance is an hour ahead'(trial) {
    const { port } = trial;
    const other = await trial.second();
    const now = trial.epoch();
    const task = taskOf(trial, 'a', { subject: 'ann' });
    await port.create(task, MANY);
    assert.equal(await other.update({ ...task, version: 2, lastUpdatedAt: now + HOUR }), true);
    assert.equal((await port.get('a'))?.version, 2, 'a change from such an instance ends the task');
    assert.deepEqual(await listed(other, 'ann'), ['a']);
  },
  async 'has room again when the time of a task is over'(trial) {
    const limits = { total: 1, perSubject: 1, withoutSubject: 1 };
    assert.equal(await create(trial, 'a', { ttl: 50 }, limits), true);
    await trial.pass(50);
    // Not every store looks for what is over at each call
    for (let wait = 0; wait < 20 && trial.isExact; wait += 1) await trial.pass(100);
    await eventually(trial, 'a task is taken in place of one whose time is over', () =>
      create(trial, 'b', {}, limits),
    );
  },
  async 'deletes a task, which no change brings back, and has room again'(trial) {
    const limits = { total: 2, perSubject: 1, withoutSubject: 1 };
    await create(trial, 'a', { subject: 'ann' }, limits);
    await create(trial, 'b', { subject: 'bob' }, limits);
    await trial.port.delete('a');
    await trial.port.delete('a');
    await trial.port.delete('unknown');
    assert.equal(await (await trial.second()).get('a'), undefined);
    assert.deepEqual(await listed(trial.port, 'ann'), []);
    const late = taskOf(trial, 'a', { subject: 'ann', version: 2 });
    assert.equal(await trial.port.update(late), false);
    assert.equal(await trial.port.get('a'), undefined);
    assert.deepEqual(await listed(trial.port, 'bob'), ['b']);
    assert.equal(await create(trial, 'c', { subject: 'ann' }, limits), true);
    assert.equal(await create(trial, 'd', { subject: 'eve' }, limits), false);
  },
  async 'reports changes to those who watch the task in all instances, until they stop'(trial) {
    const { port } = trial;
    if (port.watch === undefined) return;
    const other = await trial.second();
    const task = taskOf(trial, 'a');
    await create(trial, 'a');
    await create(trial, 'b');
    const heard = { first: 0, second: 0, stopped: 0, others: 0 };
    const stops = [
      await port.watch('a', () => (heard.first += 1)),
      await other.watch?.('a', () => (heard.second += 1)),
      await port.watch('b', () => (heard.others += 1)),
    ];
    const stop = await port.watch('a', () => (heard.stopped += 1));
    stop();
    await port.update({ ...task, version: 2 });
    const isReported = (): boolean => heard.first * heard.second > 0;
    await eventually(trial, 'a change is reported', isReported);
    heard.first = heard.second = 0;
    await other.delete('a');
    await eventually(trial, 'the end of a task is reported', isReported);
    for (const each of stops) each?.();
    assert.deepEqual([heard.stopped, heard.others], [0, 0], 'only those who watch a task may learn of it');
  },
  async 'adds to the journal of a task with its changes, and gives it in order'(trial) {
    const { port } = trial;
    if (port.journal === undefined) return;
    const other = await trial.second();
    const task = taskOf(trial, 'a', { subject: 'ann' });
    await create(trial, 'a', { subject: 'ann' });
    await create(trial, 'b');
    assert.deepEqual(await port.journal('a'), []);
    assert.equal(await port.update({ ...task, version: 2 }, ['{"n":1}', ODD_TEXT]), true);
    assert.equal(await other.update({ ...task, version: 3 }), true);
    assert.equal(await other.update({ ...task, version: 4 }, ['3']), true);
    assert.equal(await port.update({ ...task, version: 4 }, ['late']), false);
    assert.deepEqual(await port.journal('a'), ['{"n":1}', ODD_TEXT, '3']);
    assert.deepEqual(await other.journal?.('b'), []);
    await port.delete('a');
    assert.deepEqual(await port.journal('a'), []);
    assert.equal(await create(trial, 'a', { subject: 'ann' }), true);
    assert.deepEqual(await port.journal('a'), [], 'a journal outlives its task');
  },
  async 'keeps ids and subjects apart'(trial) {
    for (const key of ODD_KEYS) await create(trial, key, { subject: key });
    for (const key of ODD_KEYS) {
      assert.equal((await trial.port.get(key))?.subject, key);
      assert.deepEqual(await listed(trial.port, key), [key]);
    }
  },
  async 'forgets what belongs to one owner, and nothing else'(trial) {
    const { port } = trial;
    await expectForgotten(
      trial,
      (key) => create(trial, `task ${key}`, { subject: key }),
      async (key) => {
        const found = await port.get(`task ${key}`);
        assert.deepEqual(await listed(port, key), found === undefined ? [] : [`task ${key}`]);
        return found !== undefined;
      },
    );
  },
};

/**
 * What every {@link TaskStore} has to do, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of taskStoreConformance(() => ({ port: new InMemoryTaskStore() }))) test(name, run);
 */
export function taskStoreConformance(make: MakePort<TaskStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
