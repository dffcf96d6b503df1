import { expect, test } from '@jest/globals';
import { InMemoryTaskStore, InMemoryWorkQueue, type TaskStore } from '../../../src/index.ts';
import { LEASE } from '../../../src/runtime/tasks/task-record.ts';
import { Tasks } from '../../../src/runtime/tasks/tasks.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { taskBench, Work } from '../../support/running-tasks.ts';

/** One process's way to the store, which a test cuts. */
class Way implements TaskStore {
  isCut = false;
  readonly #store: InMemoryTaskStore;

  constructor(store: InMemoryTaskStore) {
    this.#store = store;
  }
  create: TaskStore['create'] = (...given) => this.#pass(() => this.#store.create(...given));
  get: TaskStore['get'] = (...given) => this.#pass(() => this.#store.get(...given));
  update: TaskStore['update'] = (task) => this.#pass(() => this.#store.update(task));
  list: TaskStore['list'] = (...given) => this.#pass(() => this.#store.list(...given));
  delete: TaskStore['delete'] = (...given) => this.#pass(() => this.#store.delete(...given));
  now: NonNullable<TaskStore['now']> = () => this.#pass(() => this.#store.now());

  async #pass<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.isCut) throw new Error('The store is away');
    return ask();
  }
}

/** Two processes on one store, and the clock of both. */
function twoWays() {
  const clock = new ManualClock();
  const store = new InMemoryTaskStore(clock);
  const [own, others] = [new Way(store), new Way(store)];
  const cut = (isCut: boolean): void => {
    own.isCut = others.isCut = isCut;
  };
  return { clock, own, others, cut };
}

/** A task of one process that another one knows, and whose lease ends while both cannot reach the store. */
async function outlivedLease() {
  const { clock, own, others, cut } = twoWays();
  const [one, other] = [taskBench({ store: own }, clock), taskBench({ store: others }, clock)];
  const [running, work] = [one.begin(), new Work()];
  await running.start();
  await running.run(work.run);
  const find = () => other.tasks.find(running.taskId, undefined);
  expect(await find()).toMatchObject({ status: 'working' });
  cut(true);
  await clock.advance(2 * LEASE);
  await expect(find()).rejects.toThrow('cannot reach its tasks');
  return { clock, own, others, find, work, running };
}

test('A task whose lease ended while its store was away is not lost: it could not be renewed', async () => {
  const { clock, own, others, find, work, running } = await outlivedLease();
  others.isCut = false;
  expect(await find()).toMatchObject({ status: 'working' });
  own.isCut = false;
  await clock.advance(LEASE / 3);
  await clock.advance(LEASE);
  expect(await find()).toMatchObject({ status: 'working' });
  work.end();
  await running.ended;
  expect(await find()).toMatchObject({ status: 'completed' });
});

test('It is not lost after a second outage, which began before its process came back', async () => {
  const { clock, others, find } = await outlivedLease();
  others.isCut = false;
  expect(await find()).toMatchObject({ status: 'working' });
  await clock.advance(LEASE / 2);
  await find();
  others.isCut = true;
  await expect(find()).rejects.toThrow();
  others.isCut = false;
  await clock.advance(LEASE);
  expect(await find()).toMatchObject({ status: 'working' });
  await clock.advance(1);
  expect(await find()).toMatchObject({ status: 'failed' });
});

test('It is lost when its process does not come back within a lease after that', async () => {
  const { clock, others, find } = await outlivedLease();
  others.isCut = false;
  await clock.advance(LEASE);
  expect(await find()).toMatchObject({ status: 'working' });
  await clock.advance(1);
  expect(await find()).toMatchObject({ status: 'failed' });
});

test('It is lost, too, when its lease ended before its store was away', async () => {
  const { clock, own, others, cut } = twoWays();
  const [one, other] = [taskBench({ store: own }, clock), taskBench({ store: others }, clock)];
  const [running, work] = [one.begin(), new Work()];
  await running.start();
  await running.run(work.run);
  own.isCut = true;
  await clock.advance(LEASE + 1);
  await other.tasks.list('nobody', { limit: 1 });
  cut(true);
  await expect(other.tasks.find(running.taskId, undefined)).rejects.toThrow();
  others.isCut = false;
  expect(await other.tasks.find(running.taskId, undefined)).toMatchObject({ status: 'failed' });
});

test('A worker that waits for a task does not take it after such an outage', async () => {
  const { clock, own, others, cut } = twoWays();
  const logger = new MemoryLogger();
  const queues = [new InMemoryWorkQueue(logger), new InMemoryWorkQueue(logger)] as const;
  const one = new Tasks({ queues: queues[0] }, logger, { store: own, clock });
  const other = new Tasks({ queues: queues[1] }, logger, { store: others, clock });
  const call = {
    params: { name: 'a' },
    requestId: 1,
    meta: {},
    client: { info: undefined, capabilities: {} },
  };
  const { taskId } = await one.enqueue('q', call, { subject: undefined, ttl: undefined });
  const begun: string[] = [];
  const serveAs = (name: string) => () => {
    begun.push(name);
    return new Promise<never>(() => undefined);
  };
  await one.work(serveAs('one'), { queues: ['q'], concurrency: 1 });
  await settle();
  await other.work(serveAs('other'), { queues: ['q'], concurrency: 1 });
  await queues[1].add('q', taskId);
  await settle();
  cut(true);
  for (let time = 0; time < 2 * LEASE; time += 1000) await clock.advance(1000);
  others.isCut = false;
  await clock.advance(1000);
  own.isCut = false;
  for (let time = 0; time < 2 * LEASE; time += 1000) await clock.advance(1000);
  expect(begun).toEqual(['one']);
});
