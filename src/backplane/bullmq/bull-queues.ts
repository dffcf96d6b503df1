import type { Queue, Worker } from 'bullmq';
import { refuseOptions } from '../../errors/option-errors.ts';
import type { BackplaneApplication, QueueDepth, WorkOptions, WorkQueue } from '../../index.ts';
import {
  anObject,
  filledText,
  positiveMilliseconds,
  required,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { ignoreBroken } from '../../shared/postgres-pool.ts';
import { inTime, StoreHealth } from '../shared/store-health.ts';
import { isPool, postgresBackend } from './postgres-backend.ts';

/** Options of `bullQueues()`. */
export interface BullQueuesOptions {
  /**
   * What BullMQ takes as its `connection`: settings or a client of Redis; settings, or a `Pool`, of PostgreSQL. A client of
   * `ioredis` needs `maxRetriesPerRequest: null`.
   */
  readonly connection: object;
  /** What all keys in Redis begin with; a cluster needs one in braces, such as `{tw}`. Default `tw`. */
  readonly prefix?: string;
  /** Milliseconds that it may take to add a task before its call is refused. Default 1,000. */
  readonly timeout?: number;
}

/** Queues that are opened by each application, with its name. */
export interface BullQueues {
  /** For `tasks.queues`, where they are not given to a backplane. */
  open(application: BackplaneApplication): ClosableWorkQueue;
}

/** A {@link WorkQueue} with connections of its own. */
export interface ClosableWorkQueue extends WorkQueue {
  /** Ends the connections. */
  close(): Promise<void>;
}

const RULES: OptionRules<BullQueuesOptions> = {
  connection: required(anObject),
  prefix: filledText,
  timeout: positiveMilliseconds,
};

/** @throws ToolwrightError TW_BACKPLANE_OPTION */
export function bullQueuesOn(driver: Driver, options: BullQueuesOptions): BullQueues {
  refuseOptions('TW_BACKPLANE_OPTION', 'bullQueues()', options, RULES);
  const { connection, prefix = 'tw', timeout = 1000 } = options;
  return { open: (application) => new BullWorkQueue(application, { driver, connection, prefix, timeout }) };
}

type Driver = 'redis' | 'postgres';

interface Settings extends Required<BullQueuesOptions> {
  readonly driver: Driver;
}

/** Between the id of a task and how often it was taken. */
const SEPARATOR = '.';
/** How often a job may come again; what it means that it does is in the record of the task. */
const ANY_NUMBER = 1_000_000;
/** Milliseconds in which a worker has to be connected. */
const CONNECTING = 10_000;

class BullWorkQueue implements ClosableWorkQueue {
  readonly #application: BackplaneApplication;
  readonly #settings: Settings;
  readonly #health: StoreHealth;
  readonly #queues = new Map<string, Promise<Queue>>();
  readonly #detach: (() => void) | undefined;

  constructor(application: BackplaneApplication, settings: Settings) {
    const { driver, connection } = settings;
    this.#application = application;
    this.#settings = settings;
    this.#detach = driver === 'postgres' && isPool(connection) ? ignoreBroken(connection) : undefined;
    this.#health = new StoreHealth('BullMQ', application.logger);
  }

  async add(queue: string, taskId: string, taken = 0): Promise<void> {
    const { timeout } = this.#settings;
    // Loading the package is not a matter of the server
    const opened = await this.#queue(queue);
    // BullMQ finds out by the clocks of the workers that one is gone. With a wrong one it never does, and keeps its job.
    const jobId = `${taskId}${SEPARATOR}${String(taken)}`;
    const adding = opened.add('task', {}, { jobId, removeOnComplete: true, removeOnFail: true });
    try {
      await inTime(adding, timeout, 'BullMQ');
    } catch (error) {
      this.#health.failed(error);
      throw error;
    }
    this.#health.worked();
  }

  async work(
    queue: string,
    run: (taskId: string) => Promise<void>,
    { concurrency, lease }: WorkOptions,
  ): Promise<() => Promise<void>> {
    const { Worker: Made } = await import('bullmq');
    const { driver, connection } = this.#settings;
    const times = lease === undefined ? {} : { lockDuration: lease, stalledInterval: lease / 2 };
    const options = { ...this.#shared, ...times, concurrency, maxStalledCount: ANY_NUMBER };
    const process = async ({ id }: { readonly id?: string | undefined }): Promise<void> => run(taskIn(id));
    const name = this.#nameOf(queue);
    const worker =
      driver === 'redis'
        ? new Made(name, process, options as never)
        : new Made(name, process, options as never, await postgresBackend(connection));
    this.#watch(worker as Worker);
    try {
      await inTime(worker.waitUntilReady(), CONNECTING, 'BullMQ');
    } catch (error) {
      worker.close(true).catch(() => undefined);
      throw error;
    }
    return () => worker.close();
  }

  async depth(queue: string): Promise<QueueDepth> {
    const opened = await this.#queue(queue);
    return inTime(readDepth(opened), this.#settings.timeout, 'BullMQ');
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#queues.values());
    await Promise.all(
      opened.map(async (each) => (each.status === 'fulfilled' ? each.value.close() : undefined)),
    );
    this.#detach?.();
  }

  get #shared(): object {
    const { driver, connection, prefix } = this.#settings;
    return driver === 'redis' ? { connection, prefix } : { connection };
  }

  #nameOf(queue: string): string {
    return `${encodeURIComponent(this.#application.name)}.${queue}`;
  }

  #queue(queue: string): Promise<Queue> {
    const known = this.#queues.get(queue) ?? this.#open(queue);
    this.#queues.set(queue, known);
    return known;
  }

  async #open(queue: string): Promise<Queue> {
    const { Queue: Made } = await import('bullmq');
    const { driver, connection } = this.#settings;
    const name = this.#nameOf(queue);
    const options = { ...this.#shared, skipWaitingForReady: true };
    const opened =
      driver === 'redis'
        ? new Made(name, options as never)
        : new Made(name, options as never, await postgresBackend(connection));
    opened.on('error', (error: unknown) => this.#health.failed(error));
    // BullMQ never connects again where its first connection was refused
    opened.waitUntilReady().catch(() => {
      this.#queues.delete(queue);
      opened.close().catch(() => undefined);
    });
    return opened as Queue;
  }

  #watch(worker: Worker): void {
    worker.on('error', (error) => this.#health.failed(error));
    worker.on('active', () => this.#health.worked());
    worker.on('failed', (job, cause) => {
      const taskId = taskIn(job?.id);
      const { logger } = this.#application;
      logger.log({ level: 'error', event: 'task.escaped', message: 'A task broke.', taskId, cause });
    });
  }
}

/** The task of a job. */
function taskIn(jobId = ''): string {
  return jobId.slice(0, jobId.lastIndexOf(SEPARATOR));
}

/** The oldest is at one end on Redis, and at the other one on PostgreSQL. */
async function readDepth(queue: Queue): Promise<QueueDepth> {
  const waiting = await queue.getWaitingCount();
  if (waiting === 0) return { waiting, oldest: 0 };
  const ends = await Promise.all([0, waiting - 1].map((place) => queue.getWaiting(place, place)));
  const times = ends.flat().map(({ timestamp }) => timestamp);
  return { waiting, oldest: Math.max(0, ...times.map((time) => Date.now() - time)) };
}
