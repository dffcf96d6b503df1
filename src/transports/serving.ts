import type { ChangeNotice } from '../call/notifier.ts';

/** Something that serves until it is closed. */
export interface Serving {
  /** Resolves when serving has ended, on either side. */
  readonly closed: Promise<void>;
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
  /**
   * Gives stdout back to everybody. To be called when serving has ended and nothing prints any more that the
   * client must not read, which is after the shutdown hooks. While it serves, or when it was the client that
   * ended it, it does nothing: that client may still read.
   */
  release(): void;
}

/** An HTTP server that serves until it is closed. */
export interface HttpServing extends Serving {
  /** The endpoint, as a client on this machine reaches it. */
  readonly url: string;
  readonly port: number;
}

/** Resolves when the work is done or the time is over, whichever comes first; true when it is done. */
export async function withinTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsOver = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  return Promise.race([work.then(() => true), timeIsOver]).finally(() => {
    clearTimeout(timer);
  });
}
