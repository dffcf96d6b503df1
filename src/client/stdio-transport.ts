import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { connectionClosed, connectionError } from './client-errors.ts';
import type { ClientMessage, ClientTransport, Receiver } from './client-transport.ts';

export interface StdioTransportOptions {
  readonly args?: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Where the server's own log goes. Default 'inherit'. */
  readonly stderr?: 'inherit' | 'ignore' | ((text: string) => void);
}

/** Milliseconds for the server to exit after its input ends, and again after SIGTERM. */
const GRACE = 2000;
/** In characters. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** A server in a child process, with one message per line (spec: basic/transports, stdio). */
export class StdioTransport implements ClientTransport {
  readonly place: string;
  readonly hasResponses = false;
  readonly #command: string;
  readonly #options: StdioTransportOptions;
  #process: ChildProcess | undefined;
  #receiver: Receiver | undefined;
  #isClosed = false;

  constructor(command: string, options: StdioTransportOptions = {}) {
    this.#command = command;
    this.#options = options;
    this.place = [command, ...(options.args ?? [])].join(' ');
  }

  async start(receiver: Receiver): Promise<void> {
    const { args = [], env = {}, cwd, stderr = 'inherit' } = this.#options;
    this.#receiver = receiver;
    const child = spawn(this.#command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
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
    child.stdout?.on(
      'data',
      lineReader((line) => {
        this.#receive(line);
      }),
    );
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
      setTimeout(() => child.kill('SIGTERM'), GRACE),
      setTimeout(() => child.kill('SIGKILL'), 2 * GRACE),
    ];
    child.stdin?.end();
    await closed.finally(() => {
      timers.forEach(clearTimeout);
    });
  }

  #receive(line: string): void {
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
    const how = signal === null ? `with the exit code ${String(code)}` : `by ${signal}`;
    this.#receiver?.closed(isExpected ? undefined : connectionError(this.place, `ended ${how}.`));
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function lineReader(receive: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    // Drop an endless line instead of filling the memory.
    if (rest.length > LONGEST_LINE) rest = '';
    for (const line of lines) if (line.trim() !== '') receive(line);
  };
}
