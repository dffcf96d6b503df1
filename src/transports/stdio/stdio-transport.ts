import type { Readable } from 'node:stream';
import { traitsOf } from '../../engine/method-traits.ts';
import { SEND_TEXT } from '../../engine/wire-transport.ts';
import { InFlight } from '../in-flight.ts';
import {
  answeredId,
  cancelledId,
  idOf,
  isRequest,
  readMessage,
  writeMessage,
} from '../../engine/json-rpc/message.ts';
import { refuseMessage } from '../../engine/json-rpc/refuse-message.ts';
import { jsonRpcCodes, jsonRpcError } from '../../engine/json-rpc/json-rpc-error.ts';
import { LineBatch } from './line-batch.ts';
import { LineReader, type Line } from '../../shared/line-reader.ts';

export interface StdioTransportOptions {
  readonly input: Readable;
  readonly write: (text: string) => Promise<void>;
  /** The longest message, in bytes. */
  readonly limit: number;
  readonly isMessage: (value: unknown) => boolean;
}

/**
 * Newline-delimited JSON (spec: basic/transports, stdio) in the form of an SDK transport.
 * It answers what it cannot read and goes on, and it knows which requests still run.
 */
export class StdioTransport {
  onmessage?: (message: unknown) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;

  readonly #options: StdioTransportOptions;
  readonly #lines: LineReader;
  readonly #batch: LineBatch;
  readonly #inFlight = new InFlight();
  readonly #running = new Map<unknown, () => void>();
  #isStopping = false;
  #isClosed = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#lines = new LineReader(options.limit);
    this.#batch = new LineBatch(options.write);
  }

  start(): Promise<void> {
    this.#options.input.on('data', this.#read);
    return Promise.resolve();
  }

  /** Reads what stands behind the last newline. */
  endInput(): void {
    this.#receiveAll(this.#lines.end());
  }

  /** Refuses new requests, and waits for those that run. */
  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#inFlight.whenIdle();
  }

  /** The process ends: nothing else is written any more. */
  flush(): void {
    this.#batch.flush();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    const { input } = this.#options;
    input.off('data', this.#read);
    // A stream that somebody else reads is not ours to pause.
    if (input.listenerCount('data') === 0) input.pause();
    for (const leave of this.#running.values()) leave();
    this.#running.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  async send(message: unknown): Promise<void> {
    try {
      const { text } = writeMessage(message, (error) => this.onerror?.(error));
      const written = this.#batch.add(text);
      // Whoever tells of progress may compute on without a pause.
      if (answeredId(message) === undefined) this.#batch.flush();
      await written;
    } finally {
      if (!isRequest(message)) this.#settle(idOf(message));
    }
  }

  [SEND_TEXT](text: string, id: string | number): Promise<void> {
    const written = this.#batch.add(text);
    const settle = (): void => {
      this.#settle(id);
    };
    written.then(settle, settle);
    return written;
  }

  readonly #read = (chunk: Uint8Array | string): void => {
    this.#receiveAll(this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  };

  #receiveAll(lines: readonly Line[]): void {
    for (const line of lines) {
      if (this.#isClosed) return;
      if (line === 'too-long') this.#refuse(this.#tooLong());
      else if (!isBlank(line.bytes)) this.#receive(line.bytes);
    }
  }

  #receive(bytes: Uint8Array): void {
    const reading = readMessage(bytes);
    if (!reading.ok) {
      this.#refuse(jsonRpcError(reading.failure));
      return;
    }
    const { value } = reading;
    if (!this.#options.isMessage(value)) {
      const { failure, id } = refuseMessage(value);
      this.#refuse(jsonRpcError(failure, id));
      return;
    }
    if (isRequest(value)) {
      if (this.#isStopping) {
        const message = 'The server is shutting down';
        this.#refuse(jsonRpcError({ code: jsonRpcCodes.serverError, message }, value.id));
        return;
      }
      this.#settle(value.id);
      // A subscription is answered when the connection ends, so stopping must not wait for it.
      if (traitsOf(value.method).isStanding !== true) this.#running.set(value.id, this.#inFlight.enter());
    }
    this.onmessage?.(value);
    // A cancelled request is never answered (spec: basic/utilities/cancellation, Behavior Requirements).
    this.#settle(cancelledId(value));
  }

  #settle(id: unknown): void {
    this.#running.get(id)?.();
    this.#running.delete(id);
  }

  #refuse(text: string): void {
    this.#batch.add(text).catch((error: unknown) => this.onerror?.(error as Error));
  }

  #tooLong(): string {
    const message = `Invalid request: the message is larger than ${String(this.#options.limit)} bytes`;
    return jsonRpcError({ code: jsonRpcCodes.invalidRequest, message });
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
