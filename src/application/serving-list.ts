import type { ChangeNotice } from '../call/notifier.ts';
import { withinTime, type Serving } from '../transports/serving.ts';

/** Everything that serves an application at the moment. */
export class ServingList {
  readonly #servings = new Set<Serving>();
  readonly #ended: Serving[] = [];
  readonly #opening = new Set<Promise<unknown>>();

  /** Tracks a transport from the start of its opening until either side closes it. */
  async add<Kind extends Serving>(opening: Promise<Kind>): Promise<Kind> {
    this.#opening.add(opening);
    try {
      const serving = await opening;
      this.#servings.add(serving);
      void serving.closed.then(() => {
        this.#servings.delete(serving);
        this.#ended.push(serving);
      });
      return serving;
    } finally {
      this.#opening.delete(opening);
    }
  }

  /** Whether nothing is serving or opening. */
  get isEmpty(): boolean {
    return this.#servings.size === 0 && this.#opening.size === 0;
  }

  notify(change: ChangeNotice): void {
    for (const serving of this.#servings) serving.notify(change);
  }

  /** Resolves when no transport is opening any more, even if opening failed. */
  async opened(): Promise<void> {
    await Promise.allSettled(this.#opening);
  }

  /** Refuses new requests and lets running ones finish. */
  async stop(): Promise<void> {
    await Promise.all([...this.#servings].map((serving) => serving.stop()));
  }

  /**
   * Closes all of them; one that fails to close does not affect the others.
   * @param milliseconds the time limit for each of them
   * @returns the errors of those that failed
   */
  async close(milliseconds: number): Promise<readonly unknown[]> {
    const ends = await Promise.allSettled(
      [...this.#servings].map(async (serving) => {
        if (await withinTime(serving.close(), milliseconds)) return;
        throw new Error(`It did not end within ${String(milliseconds)} ms`);
      }),
    );
    return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  }

  /** Gives back what servings keep from the process beyond their end. */
  release(): void {
    for (const serving of this.#ended.splice(0)) serving.release?.();
  }
}
