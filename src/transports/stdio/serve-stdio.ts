import type { Readable, Writable } from 'node:stream';
import type { ChangeNotice } from '../../call/notifier.ts';
import { openConnection, type Connection } from '../../engine/connection.ts';
import type { ServedApplication } from '../../engine/served-application.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { guardStdout, type StdoutGuard } from '../../shared/guard-stdout.ts';
import type { InputStream, OutputStream } from '../../shared/line-reader.ts';
import {
  milliseconds,
  objectWith,
  positiveNumber,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { unknownSurface } from '../../compile/surfaces/surface.ts';
import { environmentVariable } from '../../shared/platform.ts';
import { InFlight } from '../../runtime/service.ts';
import { withinTime, type StdioServing } from '../serving.ts';
import { StdioTransport, type LineWriter } from './stdio-transport.ts';

/** Options of serving over stdin and stdout. */
export interface StdioOptions {
  /** The longest message in bytes; a longer one is answered with an error. Default 4 MiB. */
  readonly maxMessageBytes?: number;
  /** Requests that run at the same time. Default 1000; one more is refused. */
  readonly maxCalls?: number;
  /** Milliseconds that running calls get when the client closed stdin. Default 5000. */
  readonly drainTimeout?: number;
  /**
   * Whether the process ends with its client, though a timer or a connection is still open: when the application has
   * closed because the client is gone. Default: where it reads `process.stdin`.
   */
  readonly exit?: boolean;
  /** Where requests come from. Default: `process.stdin`. */
  readonly stdin?: InputStream;
  /** Where responses go. Default: `process.stdout`. */
  readonly stdout?: OutputStream;
  /** Where output of user code goes while serving. */
  readonly stderr?: OutputStream;
}

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const DRAIN_TIMEOUT = 5000;

export const STDIO_RULES: OptionRules<StdioOptions> = {
  maxMessageBytes: positiveNumber,
  maxCalls: wholeNumber(1),
  drainTimeout: milliseconds,
  exit: trueOrFalse,
  stdin: objectWith('a stream', 'on'),
  stdout: objectWith('a stream', 'write'),
  stderr: objectWith('a stream', 'write'),
};

/**
 * Serves one client over stdin and stdout until stdin ends (spec: basic/transports, stdio).
 * From now on nothing but the protocol reaches stdout, until it is released; what was printed before, did.
 */
export async function serveStdio(
  application: ServedApplication,
  options: StdioOptions = {},
): Promise<StdioServing> {
  refuseOptions('TW_SERVER_OPTION', 'stdio()', options, STDIO_RULES);
  const surface = surfaceOf(application);
  const { stdin, stdout, stderr } = streamsOf(options);
  const guard = guardStdout(stdout, stderr);
  if (guard === undefined) throw taken();
  const {
    maxMessageBytes = MAX_MESSAGE_BYTES,
    drainTimeout = DRAIN_TIMEOUT,
    exit: endsProcess = stdin === process.stdin,
    maxCalls,
  } = options;
  const calls = new InFlight();
  const transport = new StdioTransport({
    input: stdin,
    write: guard.write,
    limit: maxMessageBytes,
  });
  const counted = { ...application, service: application.service.admittedBy(calls) };
  const connection = await openConnection(counted, transport, { maxCalls, isLocal: true, surface });
  const serving = new StdioServer({ connection, transport, calls, guard, drainTimeout, endsProcess });
  const { output } = transport;
  const drain = (): void => {
    serving.drain();
  };
  const stopHearing = [
    hearErrors(stdout, output, () => {
      serving.fail();
    }),
    hearEnd(stdin, drain),
    // Of all streams, it alone is still written at the end of the process
    ...(stdout === process.stdout ? [flushAtExit(output)] : []),
  ];
  void serving.closed.then(() => {
    for (const stop of stopHearing) stop();
  });
  if (stdin.readableEnded || stdin.destroyed) drain();
  return serving;
}

/** The environment chooses it. @throws ToolwrightError TW_SERVER_OPTION for one that does not exist */
function surfaceOf({ service }: ServedApplication): string | undefined {
  const { surfaces } = service.settings;
  if (surfaces === undefined || surfaces.choose.size === 0) return undefined;
  const name = environmentVariable('TOOLWRIGHT_SURFACE');
  if (name === undefined || name === '') return undefined;
  const fault = unknownSurface(name);
  if (fault === undefined) return name;
  throw new ToolwrightError('TW_SERVER_OPTION', {
    where: 'the environment variable TOOLWRIGHT_SURFACE',
    what: 'names no surface.',
    why: fault,
    fix: 'TOOLWRIGHT_SURFACE=flat, or leave it out',
  });
}

interface StdioParts {
  readonly connection: Connection;
  readonly transport: StdioTransport;
  readonly calls: InFlight;
  readonly guard: StdoutGuard;
  readonly drainTimeout: number;
  readonly endsProcess: boolean;
}

/** Its methods are functions of their own, because users destructure what stdio() gives. */
class StdioServer implements StdioServing {
  readonly closed: Promise<void>;
  readonly #parts: StdioParts;
  #isServing = true;
  #endedFirst: 'client' | 'server' | undefined;
  /** The client may still read, because it ended before all was over. */
  #isLeft = false;

  constructor(parts: StdioParts) {
    this.#parts = parts;
    this.closed = parts.connection.closed.then(() => {
      this.#isServing = false;
      parts.guard.retire();
    });
  }

  get isEndedByClient(): boolean {
    return this.#endedFirst === 'client';
  }

  get endsProcess(): boolean {
    return this.#parts.endsProcess;
  }

  readonly stop = async (): Promise<void> => {
    const { calls, transport } = this.#parts;
    calls.isStopping = true;
    await calls.whenIdle();
    // What has an outcome is written in the same turn
    await new Promise(setImmediate);
    await transport.output.whenUnread(0);
  };

  readonly close = (): Promise<void> => {
    this.#endedFirst ??= 'server';
    return this.#parts.connection.close();
  };

  readonly release = (): void => {
    if (!this.#isServing && !this.#isLeft) this.#parts.guard.restore();
  };

  readonly notify = (change: ChangeNotice): void => {
    this.#parts.connection.notify(change);
  };

  /** Answers what a client still asked before it closed stdin, as `echo … | server` does, but not without end. */
  drain(): void {
    this.#leave();
    this.#parts.transport.endInput();
    void withinTime(this.stop(), this.#parts.drainTimeout).then(() => this.#parts.connection.close());
  }

  /** The client does not read any more. */
  fail(): void {
    this.#leave();
    void this.close();
  }

  #leave(): void {
    this.#endedFirst ??= 'client';
    this.#isLeft ||= this.#isServing;
  }
}

interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

function streamsOf({
  stdin = process.stdin,
  stdout = process.stdout,
  stderr = process.stderr,
}: StdioOptions): Streams {
  return { stdin, stdout, stderr } as unknown as Streams;
}

function hearEnd(stdin: Readable, onEnd: () => void): () => void {
  stdin.once('end', onEnd).once('close', onEnd).on('error', onEnd);
  return () => void stdin.off('end', onEnd).off('close', onEnd).off('error', onEnd);
}

/**
 * A client that closed its end makes every further write fail; unheard, that error ends the process.
 * @returns a function that ends it, as soon as nothing that could fail is under way
 */
function hearErrors(stdout: Writable, output: LineWriter, onError: () => void): () => void {
  stdout.on('error', onError);
  const stop = async (): Promise<void> => {
    await output.whenUnread(0);
    // A stream emits an error after the write that failed, and before it closes
    await new Promise(setImmediate);
    if (output.unread > 0) return stop();
    const forget = (): void => void stdout.off('error', onError);
    if (stdout.destroyed && !stdout.closed) stdout.once('close', forget);
    else forget();
  };
  return () => void stop();
}

/** A handler may end the process while answers wait to be written together. */
function flushAtExit(output: LineWriter): () => void {
  const flush = (): void => {
    output.flush();
  };
  process.on('exit', flush);
  return () => process.off('exit', flush);
}

function taken(): ToolwrightError {
  return new ToolwrightError('TW_SERVER_STDIO_TAKEN', {
    where: 'stdio()',
    what: 'was called while it already serves',
    why: 'a process has one standard output, and two servers would mix their messages on it',
    fix: 'call stdio() once, or close the first serving before the second',
  });
}
