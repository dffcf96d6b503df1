import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { LineReader } from '../shared/line-reader.ts';
import { connectionClosed, connectionError, MAX_ANSWER_BYTES, tooLarge } from './client-errors.ts';
import type { ClientMessage, ClientTransport, Receiver } from './client-transport.ts';

export interface StdioTransportOptions {
  readonly args?: readonly string[];
  /** Added to the environment of this process, or to what `inherits` leaves of it. */
  readonly env?: Readonly<Record<string, string>>;
  /** The variables of this process that it gets. Default: all. */
  readonly inherits?: readonly string[];
  /** Whether it has a group of processes of its own, which ends as a whole. Default false. */
  readonly ownsGroup?: boolean;
  readonly cwd?: string;
  /** Where the server's own log goes. Default 'inherit'. */
  readonly stderr?: 'inherit' | 'ignore' | ((text: string) => void);
  /** The most bytes of one line. Default 64 MiB. */
  readonly maxAnswerBytes?: number;
}

/** Milliseconds for the server to exit after its input ends, and again after SIGTERM. */
const GRACE = 2000;

/** A server in a child process, with one message per line (spec: basic/transports, stdio). */
export class StdioTransport implements ClientTransport {
  readonly place: string;
  readonly hasResponses = false;
  readonly #command: string;
  readonly #options: StdioTransportOptions;
  readonly #maxAnswerBytes: number;
  #process: ChildProcess | undefined;
  #receiver: Receiver | undefined;
  #isClosed = false;

  constructor(command: string, options: StdioTransportOptions = {}) {
    this.#command = command;
    this.#options = options;
    this.#maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
    this.place = [command, ...(options.args ?? [])].join(' ');
  }

  async start(receiver: Receiver): Promise<void> {
    const { args = [], env = {}, cwd, stderr = 'inherit', ownsGroup = false } = this.#options;
    this.#receiver = receiver;
    const child = spawn(this.#command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...inheritedEnvironment(this.#options.inherits), ...env },
      detached: ownsGroup,
      stdio: ['pipe', 'pipe', typeof stderr === 'function' ? 'pipe' : stderr],
      windowsHide: true,
    });
    this.#process = child;
    await once(child, 'spawn').catch((cause: unknown) => {
      throw connectionError(this.place, 'cannot be started.', 'check the command and its path', cause);
    });
    if (typeof stderr === 'function')
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr(chunk.toString());
      });
    const lines = new LineReader(this.#maxAnswerBytes);
    child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        if (line === 'too-long') this.#refuse(child);
        else this.#receive(Buffer.from(line.bytes).toString());
      }
      // Its end may never come
      if (lines.isTooLong) this.#refuse(child);
    });
    // Writing to an exited process fails here; the exit event has the reason.
    child.stdin?.on('error', () => undefined);
    child.on('error', (error) => {
      receiver.failed(error);
    });
    child.on('close', (code, signal) => {
      this.#end(code, signal);
    });
  }

  send(message: ClientMessage): Promise<void> {
    const input = this.#process?.stdin;
    if (this.#isClosed || input?.writable !== true) return Promise.reject(connectionClosed(this.place));
    return new Promise((resolve, reject) => {
      input.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(connectionClosed(this.place, error));
        else resolve();
      });
    });
  }

  /** Spec: basic/lifecycle, Shutdown: closes the input, waits, then ends the process by force. */
  async close(): Promise<void> {
    const child = this.#process;
    if (child === undefined || hasEnded(child)) return;
    this.#isClosed = true;
    const closed = once(child, 'close');
    const timers = [
      setTimeout(() => this.#kill(child, 'SIGTERM'), GRACE),
      setTimeout(() => this.#kill(child, 'SIGKILL'), 2 * GRACE),
    ];
    child.stdin?.end();
    await closed.finally(() => {
      timers.forEach(clearTimeout);
      // What it has started may have outlived it
      if (this.#options.ownsGroup === true) this.#kill(child, 'SIGKILL');
    });
  }

  #kill(child: ChildProcess, signal: NodeJS.Signals): void {
    if (this.#options.ownsGroup !== true || child.pid === undefined) {
      child.kill(signal);
      return;
    }
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Nothing of the group runs any more
    }
  }

  /** Which request the line was for is not known: all of them fail. */
  #refuse({ stdout }: ChildProcess): void {
    stdout?.destroy();
    this.#receiver?.closed(tooLarge(this.place, 'one line', this.#maxAnswerBytes));
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch (cause) {
      this.#receiver?.failed(
        connectionError(
          this.place,
          `printed a line that is not a message: ${line.slice(0, 100)}`,
          'let it log to stderr',
          cause,
        ),
      );
      return;
    }
    this.#receiver?.message(message);
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    const isExpected = this.#isClosed;
    this.#isClosed = true;
    if (!isExpected && this.#process !== undefined && this.#options.ownsGroup === true)
      this.#kill(this.#process, 'SIGKILL');
    const how = signal === null ? `with the exit code ${String(code)}` : `by ${signal}`;
    this.#receiver?.closed(isExpected ? undefined : connectionError(this.place, `ended ${how}.`));
  }
}

function inheritedEnvironment(names: readonly string[] | undefined): NodeJS.ProcessEnv {
  if (names === undefined) return process.env;
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
