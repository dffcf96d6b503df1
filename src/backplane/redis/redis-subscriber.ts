import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Logger } from '../../index.ts';
import { unref } from '../../shared/platform.ts';
import { inTime, StoreHealth } from '../shared/store-health.ts';
import type { ChannelListener, RedisConnection, RedisServers } from './redis-client.ts';
import type { RedisLink } from './redis-link.ts';

/** Milliseconds between two looks at whether what is published still arrives. */
const CHECK_INTERVAL = 10_000;
/** Milliseconds before another try to replace a connection that is broken. */
const REPLACE_INTERVAL = 250;

/**
 * The connection for what is published. When it was lost and is back, it has all of its channels again, and then
 * reports the gap.
 */
export class RedisSubscriber {
  readonly #link: RedisLink;
  readonly #timeout: number;
  readonly #health: StoreHealth;
  readonly #channels = new Map<string, Set<(text: string) => void>>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #gaps = new Set<() => void>();
  readonly #echoes: string;
  readonly #timer: NodeJS.Timeout;
  #connection: RedisConnection;
  #isClosed = false;

  /** @param connection is connected */
  constructor(
    link: RedisLink,
    connection: RedisConnection,
    { logger, timeout }: { readonly logger: Logger; readonly timeout: number },
  ) {
    this.#link = link;
    this.#timeout = timeout;
    this.#health = new StoreHealth('Listening to Redis', logger);
    this.#connection = connection;
    this.#watch(connection);
    this.#echoes = link.keys.of('echo', randomUUID());
    this.#timer = setInterval(() => void this.#check(), CHECK_INTERVAL);
    unref(this.#timer);
  }

  /** Resolves when texts arrive. @throws Error when Redis cannot be reached */
  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    const stop = this.#add(channel, listener);
    try {
      await this.#listenTo(this.#connection, channel);
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** Listens as soon as Redis can be reached, and again whenever it can. Its listener learns of each gap as of a text. */
  async keep(channel: string, listener: () => void): Promise<() => void> {
    const stop = this.#add(channel, listener);
    const forget = this.onGap(listener);
    await this.#listenTo(this.#connection, channel).catch(() => undefined);
    return () => {
      stop();
      forget();
    };
  }

  onGap(listener: () => void): () => void {
    const own = (): void => {
      listener();
    };
    this.#gaps.add(own);
    return () => this.#gaps.delete(own);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#connection.destroy();
  }

  #add(channel: string, listener: (text: string) => void): () => void {
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners);
    // The same function may listen twice
    const own = (text: string): void => {
      listener(text);
    };
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
      this.#channels.delete(channel);
      const left = this.#connection
        .unsubscribe(channel)
        // Without a connection there is nothing to end
        .catch(() => undefined)
        .finally(() => {
          if (this.#leaving.get(channel) === left) this.#leaving.delete(channel);
        });
      this.#leaving.set(channel, left);
    };
  }

  readonly #receive: ChannelListener = (text, channel) => {
    for (const listener of [...(this.#channels.get(channel) ?? [])]) listener(text);
  };

  async #listenTo(connection: RedisConnection, channel: string): Promise<void> {
    // A client that leaves a channel would forget a listener that comes before it has left
    const left = this.#leaving.get(channel) ?? Promise.resolve();
    const listening = left.then(() => connection.subscribe(channel, this.#receive));
    try {
      await inTime(listening, this.#timeout, 'Redis');
    } catch (cause) {
      const error = new Error('Listening to Redis fails', { cause });
      this.#health.failed(error);
      throw error;
    }
  }

  #watch(connection: RedisConnection): void {
    connection.onReady(() => {
      if (connection === this.#connection) void this.#resume(connection);
    });
    connection.onError((error) => {
      if (this.#isClosed) return;
      this.#health.failed(error);
      if (connection.isBroken) void this.#replace(connection);
    });
  }

  /** Its own requests, in the order of the connection: when they are answered, every channel is there again. */
  async #resume(connection: RedisConnection): Promise<void> {
    try {
      await Promise.all([...this.#channels.keys()].map((channel) => this.#listenTo(connection, channel)));
    } catch {
      // Logged, and tried again when the connection is ready the next time
      return;
    }
    this.#health.worked();
    // Who learns of a gap asks the store next
    await this.#link.whenUp();
    for (const listener of [...this.#gaps]) listener();
  }

  /** A connection whose other end is gone without a word looks like one on which nothing is published. */
  async #check(): Promise<void> {
    if (this.#channels.size === 0) return;
    const stops: (() => void)[] = [];
    try {
      const heard = new Promise<void>((resolve) => {
        stops.push(this.#add(this.#echoes, () => resolve()));
      });
      await this.#listenTo(this.#connection, this.#echoes);
      await this.#link.publish(this.#echoes, '');
      await inTime(heard, this.#timeout, 'Redis');
    } catch (error) {
      this.#health.failed(error);
      await this.#renew();
    } finally {
      for (const stop of stops) stop();
    }
  }

  /** Nothing else opens another connection in its place. */
  async #replace(broken: RedisConnection): Promise<void> {
    while (broken === this.#connection && !this.#isClosed) {
      await after(REPLACE_INTERVAL, undefined, { ref: false });
      if (broken === this.#connection) await this.#renew();
    }
  }

  async #renew(): Promise<void> {
    const fresh: RedisConnection = this.#servers.open();
    try {
      await inTime(fresh.connect(), this.#timeout, 'Redis');
    } catch {
      // The next look tries again; what is wrong has been logged
      fresh.destroy();
      return;
    }
    this.#connection.destroy();
    this.#connection = fresh;
    this.#watch(fresh);
    if (this.#isClosed) fresh.destroy();
    else await this.#resume(fresh);
  }

  get #servers(): RedisServers {
    return this.#link.servers;
  }
}
