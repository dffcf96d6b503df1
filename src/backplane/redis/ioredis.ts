import type { ChannelListener, RedisConnection, RedisServers, Topology } from './redis-client.ts';

/** What is used of a client of `ioredis`, alone, of a cluster, or behind sentinels. */
interface Ioredis {
  readonly isCluster: boolean;
  readonly status: string;
  readonly options: { readonly sentinels?: unknown; readonly redisOptions?: object; readonly tls?: unknown };
  duplicate(...overrides: readonly unknown[]): Ioredis;
  connect(): Promise<unknown>;
  disconnect(): void;
  call(name: string, ...args: readonly string[]): Promise<unknown>;
  on(event: string, listener: (...values: never[]) => void): unknown;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  ssubscribe(channel: string): Promise<unknown>;
  sunsubscribe(channel: string): Promise<unknown>;
}

/** A command that waits for a connection would take effect after its caller was refused. */
const OWN = { lazyConnect: true, enableOfflineQueue: false, keyPrefix: '' } as const;
const OWN_OF_SERVER = { ...OWN, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 } as const;

export function isIoredis(client: object): client is Ioredis {
  const { call, status, duplicate } = client as Partial<Ioredis>;
  return typeof call === 'function' && typeof status === 'string' && typeof duplicate === 'function';
}

export function connectIoredis(template: Ioredis): RedisServers {
  const topology = topologyOf(template);
  return {
    topology,
    usesTls: Boolean(template.options.tls),
    open: () => {
      const client = topology === 'cluster' ? duplicateCluster(template) : template.duplicate(OWN_OF_SERVER);
      // Without a listener, it writes errors to the console
      client.on('error', () => undefined);
      return new IoredisConnection(client, topology);
    },
  };
}

function topologyOf({ isCluster, options }: Ioredis): Topology {
  if (isCluster) return 'cluster';
  return (options.sentinels ?? undefined) === undefined ? 'single' : 'sentinel';
}

function duplicateCluster(template: Ioredis): Ioredis {
  const redisOptions = { ...template.options.redisOptions, autoResendUnfulfilledCommands: false };
  return template.duplicate([], { ...OWN, shardedSubscribers: true, redisOptions });
}

class IoredisConnection implements RedisConnection {
  /** The library connects again by itself. */
  readonly isBroken = false;
  readonly #client: Ioredis;
  readonly #isSharded: boolean;
  readonly #listeners = new Map<string, ChannelListener>();

  constructor(client: Ioredis, topology: Topology) {
    this.#client = client;
    this.#isSharded = topology === 'cluster';
    client.on(this.#isSharded ? 'smessage' : 'message', (channel: string, text: string) => {
      this.#listeners.get(channel)?.(text, channel);
    });
  }

  get isReady(): boolean {
    return this.#client.status === 'ready';
  }

  async connect(): Promise<void> {
    await this.#client.connect();
  }

  send([name = '', ...args]: readonly string[]): Promise<unknown> {
    return this.#client.call(name, ...args);
  }

  async subscribe(channel: string, listener: ChannelListener): Promise<void> {
    this.#listeners.set(channel, listener);
    await (this.#isSharded ? this.#client.ssubscribe(channel) : this.#client.subscribe(channel));
  }

  async unsubscribe(channel: string): Promise<void> {
    this.#listeners.delete(channel);
    await (this.#isSharded ? this.#client.sunsubscribe(channel) : this.#client.unsubscribe(channel));
  }

  onReady(listener: () => void): void {
    this.#client.on('ready', listener);
  }

  onError(listener: (error: Error) => void): void {
    this.#client.on('error', listener);
  }

  destroy(): void {
    this.#client.disconnect();
  }
}
