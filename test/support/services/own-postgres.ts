import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../../src/shared/error-shape.ts';
import { findService, HERE } from './find-service.ts';
import { POSTGRES } from './service.ts';
import { startPostgres, type StartedPostgres } from './start-postgres.ts';
import type { Started } from './start-program.ts';

/** A PostgreSQL that one test file stops, kills and starts again. */
export class OwnPostgres implements AsyncDisposable {
  readonly #directory: string;
  readonly #first: StartedPostgres;
  #server: Started;

  constructor(directory: string, server: StartedPostgres) {
    this.#directory = directory;
    this.#first = server;
    this.#server = server;
  }

  static async start(): Promise<OwnPostgres> {
    // An address that a variable names is not ours to kill
    const { TOOLWRIGHT_POSTGRES_URL: _, ...variables } = process.env;
    const found = await findService(POSTGRES, { ...HERE, variables });
    if (!('program' in found)) throw new Error('There is no PostgreSQL to start');
    // The temporary directory of root may be closed to the user that a server runs as
    const directory = await mkdtemp(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'toolwright-own-'));
    return new OwnPostgres(directory, await startPostgres(found.program, directory));
  }

  get url(): string {
    return this.#server.address;
  }

  /** Stops all of its processes where they are. */
  async suspend(): Promise<void> {
    await this.#toAll('SIGSTOP');
  }

  async resume(): Promise<void> {
    await this.#toAll('SIGCONT');
  }

  /** Ends all of its processes at once, without a word to anybody. */
  async kill(): Promise<void> {
    for (const pid of this.#children()) signalTo(pid, 'SIGKILL');
    await this.#server.signal('SIGKILL');
  }

  async restart(): Promise<void> {
    for (;;) {
      try {
        this.#server = await this.#first.again();
        return;
      } catch {
        // Processes of the one before may be on their way out
        await pause(50);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.resume();
    await this.#server.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #toAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    for (const pid of this.#children()) signalTo(pid, signal);
    await this.#server.signal(signal);
  }

  #children(): readonly number[] {
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const pairs = listed
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.flatMap(([pid = 0, parent]) => (parent === this.#server.pid ? [pid] : []));
  }
}

/** Some processes of a server end by themselves between two looks. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
