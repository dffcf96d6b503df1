import type { Readable } from 'node:stream';
import { jsonRpcCodes, jsonRpcError } from '../../engine/json-rpc/json-rpc-error.ts';
import { answeredId, isProtocolMessage, readMessage, writeMessage } from '../../engine/json-rpc/message.ts';
import { refuseMessage } from '../../engine/json-rpc/refuse-message.ts';
import { SEND_TEXT, type WireTransport } from '../../engine/wire-transport.ts';
import { LineReader, type Line } from '../../shared/line-reader.ts';

export interface StdioTransportOptions {
  readonly input: Readable;
  readonly write: (text: string) => Promise<void>;
  /** The longest message, in bytes. */
  readonly limit: number;
}

/** Characters that the client has left unread before nothing more is read of it. */
const MOST_UNREAD = 16 * 1024 * 1024;

/**
 * Newline-delimited JSON (spec: basic/transports, stdio) in the form of an SDK transport.
 * It answers what it cannot read and goes on.
 */
export class StdioTransport implements WireTransport {
  onmessage?: (message: unknown) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;

  readonly output: LineWriter;
  readonly #input: Readable;
  readonly #lines: LineReader;
  readonly #limit: number;
  #isPaused = false;
  #isClosed = false;

  constructor({ input, write, limit }: StdioTransportOptions) {
    this.output = new LineWriter(write);
    this.#input = input;
    this.#lines = new LineReader(limit);
    this.#limit = limit;
  }

  start(): Promise<void> {
    this.#input.on('data', this.#read);
    return Promise.resolve();
  }

  /** Reads what stands behind the last newline. */
  endInput(): void {
    this.#receiveAll(this.#lines.end());
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#input.off('data', this.#read);
    // A stream that somebody else reads is not ours to pause.
    if (this.#input.listenerCount('data') === 0) this.#input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  async send(message: unknown): Promise<void> {
    const { text } = writeMessage(message, (error) => this.onerror?.(error));
    const written = this.output.add(text);
    // A handler that reports progress may keep computing without a pause.
    if (answeredId(message) === undefined) this.output.flush();
    await written;
  }

  [SEND_TEXT](text: string): Promise<void> {
    return this.output.add(text);
  }

  readonly #read = (chunk: Uint8Array | string): void => {
    this.#receiveAll(this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
    if (this.output.unread > MOST_UNREAD) void this.#pause();
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
    } else if (isProtocolMessage(reading.value)) {
      this.onmessage?.(reading.value);
    } else {
      const { failure, id } = refuseMessage(reading.value);
      this.#refuse(jsonRpcError(failure, id));
    }
  }

  #refuse(text: string): void {
    this.output.add(text).catch((error: unknown) => this.onerror?.(error as Error));
  }

  #tooLong(): string {
    const message = `Invalid request: the message is larger than ${String(this.#limit)} bytes`;
    return jsonRpcError({ code: jsonRpcCodes.invalidRequest, message });
  }

  /** A client that reads nothing of what it asked for must not fill the memory with it. */
  async #pause(): Promise<void> {
    if (this.#isPaused || this.#input.listenerCount('data') > 1) return;
    this.#isPaused = true;
    this.#input.pause();
    await this.output.whenUnread(MOST_UNREAD / 2);
    this.#isPaused = false;
    if (!this.#isClosed) this.#input.resume();
  }
}

/**
 * Writes the lines of one turn with a single system call, which also wakes the client only once. Requests that arrive
 * together and take the same steps are answered in one turn; a long computation does not delay the others.
 */
export class LineWriter {
  readonly #write: (text: string) => Promise<void>;
  #lines = '';
  #written: Promise<void> | undefined;
  #settle: ((written: Promise<void>) => void) | undefined;
  #unread = 0;
  #waiting: (() => void)[] = [];

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  /** How many characters were written and have not left the process. */
  get unread(): number {
    return this.#unread;
  }

  /** Resolves when the line is written, together with all others that come at once. */
  add(line: string): Promise<void> {
    this.#lines += `${line}\n`;
    return (this.#written ??= this.#whenWritten());
  }

  /** Writes the collected lines now. A failure is reported to those who added them. */
  flush(): void {
    const [lines, settle] = [this.#lines, this.#settle];
    this.#lines = '';
    this.#written = this.#settle = undefined;
    settle?.(this.#writeCounted(lines));
  }

  /** Resolves when no more than so many characters are unread. */
  async whenUnread(most: number): Promise<void> {
    while (this.#unread > most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #whenWritten(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = (written) => {
        written.then(resolve, reject);
      };
      queueMicrotask(() => {
        this.flush();
      });
    });
  }

  async #writeCounted(text: string): Promise<void> {
    this.#unread += text.length;
    try {
      await this.#write(text);
    } finally {
      this.#unread -= text.length;
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
