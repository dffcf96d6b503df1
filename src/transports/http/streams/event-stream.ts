import { LONGEST_TIMER } from '../../../shared/option-rules.ts';
import { StreamCut, type BackpressureCounter } from './backpressure-counter.ts';

const KEEP_ALIVE = 15_000;
const encoder = new TextEncoder();

/** One event as HTML defines them (HTML standard, 9.2.6 Interpreting an event stream). */
export interface StreamEvent {
  readonly id?: string | undefined;
  /** JSON; empty for an event that carries no message. */
  readonly data?: string;
  /** Milliseconds after which a client that lost the stream comes back. */
  readonly retry?: number;
}

export interface EventStreamOptions {
  /** Milliseconds between two comments; 0 sends none. Default 15 seconds. */
  readonly keepAlive: number | undefined;
  readonly unread: BackpressureCounter;
  /** Called when the reader cancels. */
  readonly onCancel?: (() => void) | undefined;
}

/** The body of a response that carries events until it is ended, or until its client went away. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #unread: BackpressureCounter;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor({ keepAlive = KEEP_ALIVE, unread, onCancel }: EventStreamOptions) {
    this.#unread = unread;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#forget();
        onCancel?.();
      },
    });
    if (keepAlive < 1) return;
    this.#timer = setInterval(
      () => {
        if (!this.isFull) this.#write(': keepalive\n\n');
      },
      Math.min(keepAlive, LONGEST_TIMER),
    );
    // Other runtimes return a number, and do not wait for timers before they exit.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  /** Whether nobody reads it any more. */
  get isOver(): boolean {
    return this.#unread.isOver;
  }

  /** Whether its client leaves so much unread that only what it waits for may still be sent. */
  get isFull(): boolean {
    return this.#unread.isFull;
  }

  /** Does nothing when the stream has ended. */
  write({ id, data, retry }: StreamEvent): void {
    const name = data === undefined || data === '' ? '' : 'event: message\n';
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    const retryLine = retry === undefined ? '' : `retry: ${String(retry)}\n`;
    const dataLine = data === undefined ? '' : `data: ${data}\n`;
    this.#write(`${name}${idLine}${retryLine}${dataLine}\n`);
  }

  end(): void {
    const controller = this.#controller;
    this.#forget();
    controller?.close();
  }

  /** Ends it without what was not read yet, for which its client has come another way. */
  giveUp(): void {
    if (this.#unread.size === 0) {
      this.end();
      return;
    }
    const controller = this.#controller;
    this.#forget();
    controller?.error(new StreamCut('The stream goes on elsewhere'));
    // The reader discards what it already has, of an ended stream, too.
    this.#unread.cut();
  }

  #write(text: string): void {
    if (this.#controller === undefined) return;
    const chunk = encoder.encode(text);
    this.#controller.enqueue(chunk);
    // Last, for it may be cut by that.
    this.#unread.add(chunk);
  }

  #forget(): void {
    clearInterval(this.#timer);
    this.#controller = undefined;
  }
}
