import type { Logger } from '../../index.ts';
import { unref } from '../../shared/platform.ts';
import { inTime, StoreHealth, StoreTimeout } from '../shared/store-health.ts';
import type { RedisConnection, RedisServers } from './redis-client.ts';
import type { RedisKeys } from './redis-keys.ts';
import { TELL_TIME, type RedisScript } from './redis-script.ts';

export interface LinkOptions {
  readonly keys: RedisKeys;
  readonly logger: Logger;
  /** Milliseconds that a command may take. */
  readonly timeout: number;
}

/** What one command says beyond its words. */
interface SendOptions {
  /** Decides which node of a cluster gets it. */
  readonly key?: string | undefined;
  /** Called with a reply that comes after its caller was refused. */
  readonly late?: ((reply: unknown) => void) | undefined;
}

/** Milliseconds between two looks at a server that fails. */
const PROBE_INTERVAL = 250;
/** Milliseconds: a Redis that is full refuses long texts, and takes short ones in between. */
const QUIET = 10_000;
/** Milliseconds after which a connection that says nothing is given up for a new one. */
const PATIENCE = 5000;

/**
 * The connection for commands. A command is sent at once or refused, and waits for its reply no longer than the
 * deadline. While the server does not answer, commands are refused without asking it, until it answers again.
 */
export class RedisLink {
  readonly keys: RedisKeys;
  readonly servers: RedisServers;
  readonly #timeout: number;
  readonly #reach: StoreHealth;
  readonly #writes: StoreHealth;
  #connection: RedisConnection;
  readonly #waiting: (() => void)[] = [];
  #isSilent = false;
  #isProbing = false;
  #isClosed = false;

  /** @param connection is connected */
  constructor(servers: RedisServers, connection: RedisConnection, { keys, logger, timeout }: LinkOptions) {
    this.servers = servers;
    this.keys = keys;
    this.#connection = connection;
    this.#timeout = timeout;
    this.#reach = new StoreHealth('Redis', logger);
    this.#writes = new StoreHealth('Writing to Redis', logger, QUIET);
  }

  /** Runs a script; its keys have one hash tag. Texts and whole numbers come back as Redis gives them. */
  async run(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    late?: (reply: unknown) => void,
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args.map(String)];
    const options = { key: keys[0], late };
    const reply = await this.send(['EVALSHA', script.sha, ...rest], options).catch((error: unknown) => {
      if (!isRefusal(error, 'NOSCRIPT')) throw error;
      return this.send(['EVAL', script.text, ...rest], options);
    });
    if (script.writes) this.#writes.worked();
    return reply;
  }

  /** Milliseconds since the epoch, by the clock of the server that has the key. */
  async now(key: string): Promise<number> {
    return Number(await this.run(TELL_TIME, [key], []));
  }

  /** @throws Error what Redis replies, or that it does not in time */
  async send(command: readonly string[], { key, late }: SendOptions = {}): Promise<unknown> {
    const { isReady } = this.#connection;
    if (!isReady || (this.#isSilent && this.servers.topology !== 'cluster')) {
      const error = new Error(isReady ? 'Redis does not answer' : 'Redis cannot be reached');
      this.#lost(error);
      throw error;
    }
    try {
      return await inTime(this.#connection.send(command, key), this.#timeout, 'Redis', (reply) => {
        // So that what was done too late can be taken back now
        this.#answered();
        late?.(reply);
      });
    } catch (error) {
      if (isRefusal(error)) {
        if (!isRefusal(error, 'NOSCRIPT')) this.#writes.failed(error);
        throw error;
      }
      this.#lost(error);
      if (error instanceof StoreTimeout) throw error;
      throw new Error('Redis cannot be reached', { cause: error });
    }
  }

  async publish(channel: string, text: string): Promise<void> {
    await this.send([this.publishing, channel, text], { key: channel });
  }

  /** The command that publishes, for scripts. */
  get publishing(): string {
    return this.servers.topology === 'cluster' ? 'SPUBLISH' : 'PUBLISH';
  }

  /** Resolves as soon as commands are sent again; never, when it is closed. */
  async whenUp(): Promise<void> {
    if (!this.#connection.isReady) this.#lost(new Error('Redis cannot be reached'));
    if (this.#isSilent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.destroy();
  }

  #lost(error: unknown): void {
    this.#reach.failed(error);
    if (this.#isClosed) return;
    this.#isSilent = true;
    if (this.#isProbing) return;
    this.#isProbing = true;
    this.#probeLater(performance.now());
  }

  #answered(): void {
    this.#isSilent = false;
    this.#reach.worked();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #probeLater(since: number): void {
    unref(setTimeout(() => void this.#probe(since), PROBE_INTERVAL));
  }

  async #probe(since: number): Promise<void> {
    if (this.#isClosed) return;
    if (await answers(this.#connection, this.#timeout)) {
      this.#isProbing = false;
      this.#answered();
      return;
    }
    const isSilent = performance.now() - since > PATIENCE && this.servers.topology === 'single';
    const isStale = isSilent || this.#connection.isBroken;
    if (isStale) await this.#renew();
    this.#probeLater(isStale ? performance.now() : since);
  }

  /** A connection whose other end is gone without a word would be silent for many minutes. */
  async #renew(): Promise<void> {
    const fresh = this.servers.open();
    try {
      await inTime(fresh.connect(), this.#timeout, 'Redis');
      const stale = this.#connection;
      this.#connection = this.#isClosed ? stale : fresh;
      (this.#isClosed ? fresh : stale).destroy();
    } catch {
      // The next probe tries again; what is wrong has been logged
      fresh.destroy();
    }
  }
}

async function answers(connection: RedisConnection, timeout: number): Promise<boolean> {
  if (!connection.isReady) return false;
  return inTime(connection.send(['PING'], undefined), timeout, 'Redis').then(
    () => true,
    // LOADING and the like are answers: the next command says what is wrong
    (error: unknown) => isRefusal(error),
  );
}

/** Whether Redis itself refused a command: such messages begin with a code. */
export function isRefusal(error: unknown, code = '[A-Z]{2,}'): error is Error {
  if (!(error instanceof Error) || error instanceof StoreTimeout) return false;
  return new RegExp(`^${code}\\b`).test(error.message);
}
