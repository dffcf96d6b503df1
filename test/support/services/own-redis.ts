import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findService } from './find-service.ts';
import { REDIS } from './service.ts';
import type { Started } from './start-program.ts';
import { startRedis } from './start-redis.ts';

/** A Redis that belongs to one test, which may stop, kill and start it again at the same address. */
export class OwnRedis {
  readonly url: string;
  readonly port: number;
  readonly #program: string;
  readonly #directory: string;
  readonly #settings: readonly string[];
  #server: Started;

  private constructor(program: string, directory: string, settings: readonly string[], server: Started) {
    this.#program = program;
    this.#directory = directory;
    this.#settings = settings;
    this.#server = server;
    this.url = server.address;
    this.port = Number(new URL(server.address).port);
  }

  /** @param settings as `redis-server` takes them */
  static async start(...settings: readonly string[]): Promise<OwnRedis> {
    // Not one that a variable names: tests would stop it
    const found = await findService({ ...REDIS, variable: '' });
    const program = 'program' in found ? found.program : '';
    const directory = await mkdtemp(join(tmpdir(), 'toolwright-redis-'));
    return new OwnRedis(program, directory, settings, await startRedis(program, directory, settings));
  }

  /** It keeps its connections, and does not answer. */
  async suspend(): Promise<void> {
    await this.#server.signal('SIGSTOP');
  }

  async resume(): Promise<void> {
    await this.#server.signal('SIGCONT');
  }

  async kill(): Promise<void> {
    await this.#server.signal('SIGKILL');
  }

  async startAgain(): Promise<void> {
    this.#server = await startRedis(this.#program, this.#directory, this.#settings, this.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Also one that is suspended
    await this.#server.signal('SIGCONT');
    await this.#server.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
