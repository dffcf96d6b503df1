import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = fileURLToPath(new URL('..', import.meta.url));

/** A server over stdio in a process of its own, with a client that reads only when it is asked to. */
export class StdioWire {
  readonly #child: ChildProcessWithoutNullStreams;
  #answered = 0;
  #rest = '';
  /** The latest of them. */
  #lines: string[] = [];
  #waiting: (() => void)[] = [];

  /** @param build the folder of the package */
  constructor(build: string) {
    this.#child = spawn(
      process.execPath,
      [
        '--no-warnings',
        '--import',
        '@oxc-node/core/register',
        '--import',
        './redirect.mjs',
        'servers/stdio.ts',
      ],
      {
        // the folder decides which tsconfig.json the runner reads
        cwd: HERE,
        env: {
          ...process.env,
          NODE_OPTIONS: '',
          NODE_ENV: 'test',
          ATTACKED_PACKAGE: pathToFileURL(join(build, 'package.json')).href,
        },
      },
    );
    this.#child.stderr.resume();
    this.#child.stdin.on('error', () => undefined);
  }

  /** How many lines were read. */
  get answered(): number {
    return this.#answered;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** In megabytes. */
  get memory(): number {
    const status = readFileSync(`/proc/${String(this.#child.pid)}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  }

  read(): void {
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#answered += lines.length;
      this.#lines = [...this.#lines, ...lines].slice(-2000);
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  /** Resolves when the process has taken it; false after so many milliseconds in which it did not. */
  async write(text: string, patience = 1000): Promise<boolean> {
    const { stdin } = this.#child;
    if (stdin.write(text)) return true;
    let timer: NodeJS.Timeout | undefined;
    const isTaken = await Promise.race([
      new Promise<boolean>((resolve) => stdin.once('drain', () => resolve(true))),
      new Promise<boolean>((resolve) => (timer = setTimeout(resolve, patience, false))),
    ]);
    clearTimeout(timer);
    return isTaken;
  }

  async answers(count: number): Promise<void> {
    while (this.#answered < count) {
      const { exitCode, signalCode } = this.#child;
      if (exitCode !== null || signalCode !== null) throw new Error('The server has died');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}

export function request(id: number, method: string, params: object = {}): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

export function callLine(id: number, name: string): string {
  return request(id, 'tools/call', { name: `desk_${name}_run`, arguments: {} });
}
