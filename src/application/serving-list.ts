import type { SurfaceChange } from '../call/notifier.ts';
import type { Serving } from '../server/serving.ts';

/** Everything that serves an application at the moment. */
export class ServingList {
  readonly #servings = new Set<Serving>();
  readonly #ended: Serving[] = [];
  readonly #opening = new Set<Promise<unknown>>();

  /** Keeps a serving from when it begins to open until it ends, whoever ends it. */
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

  get isEmpty(): boolean {
    return this.#servings.size === 0;
  }

  notify(change: SurfaceChange): void {
    for (const serving of this.#servings) serving.notify(change);
  }

  /** Resolves when nothing is opening any more, whether it succeeded or not. */
  async opened(): Promise<void> {
    await Promise.allSettled(this.#opening);
  }

  /** Refuses new requests and lets running ones finish. */
  async stop(): Promise<void> {
    await Promise.all([...this.#servings].map((serving) => serving.stop()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servings].map((serving) => serving.close()));
  }

  /** Gives back what servings keep from the process beyond their end. */
  release(): void {
    for (const serving of this.#ended.splice(0)) serving.release?.();
  }
}

/** Resolves when the work is done or the time is over, whichever comes first. */
export async function withinTime(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeIsOver]).finally(() => {
    clearTimeout(timer);
  });
}
