import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InMemoryTaskStore, InMemoryWorkQueue, McpApplication, type CallToolResult } from 'toolwright';
import { eventually } from '../../support/eventually.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { codeOf } from '../../support/payments.ts';
import { QueueModule, Workshop } from '../../support/queue-module.ts';
import { textOf } from '../../support/text-of.ts';

/** A store of tasks that is away when a test says so. */
class LeavingStore extends InMemoryTaskStore {
  readonly ids: string[] = [];
  readonly #listeners = new Set<() => void>();
  isAway = false;
  leavesNext = false;

  override async create(...given: Parameters<InMemoryTaskStore['create']>): Promise<boolean> {
    const isCreated = await super.create(...given);
    this.ids.push(given[0].taskId);
    this.isAway ||= this.leavesNext;
    return isCreated;
  }
  override get(...given: Parameters<InMemoryTaskStore['get']>): ReturnType<InMemoryTaskStore['get']> {
    return this.isAway ? Promise.reject(new Error('away')) : super.get(...given);
  }
  override watch(taskId: string, listener: () => void): Promise<() => void> {
    if (taskId === this.ids[0]) this.#listeners.add(listener);
    return super.watch(taskId, listener);
  }
  /** Lets all who wait for the first task look at it. */
  touch(): void {
    for (const listener of this.#listeners) listener();
  }
}

let store: LeavingStore;
let logger: MemoryLogger;
let queues: InMemoryWorkQueue;
let go: () => void;
const opened: McpApplication[] = [];

async function start(ttl = 600_000): Promise<McpApplication> {
  const tasks = { queues, ttl, pollInterval: 5 };
  const backplane = { tasks: store };
  const app = await McpApplication.create(QueueModule, { tasks, backplane, logger, drainTimeout: 0 });
  opened.push(app);
  return app;
}

beforeEach(() => {
  store = new LeavingStore();
  logger = new MemoryLogger();
  queues = new InMemoryWorkQueue(logger);
});
afterEach(async () => {
  store.isAway = false;
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

/** A call that waits for its task, which a worker holds. */
async function held(signal?: AbortSignal): Promise<{ readonly waiting: Promise<CallToolResult> }> {
  const [front, worker] = [await start(), await start()];
  const workshop = worker.get(Workshop);
  workshop.hold = () => new Promise((resolve) => (go = resolve));
  await worker.work();
  const waiting = front.call('reports_remove', { label: 'a' }, signal === undefined ? {} : { signal });
  await eventually(() => workshop.done.length > 0);
  return { waiting };
}

const failures = (): number => logger.records.filter(({ event }) => event === 'task.store-failed').length;

describe('a call that waits for the task of a queue', () => {
  test('goes on when the store is back', async () => {
    const { waiting } = await held();
    store.isAway = true;
    store.touch();
    // Of the call, and of the worker
    await eventually(() => failures() >= 2);
    go();
    store.isAway = false;
    expect(textOf(await waiting)).toBe('removed a');
    expect(logger.records.map(({ event }) => event)).not.toContain('call.failed');
  });

  test('ends with OUTCOME_UNKNOWN when the record is lost, because the work may have run', async () => {
    const { waiting } = await held();
    for (const taskId of store.ids) await store.delete(taskId);
    expect(codeOf(await waiting)).toBe('OUTCOME_UNKNOWN');
    go();
  });

  test('ends with OUTCOME_UNKNOWN when the store is away for as long as the task may live', async () => {
    const front = await start(20);
    store.leavesNext = true;
    expect(codeOf(await front.call('reports_remove', { label: 'a' }))).toBe('OUTCOME_UNKNOWN');
    expect(failures()).toBe(1);
  });

  test('ends with TIMED_OUT when no worker has taken the task in time', async () => {
    const front = await start(20);
    expect(codeOf(await front.call('reports_remove', { label: 'a' }))).toBe('TIMED_OUT');
  });

  test('ends as cancelled although the store is away', async () => {
    const stop = new AbortController();
    const { waiting } = await held(stop.signal);
    store.isAway = true;
    store.touch();
    await eventually(() => failures() >= 2);
    stop.abort();
    expect(codeOf(await waiting)).toBe('CANCELLED');
    go();
  });
});
