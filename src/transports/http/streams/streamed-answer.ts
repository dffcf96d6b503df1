import { Cancellation } from '../../../call/call-context.ts';
import { LONGEST_TIMER } from '../../../shared/option-rules.ts';
import type { HttpExchange } from '../http-exchange.ts';
import { StreamCut, BackpressureCounter, type Backlog } from './backpressure-counter.ts';

/** A stream as the answer to a request: it is known how much of it was read, and what is to be done at its end. */
export class StreamedAnswer {
  /** What its client has not read yet. */
  readonly unread: BackpressureCounter;
  /** Ends the body early, as if there was nothing more. */
  readonly ending = new Cancellation();
  /** Whether its client has taken all of it. */
  wasRead = false;
  readonly #exchange: HttpExchange;
  readonly #isStanding: boolean;
  readonly #ends: (() => void)[] = [];

  /** @param isStanding whether it stays open when nothing runs */
  constructor(exchange: HttpExchange, backlog: Backlog, isStanding = false) {
    this.unread = new BackpressureCounter(backlog);
    this.#exchange = exchange;
    this.#isStanding = isStanding;
  }

  /** Runs what is given once, when the body was read to the end, was cancelled, or broke. */
  atEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Answers with a body of events. */
  begin(body: ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>> = {}): void {
    const { expiresAt } = this.#exchange.authInfo ?? {};
    this.atEnd(() => {
      this.#exchange.streamEnded();
    });
    // A token lets its bearer read as long as it is valid, and not as long as a stream is open. A call that it has begun
    // ends as it would have without a stream.
    if (this.#isStanding && expiresAt !== undefined) {
      this.atEnd(
        callAt(expiresAt * 1000, () => {
          this.ending.cancel();
        }),
      );
    }
    // Without a place for a chunk ahead: what waits there would count as read.
    const tracked = new ReadableStream(new TrackedBody(body.getReader(), this), { highWaterMark: 0 });
    this.#exchange.answer(
      new Response(tracked, {
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-cache, no-transform',
          // Proxies that know it pass on what there is, and do not wait for more.
          'x-accel-buffering': 'no',
          ...headers,
        },
      }),
    );
  }

  /** Called at the end of its body. */
  end(): void {
    this.unread.end();
    for (const end of this.#ends.splice(0)) end();
  }
}

/** Reports each chunk as read when the next one is requested. */
class TrackedBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #answer: StreamedAnswer;
  #handedOut: Uint8Array | undefined;
  #isOver = false;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, answer: StreamedAnswer) {
    this.#reader = reader;
    this.#answer = answer;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { unread, ending } = this.#answer;
    const fail = (error: unknown): void => {
      if (this.#finish()) controller.error(error);
    };
    // Also while nobody reads: what is still held for a client that stopped is given back then.
    this.#reader.closed.catch(fail);
    unread.begin(() => {
      fail(new StreamCut('A client left too much unread'));
      this.#leave();
    });
    ending.onCancel(() => {
      if (this.#finish()) controller.close();
      this.#leave();
    });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#handedOut !== undefined) this.#answer.unread.take(this.#handedOut);
    this.#handedOut = undefined;
    try {
      const { value, done } = await this.#reader.read();
      if (this.#isOver) return;
      if (!done) {
        this.#handedOut = value;
        controller.enqueue(value);
      } else {
        this.#answer.wasRead = true;
        if (this.#finish()) controller.close();
      }
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
    this.#answer.end();
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
function callAt(time: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    const rest = time - Date.now();
    if (rest <= 0) {
      run();
      return;
    }
    timer = setTimeout(wait, Math.min(rest, LONGEST_TIMER));
    // Other runtimes return a number, and do not wait for timers before they exit.
    if (typeof timer === 'object') timer.unref();
  };
  wait();
  return () => {
    clearTimeout(timer);
  };
}
