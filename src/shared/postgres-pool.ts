/** What is used of a client of `pg`. */
export interface PostgresClient {
  /** Runs a statement with the values of its parameters. */
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: Readonly<Record<string, unknown>>[] }>;
  /** Adds a listener for errors of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Removes a listener for errors of the connection. */
  off(event: 'error', listener: (error: Error) => void): unknown;
  /** @param broken the connection is closed instead of being used again */
  release(broken?: boolean): void;
}

/** What is used of a `Pool` of `pg`. */
export interface PostgresPool extends Omit<PostgresClient, 'release'> {
  /** Takes a connection out of the pool. */
  connect(): Promise<PostgresClient>;
  /** Closes all connections. */
  end(): Promise<void>;
}

/** A pool as an emitter of events: it reports a client before it hands it out. */
interface PoolEvents {
  on(event: 'acquire', listener: (client: PostgresClient) => void): unknown;
  off(event: 'acquire', listener: (client: PostgresClient) => void): unknown;
}

const ignore = (): void => undefined;

/** Once for a client that is handed out again and again. */
const guard = (client: PostgresClient): void => {
  client.off('error', ignore);
  client.on('error', ignore);
};

/**
 * Keeps connections that break from ending the process. The pool takes its own listener off a client that it hands out,
 * and the error may come in the same packet as the word that the client is connected: the code that waits for the client
 * is too late then. So each client gets a listener before it is handed out, and keeps it. The next query on it rejects.
 * @returns a function that lets go of the pool
 */
export function ignoreBroken(pool: PostgresPool): () => void {
  const ignoreIdle = (): void => undefined;
  const guardNext = (client: PostgresClient): void => {
    guard(client);
  };
  const events = pool as unknown as PoolEvents;
  pool.on('error', ignoreIdle);
  events.on('acquire', guardNext);
  return () => {
    pool.off('error', ignoreIdle);
    events.off('acquire', guardNext);
  };
}
