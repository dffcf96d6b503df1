import type { SurfaceChange } from '../call/notifier.ts';
import type { Serving } from '../server/serving.ts';

/** Everything that serves an application at the moment. */
export class ServingList {
  readonly #servings = new Set<Serving>();

  /** Keeps a serving until it ends, whoever ends it. */
  add<Kind extends Serving>(serving: Kind): Kind {
    this.#servings.add(serving);
    void serving.closed.then(() => this.#servings.delete(serving));
    return serving;
  }

  notify(change: SurfaceChange): void {
    for (const serving of this.#servings) serving.notify(change);
  }

  get isEmpty(): boolean {
    return this.#servings.size === 0;
  }

  /** Refuses new requests and lets running ones finish, for as long as the time allows. */
  async stop(milliseconds: number): Promise<void> {
    await withinTime(Promise.all([...this.#servings].map((serving) => serving.stop())), milliseconds);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servings].map((serving) => serving.close()));
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
