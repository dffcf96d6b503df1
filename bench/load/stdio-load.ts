import type { Readable, Writable } from 'node:stream';
import { keepAwake } from './keep-awake.ts';
import type { NumberedRequest } from './numbered-request.ts';

/** How many calls are on their way at the same time. */
const IN_FLIGHT = 16;
const NEW_LINE = 0x0a;
const lineEnd = Buffer.from('\n');

export interface StdioLoad {
  readonly request: NumberedRequest;
  readonly mark: string;
  /** Milliseconds. */
  readonly window: number;
}

/** The two pipes of a server over stdio, from the client's side. */
export class StdioClient {
  readonly #stdin: Writable;
  #rest: Buffer = Buffer.alloc(0);
  #received: (lines: readonly Buffer[]) => void = () => undefined;

  constructor(stdin: Writable, stdout: Readable) {
    this.#stdin = stdin;
    stdout.on('data', (chunk: Buffer) => this.#received(this.#linesIn(chunk)));
  }

  /** Sends one message, and gives the next one that comes. */
  exchange(message: object): Promise<string> {
    return new Promise((resolve) => {
      this.#received = ([line]) => (line === undefined ? undefined : resolve(line.toString()));
      this.notify(message);
    });
  }

  notify(message: object): void {
    this.#stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Answers per second. @throws Error for the first answer that is not the right one. */
  load({ request, mark, window }: StdioLoad): Promise<number> {
    const awake = keepAwake();
    const start = performance.now();
    let answers = 0;
    let inFlight = IN_FLIGHT;
    return new Promise<number>((resolve, reject) => {
      this.#received = (lines) => {
        for (const line of lines) {
          if (!line.includes(mark)) reject(new Error(`It answers ${line.toString().slice(0, 300)}`));
        }
        answers += lines.length;
        const passed = performance.now() - start;
        if (passed < window) {
          this.#send(request, lines.length);
        } else {
          inFlight -= lines.length;
          if (inFlight === 0) resolve(answers / (passed / 1000));
        }
      };
      this.#send(request, IN_FLIGHT);
    }).finally(() => awake.end());
  }

  #send(request: NumberedRequest, times: number): void {
    if (times === 0) return;
    const messages = Array.from({ length: times }, () => Buffer.concat([request.next(), lineEnd]));
    this.#stdin.write(Buffer.concat(messages));
  }

  #linesIn(chunk: Buffer): readonly Buffer[] {
    const received = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = received.indexOf(NEW_LINE); end !== -1; end = received.indexOf(NEW_LINE, start)) {
      lines.push(received.subarray(start, end));
      start = end + 1;
    }
    this.#rest = received.subarray(start);
    return lines;
  }
}
