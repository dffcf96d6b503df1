/**
 * A client of `@redis/client` or `redis` (`createClient`, `createCluster`, `createSentinel`), or of `ioredis` (`Redis`,
 * `Cluster`). Only its settings are used: connections are its duplicates, and it need not be connected itself.
 */
export interface RedisClient {
  /** Makes another client with the same settings. */
  duplicate(...overrides: never[]): unknown;
  /** Both libraries are emitters of events. */
  on(...listener: never[]): unknown;
}

/** One client that belongs to the backplane. */
export interface RedisConnection {
  /** Whether a command would be sent at once. */
  readonly isReady: boolean;
  /** Whether it got what is not the protocol. Nobody knows to which command the next reply belongs: it has ended. */
  readonly isBroken: boolean;
  /** Resolves when it is ready. It may try for as long as the server cannot be reached. */
  connect(): Promise<void>;
  /** @param key decides which node of a cluster gets the command */
  send(command: readonly string[], key: string | undefined): Promise<unknown>;
  /** Once more for the same listener changes nothing. */
  subscribe(channel: string, listener: ChannelListener): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** Each time that it is ready, after it has lost its connection as well. */
  onReady(listener: () => void): void;
  onError(listener: (error: Error) => void): void;
  /** Ends it; what waits for a reply rejects. */
  destroy(): void;
}

export type ChannelListener = (text: string, channel: string) => void;

/** How the servers stand together. In a cluster, channels belong to nodes as keys do. */
export type Topology = 'single' | 'sentinel' | 'cluster';

/** Where connections come from. */
export interface RedisServers {
  readonly topology: Topology;
  /** Whether connections speak TLS. */
  readonly usesTls: boolean;
  open(): RedisConnection;
}
