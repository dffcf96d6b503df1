import type { ChangeNotice } from '../call/notifier.ts';
import { nextTurn } from '../shared/platform.ts';

/** Something that serves until it is closed. */
export interface Serving {
  /** Resolves when serving has ended, on either side. */
  readonly closed: Promise<void>;
  /** The port with health checks and metrics, as this machine reaches it; undefined without `operations.port`. */
  readonly operationsUrl?: string;
  /** Lets go of clients that may go elsewhere, one after the other: none of their requests is lost by that. */
  beginLeaving?(): void;
  /** Refuses new requests and resolves when those that run are answered. */
  stop(): Promise<void>;
  /** Ends serving at once; calling it again does nothing. */
  close(): Promise<void>;
  /** Gives back what it keeps from the process beyond its end; to be called after the shutdown hooks. */
  release?(): void;
  /** Notifies the connected clients; of a single resource, those that subscribed to it. */
  notify(change: ChangeNotice): void;
}

/** Serving over stdin and stdout. */
export interface StdioServing extends Serving {
  /** Whether it ended, or is about to, because the client closed its side before anybody closed this one. */
  readonly isEndedByClient: boolean;
  /** Whether the process shall end with the application then. */
  readonly endsProcess: boolean;
  /**
   * Gives stdout back to everybody. To be called when serving has ended and nothing prints any more that the
   * client must not read, which is after the shutdown hooks. While it serves, or when it was the client that
   * ended it, it does nothing: that client may still read.
   */
  release(): void;
}

/** An HTTP server that serves until it is closed. */
export interface HttpServing extends Serving {
  /** The endpoint, as a client on this machine reaches it; `http://unix:/run/mcp.sock:/mcp`, as in nginx, for a Unix socket. */
  readonly url: string;
  /** The port that is listened on: the one given, or the free one that was found for 0. 0 for a Unix socket. */
  readonly port: number;
  /** Where a person opens the explorer, with its token; left out where there is none. */
  readonly explorer?: string;
  /** The file of the Unix socket that is listened on; undefined for a port. */
  readonly socketPath?: string | undefined;
}

/** Resolves when the work is done or the time is over, whichever comes first; true when it is done. */
export async function withinTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsOver = new Promise<boolean>((resolve) => {
    // What was done while this process was busy counts
    timer = setTimeout(() => void nextTurn().then(() => resolve(false)), milliseconds);
  });
  return Promise.race([work.then(() => true), timeIsOver]).finally(() => {
    clearTimeout(timer);
  });
}

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

  /** Whether there are clients that may go elsewhere. */
  get hasGuests(): boolean {
    return [...this.#servings].some((serving) => serving.beginLeaving !== undefined);
  }

  notify(change: ChangeNotice): void {
    for (const serving of this.#servings) serving.notify(change);
  }

  /** Resolves when no transport is opening any more, even if opening failed. */
  async opened(): Promise<void> {
    await Promise.allSettled(this.#opening);
  }

  beginLeaving(): void {
    for (const serving of this.#servings) serving.beginLeaving?.();
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
