import type { ChannelListener, RedisConnection, RedisServers, Topology } from './redis-client.ts';

/** What is used of a client of `@redis/client`, alone, of a cluster, or behind sentinels. */
interface NodeRedis {
  readonly isReady: boolean;
  readonly options?: { readonly url?: string; readonly socket?: { readonly tls?: unknown } };
  duplicate(overrides: object): NodeRedis;
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: string, listener: (value: Error) => void): unknown;
  sendCommand(...args: readonly unknown[]): Promise<unknown>;
  subscribe(channel: string, listener: ChannelListener): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  sSubscribe(channel: string, listener: ChannelListener): Promise<unknown>;
  sUnsubscribe(channel: string): Promise<unknown>;
}

export function isNodeRedis(client: object): client is NodeRedis {
  const { sendCommand, duplicate } = client as Partial<NodeRedis>;
  return 'isReady' in client && typeof sendCommand === 'function' && typeof duplicate === 'function';
}

export function connectNodeRedis(template: NodeRedis): RedisServers {
  const topology = topologyOf(template);
  return {
    topology,
    usesTls: socketIsTls(template.options),
    open: () => {
      const client = template.duplicate(overridesOf(topology));
      // Without a listener, an error would end the process
      client.on('error', () => undefined);
      return new NodeRedisConnection(client, topology);
    },
  };
}

function socketIsTls({ url, socket }: NodeRedis['options'] = {}): boolean {
  return Boolean(socket?.tls) || url?.startsWith('rediss:') === true;
}

function topologyOf(client: NodeRedis): Topology {
  if ('nodeByAddress' in client) return 'cluster';
  return 'acquire' in client ? 'sentinel' : 'single';
}

/** A command that waits for a connection would take effect after its caller was refused. */
function overridesOf(topology: Topology): object {
  // Its own timeout ends only what is not sent yet, and costs an AbortSignal for each command
  const commandOptions = { timeout: 0 };
  const own = { disableOfflineQueue: true, commandOptions };
  if (topology === 'cluster') return { commandOptions, defaults: own };
  return topology === 'sentinel' ? { commandOptions } : own;
}

class NodeRedisConnection implements RedisConnection {
  isBroken = false;
  readonly #client: NodeRedis;
  readonly #topology: Topology;

  constructor(client: NodeRedis, topology: Topology) {
    this.#client = client;
    this.#topology = topology;
    if (topology === 'single') client.on('error', () => this.#endIfBroken());
  }

  /** Where a reply cannot be read, the library goes on with the next one, and gives each to the command before its own. */
  #endIfBroken(): void {
    if (!this.#client.isReady) return;
    this.isBroken = true;
    this.#client.destroy();
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  async connect(): Promise<void> {
    await this.#client.connect();
  }

  send(command: readonly string[], key: string | undefined): Promise<unknown> {
    if (this.#topology === 'cluster') return this.#client.sendCommand(key, false, command);
    if (this.#topology === 'sentinel') return this.#client.sendCommand(false, command);
    return this.#client.sendCommand(command);
  }

  async subscribe(channel: string, listener: ChannelListener): Promise<void> {
    if (this.#topology === 'cluster') await this.#client.sSubscribe(channel, listener);
    else await this.#client.subscribe(channel, listener);
  }

  async unsubscribe(channel: string): Promise<void> {
    if (this.#topology === 'cluster') await this.#client.sUnsubscribe(channel);
    else await this.#client.unsubscribe(channel);
  }

  onReady(listener: () => void): void {
    for (const event of ['ready', 'node-ready']) this.#client.on(event, listener);
  }

  onError(listener: (error: Error) => void): void {
    for (const event of ['error', 'node-error']) this.#client.on(event, listener);
  }

  destroy(): void {
    // It throws when it is closed already, and sentinels reject
    void Promise.resolve()
      .then(() => this.#client.destroy())
      .catch(() => undefined);
  }
}
