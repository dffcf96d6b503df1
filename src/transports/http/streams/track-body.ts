import type { Cancellation } from '../../../call/call-context.ts';
import { StreamCut, type UnreadEvents } from './unread-events.ts';
import { LONGEST_TIMER } from '../../../shared/option-rules.ts';

interface BodyTracking {
  /** Told of each chunk that was taken, which is so when the next one is asked for. */
  readonly unread: UnreadEvents;
  /** Runs once, when the body was read to the end, was cancelled, or broke. */
  readonly done?: () => void;
  /** Ends the body early, as if there was nothing more. */
  readonly ending?: Cancellation;
}

/** The same response, of which it is known how much of its body was read. */
export function trackBody(response: Response, tracking: BodyTracking): Response {
  const { body, status, headers } = response;
  if (body === null) {
    tracking.done?.();
    return response;
  }
  // Without a place for a chunk ahead: what waits there would count as read.
  const tracked = new ReadableStream(new TrackedBody(body.getReader(), tracking), { highWaterMark: 0 });
  return new Response(tracked, { status, headers });
}

class TrackedBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #tracking: BodyTracking;
  #handedOut: Uint8Array | undefined;
  #isOver = false;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, tracking: BodyTracking) {
    this.#reader = reader;
    this.#tracking = tracking;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { unread, ending } = this.#tracking;
    const fail = (error: unknown): void => {
      if (this.#finish()) controller.error(error);
    };
    // Also while nobody reads: what is still held for a client that stopped is given back then.
    this.#reader.closed.catch(fail);
    unread.begin(() => {
      fail(new StreamCut('A client left too much unread'));
      this.#leave();
    });
    ending?.onCancel(() => {
      if (this.#finish()) controller.close();
      this.#leave();
    });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#handedOut !== undefined) this.#tracking.unread.take(this.#handedOut);
    this.#handedOut = undefined;
    try {
      const { value, done } = await this.#reader.read();
      if (this.#isOver) return;
      if (!done) {
        this.#handedOut = value;
        controller.enqueue(value);
      } else if (this.#finish()) controller.close();
    } catch (error) {
      if (this.#finish()) controller.error(error);
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#finish();
    await this.#reader.cancel(reason);
  }

  /** False where it was over before. */
  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#tracking.unread.end();
    this.#tracking.done?.();
    return true;
  }

  #leave(): void {
    this.#reader.cancel().catch(() => undefined);
  }
}

/**
 * Calls back when the clock of the system has reached a time; the returned function prevents that.
 * @param time milliseconds since the epoch
 */
export function callAt(time: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    const rest = time - Date.now();
    if (rest <= 0) {
      run();
      return;
    }
    timer = setTimeout(wait, Math.min(rest, LONGEST_TIMER));
    // Some runtimes beside Node give a number, and none of them waits for a timer.
    if (typeof timer === 'object') timer.unref();
  };
  wait();
  return () => {
    clearTimeout(timer);
  };
}
