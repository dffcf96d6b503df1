import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILED } from '../folders.ts';

export interface Memory {
  /** In bytes, as everything here. */
  readonly rss: number;
  readonly heapUsed: number;
}

/** What is measured: a program that prints its address once it serves. */
export interface ServerProgram {
  readonly name: string;
  readonly file: string;
  readonly args?: readonly string[];
  /** What it reads from stdin; an answer of many tools is too long for an argument. */
  readonly settings?: object;
  /** What to load before it. */
  readonly imports?: readonly string[];
}

const STARTING = 20_000;
const REPORTER = pathToFileURL(join(COMPILED, 'servers/report-memory.js')).href;

/** Options of Node for everything that is measured: none of a loader, and a way to collect garbage. */
export const NODE_OPTIONS: readonly string[] = ['--expose-gc', '--import', REPORTER];

/** A server in a process of its own. */
export class ServerProcess {
  readonly name: string;
  readonly url: URL;
  readonly #child: ChildProcess;

  private constructor(name: string, url: URL, child: ChildProcess) {
    this.name = name;
    this.url = url;
    this.#child = child;
  }

  /** @throws Error with the last of its output, when it ends or is silent instead of serving. */
  static async start({
    name,
    file,
    args = [],
    settings = {},
    imports = [],
  }: ServerProgram): Promise<ServerProcess> {
    const execArgv = [...NODE_OPTIONS, ...imports.flatMap((url) => ['--import', url])];
    const child = fork(file, args, { execArgv, silent: true, env: serverEnvironment() });
    child.stdin?.end(JSON.stringify(settings));
    let output = '';
    const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-2000));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const timer = setTimeout(() => child.kill('SIGKILL'), STARTING);
    const url = await new Promise<string>((resolve, reject) => {
      child.once('message', (message: { readonly url: string }) => resolve(message.url));
      child.once('exit', () => reject(new Error(`It does not serve: ${faultIn(output)}`)));
    }).finally(() => clearTimeout(timer));
    return new ServerProcess(name, new URL(url), child);
  }

  /** @param moment `settled` collects garbage before */
  async memory(moment: 'now' | 'settled'): Promise<Memory> {
    return (await this.ask(moment)) as Memory;
  }

  /** One question at a time. */
  ask(question: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`${this.name} ended before it answered`));
      this.#child.once('exit', fail);
      this.#child.once('message', (answer) => {
        this.#child.off('exit', fail);
        resolve(answer);
      });
      this.#child.send(question);
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Servers are measured as in production, and tell nobody that they run. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const quiet = { MCP_USE_ANONYMIZED_TELEMETRY: 'false' };
  return { ...process.env, ...quiet, NODE_OPTIONS: '', NODE_ENV: 'production' };
}

/** The line that says what went wrong, out of the output of a process that crashed. */
function faultIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /Error\b.*:/.test(line)) ?? lines.find((line) => line !== '') ?? 'no output';
}
