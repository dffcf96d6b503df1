import { type Readable, type Writable, addAbortSignal } from 'node:stream';
import { type LogFunction, Logger, type LogRecord } from '../../index.ts';
import { loggerRule, objectWith, required, type OptionRules } from '../../shared/option-rules.ts';
import { serverInfoRule, refuseWorkflowOptions } from '../application/options.ts';
import type { WorkflowService } from '../application/workflow-service.ts';
import { type ServerInfo, rpcMethods, RpcDispatcher } from './rpc-methods.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { LineReader, type InputStream, type Line, type OutputStream } from '../../shared/line-reader.ts';
import { refuse, writeFailure } from './rpc-messages.ts';
import { redact } from '../domain/errors/workflow-error.ts';

/** Options of `new WorkflowRpcServer()`. */
export interface WorkflowRpcOptions {
  /** The source of requests; destroyed after `shutdown`. */
  readonly input: InputStream;
  /** Receives only answers. */
  readonly output: OutputStream;
  /** Receives all records, including those of the service. Default: the logger of the service. */
  readonly logger?: Logger | LogFunction;
  /** Shorthand for a logger that writes warnings and errors to this stream, one line of JSON each. */
  readonly errors?: OutputStream;
  /** What the server says of itself. Default: `toolwright-workflow` and its version. */
  readonly serverInfo?: ServerInfo;
}

const writable = objectWith('a writable stream', 'write', 'end');

export const RPC_RULES: OptionRules<WorkflowRpcOptions> = {
  input: required(objectWith('a readable stream', 'pause', 'resume')),
  output: required(writable),
  errors: writable,
  serverInfo: serverInfoRule,
  logger: loggerRule,
};

/** 1 MiB, without the line break. */
const LONGEST_LINE = 1_048_576;
const defaultInfo: ServerInfo = Object.freeze({ name: 'toolwright-workflow', version: '1.0.0' });

/**
 * Serves workflows as plain JSON-RPC 2.0, one JSON value per line. This is not MCP.
 * Requests are answered one at a time; the next one is read once the answer is written.
 *
 * @example
 * const service = new WorkflowService({ storage: createWorkflowStorage({ sources: ['./workflows'] }) });
 * const server = new WorkflowRpcServer(service, { input: process.stdin, output: process.stdout });
 * await server.start();
 */
export class WorkflowRpcServer {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #dispatcher: RpcDispatcher;
  #isShutDown = false;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(service: WorkflowService, options: WorkflowRpcOptions) {
    refuseWorkflowOptions('new WorkflowRpcServer()', options, RPC_RULES);
    const { logger, errors, serverInfo = defaultInfo } = options;
    this.#input = options.input as unknown as Readable;
    this.#output = options.output as unknown as Writable;
    const stream = (errors ?? process.stderr) as unknown as Writable;
    ignoreBroken(stream);
    const log = logger ?? (errors && new StreamLogger(stream));
    const served = log === undefined ? service : service.withLogger(log);
    const methods = rpcMethods(served, serverInfo, () => {
      this.#isShutDown = true;
      return null;
    });
    this.#dispatcher = new RpcDispatcher(methods, served.logger);
  }

  /**
   * Resolves when the input ends, after `shutdown`, or when the output closes.
   * Rejects when the input fails.
   */
  async start(): Promise<void> {
    const output = this.#output;
    const closed = new AbortController();
    const leave = (): void => closed.abort();
    // Never removed: an error without a listener would end the process, and one can follow the last write.
    output.on('error', leave);
    output.once('close', leave);
    try {
      for await (const line of readLines(this.#input, LONGEST_LINE, closed.signal)) {
        const answer = await this.#answer(line);
        const isWritten = answer === undefined || (await this.#write(answer));
        if (!isWritten || this.#isShutDown) break;
      }
    } catch (error) {
      if (!closed.signal.aborted) throw error;
    } finally {
      output.off('close', leave);
    }
  }

  async #answer(line: Line): Promise<string | undefined> {
    if (line === 'too-long') return refuse(`A line has at most ${String(LONGEST_LINE)} bytes.`);
    if (isBlank(line.bytes)) return undefined;
    let message: unknown;
    try {
      message = JSON.parse(UTF_8.decode(line.bytes));
    } catch (error) {
      const details = error instanceof Error ? error.message : 'It is not JSON.';
      return writeFailure(null, {
        name: 'PARSE_ERROR',
        message: 'The line is not JSON in UTF-8.',
        data: { details },
      });
    }
    return this.#dispatcher.answer(message);
  }

  /** False if the reader is gone. */
  #write(text: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#output.write(`${text}\n`, (error) => resolve(error === null || error === undefined));
    });
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

const CARRIAGE_RETURN = 0x0d;

/** The lines of a stream, on demand. Rejects when the stream fails or the signal aborts. */
export async function* readLines(input: Readable, limit: number, signal: AbortSignal): AsyncGenerator<Line> {
  // One more, for the carriage return of a CRLF
  const reader = new LineReader(limit + 1);
  for await (const chunk of addAbortSignal(signal, input) as AsyncIterable<Uint8Array | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (const line of reader.push(bytes)) yield withoutReturn(line, limit);
  }
  for (const line of reader.end()) yield withoutReturn(line, limit);
}

function withoutReturn(line: Line, limit: number): Line {
  if (line === 'too-long') return line;
  const { bytes } = line;
  const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  return length > limit ? 'too-long' : { bytes: bytes.subarray(0, length) };
}

/** Writes warnings and errors, one line of JSON each. */
export class StreamLogger extends Logger {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
  }

  log(record: LogRecord): void {
    if (record.level === 'debug' || record.level === 'info' || record.level === 'notice') return;
    const members = Object.entries(record).map(([name, member]) => [name, describe(member)] as const);
    this.#stream.write(`${visibleText(JSON.stringify(redact(Object.fromEntries(members))))}\n`);
  }
}

/** The members of an error are not enumerable, so JSON would omit them. */
function describe(member: unknown): unknown {
  return member instanceof Error ? (member.stack ?? member.message) : member;
}

const ignore = (): void => undefined;

/** Without a listener, a broken stream ends the process. Adds one listener, even if called repeatedly. */
function ignoreBroken(stream: Writable): void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
}
