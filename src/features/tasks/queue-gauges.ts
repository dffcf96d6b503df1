import type { WatchedValue, Telemetry } from '../../kernel/call/telemetry.ts';
import type { WorkQueue } from '../../runtime/tasks/work-queue.ts';

/** What metrics say of the queues of one process: how long they are, and whether its workers reach them. */
export class QueueGauges {
  readonly #queues: WorkQueue | undefined;
  readonly #telemetry: Telemetry | undefined;
  /** By name, how many workers this process has for it. */
  readonly #known = new Map<string, number>();
  #isWatched = false;

  constructor(queues: WorkQueue | undefined, telemetry: Telemetry | undefined) {
    this.#queues = queues;
    this.#telemetry = telemetry;
  }

  /** This process uses the queue. */
  know(queue: string): void {
    if (this.#queues?.depth === undefined || this.#telemetry?.watch === undefined) return;
    if (!this.#known.has(queue)) this.#known.set(queue, 0);
    if (!this.#isWatched) this.#telemetry.watch(() => this.#read());
    this.#isWatched = true;
  }

  /** A worker of this process takes tasks from the queue. @returns what says that it does not any more */
  work(queue: string): () => void {
    this.know(queue);
    this.#change(queue, 1);
    return () => {
      this.#change(queue, -1);
    };
  }

  #change(queue: string, by: number): void {
    const before = this.#known.get(queue);
    if (before !== undefined) this.#known.set(queue, before + by);
  }

  /** A queue that does not answer has no values, and its worker no heartbeat. */
  async #read(): Promise<readonly WatchedValue[]> {
    const read = await Promise.all(
      [...this.#known].map(([queue, workers]) => this.#readOne(queue, workers).catch(() => [])),
    );
    return read.flat();
  }

  async #readOne(queue: string, workers: number): Promise<readonly WatchedValue[]> {
    const depth = await this.#queues?.depth?.(queue);
    if (depth === undefined) return [];
    const attributes = { queue };
    const readings: WatchedValue[] = [
      { name: 'toolwright.queue.waiting', value: depth.waiting, attributes },
      { name: 'toolwright.queue.oldest', value: depth.oldest / 1000, attributes },
    ];
    const heartbeat: WatchedValue = {
      name: 'toolwright.worker.heartbeat',
      value: Date.now() / 1000,
      attributes,
    };
    return workers > 0 ? [...readings, heartbeat] : readings;
  }
}
