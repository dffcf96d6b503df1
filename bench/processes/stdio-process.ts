import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { StdioClient } from '../load/stdio-load.ts';
import { NODE_OPTIONS, serverEnvironment, type ServerProgram } from './server-process.ts';

/** A server over stdio in a process of its own. */
export class StdioProcess {
  readonly client: StdioClient;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #failed: Promise<never>;

  constructor({ file, args = [] }: ServerProgram) {
    this.#child = spawn(process.execPath, [...NODE_OPTIONS, file, ...args], { env: serverEnvironment() });
    let output = '';
    this.#child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    this.#failed = once(this.#child, 'exit').then(() => {
      throw new Error(`It ended: ${output.slice(-500)}`);
    });
    this.#failed.catch(() => undefined);
    this.client = new StdioClient(this.#child.stdin, this.#child.stdout);
  }

  /** What is done with the client, unless the server ends before. */
  use<T>(work: (client: StdioClient) => Promise<T>): Promise<T> {
    return Promise.race([work(this.client), this.#failed]);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
