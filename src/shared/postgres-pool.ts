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

/** Without a listener, a connection that breaks ends the process. The next query on it gets the error. */
export function ignoreBroken(source: PostgresPool | PostgresClient): () => void {
  const ignore = () => undefined;
  source.on('error', ignore);
  return () => void source.off('error', ignore);
}
