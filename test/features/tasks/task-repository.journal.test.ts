import { expect, test } from '@jest/globals';
import { InMemoryTaskStore, type TaskRecord } from '../../../src/index.ts';
import {
  addToJournal,
  cancelTask,
  markWork,
  reportStatus,
  takeWork,
} from '../../../src/features/tasks/task-changes.ts';
import { newTask } from '../../../src/runtime/tasks/task-record.ts';
import { TaskRepository } from '../../../src/features/tasks/task-repository.ts';
import { TaskSeal } from '../../../src/features/tasks/task-seal.ts';
import { StoreClock } from '../../../src/runtime/store/store-clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

/** Keeps the journals of tasks beside their records, and what each change wrote. */
class JournalStore extends InMemoryTaskStore {
  readonly written: [record: TaskRecord, entries: readonly string[]][] = [];
  readonly entries: string[] = [];
  reads = 0;

  override get(taskId: string): Promise<TaskRecord | undefined> {
    this.reads += 1;
    return super.get(taskId);
  }
  override async update(task: TaskRecord, entries: readonly string[] = []): Promise<boolean> {
    const isStored = await super.update(task);
    if (isStored) this.written.push([task, entries]);
    if (isStored) this.entries.push(...entries);
    return isStored;
  }
  async journal(): Promise<readonly string[]> {
    return this.entries;
  }
}

test.each([[undefined], [['a secret of thirty-two characters, or more']]])(
  'writes what a step adds to a journal and not all steps before, with the secrets %j',
  async (secrets) => {
    const store = new JournalStore();
    const repository = new TaskRepository({
      ...{ store, clock: new StoreClock(store, new MemoryLogger()), seal: new TaskSeal(secrets, 'desk') },
      ...{ runner: () => 'one', pollInterval: 50, lease: 60_000, enqueue: async () => undefined },
    });
    const facts = { taskId: 'a', subject: undefined, statusMessage: undefined, runner: '' };
    const task = newTask(facts, { ttl: 60_000, pollInterval: 50 }, Date.now());
    const work = { queue: 'reports', is: 'queued', fence: 0, queuedAt: Date.now() } as const;
    await repository.create({ ...task, work, journal: [] }, { total: 9, perSubject: 9, withoutSubject: 9 });
    await repository.take('a', takeWork('one', Date.now(), 60_000));
    const steps = ['first', 'second', 'third'].map((name) => ({ kind: 'step', name, value: name }) as const);
    for (const step of steps) await repository.change('a', addToJournal([step], markWork('stepwise')));
    for (const [record, entries] of store.written.slice(1)) {
      expect(record).toMatchObject({ v: 2, status: 'working' });
      expect(record).not.toHaveProperty('journal');
      expect(entries).toHaveLength(1);
    }
    const sizes = store.written.slice(1).map(([record]) => JSON.stringify(record).length);
    expect(new Set(sizes).size).toBe(1);
    expect(JSON.stringify(store.written).includes('second')).toBe(secrets === undefined);
    // Another worker goes on when the first one is lost
    const taken = await repository.take('a', takeWork('other', Date.now() + 120_000, 60_000));
    expect(taken).toMatchObject({ runner: 'other', journal: steps });
  },
);

const LIMITS = { total: 9, perSubject: 9, withoutSubject: 9 };

function queuedTask(createdAt: number): TaskRecord {
  const facts = { taskId: 'a', subject: undefined, statusMessage: undefined, runner: '' };
  const task = newTask(facts, { ttl: 600_000, pollInterval: 50 }, createdAt);
  return { ...task, work: { queue: 'reports', is: 'queued', fence: 0, queuedAt: createdAt }, journal: [] };
}

test('changes a task as its worker knows it without a read, until another process has changed it', async () => {
  const store = new JournalStore();
  const repository = new TaskRepository({
    ...{ store, clock: new StoreClock(store, new MemoryLogger()), seal: new TaskSeal(undefined, 'desk') },
    ...{ runner: () => 'one', pollInterval: 50, lease: 60_000, enqueue: async () => undefined },
  });
  await repository.create(queuedTask(Date.now()), LIMITS);
  let known = await repository.take('a', takeWork('one', Date.now(), 60_000));
  const step = (name: string) => addToJournal([{ kind: 'step', name, value: name }]);
  store.reads = 0;
  for (const name of ['first', 'second']) known = await repository.change('a', step(name), known);
  expect(store.reads).toBe(0);
  await repository.change('a', reportStatus('by another process', Date.now()));
  store.reads = 0;
  known = await repository.change('a', step('third'), known);
  expect([store.reads, known?.statusMessage]).toEqual([1, 'by another process']);
  expect(store.entries.map((text) => (JSON.parse(text) as { name: string }).name)).toEqual([
    'first',
    'second',
    'third',
  ]);
  // What is known may be old, so that only the store says that there is nothing to do
  await repository.change('a', cancelTask('over', Date.now()));
  expect(await repository.change('a', step('fourth'), known)).toMatchObject({ status: 'cancelled' });
});

test('a task that waits is put on its queue again more and more seldom, however often its caller asks', async () => {
  const clock = new ManualClock();
  const store = new InMemoryTaskStore(clock);
  const added: number[] = [];
  const begun = clock.now();
  const repository = new TaskRepository({
    ...{
      store,
      clock: new StoreClock(store, new MemoryLogger(), clock),
      seal: new TaskSeal(undefined, 'desk'),
    },
    ...{ runner: () => 'one', pollInterval: 50, lease: 30_000 },
    enqueue: async () => void added.push((clock.now() - begun) / 1000),
  });
  await repository.create(queuedTask(begun), LIMITS);
  for (let second = 0; second < 200; second += 1) {
    await clock.advance(1000);
    await repository.get('a');
  }
  // After 5 s, then after as long as it has waited, and after a minute at most
  expect(added).toEqual([6, 13, 27, 55, 111, 172]);
});
