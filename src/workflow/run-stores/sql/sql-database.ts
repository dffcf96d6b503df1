export type SqlValue = string | number | null;

export type SqlRow = Readonly<Record<string, unknown>>;

/** Where statements run. Parameters are `$1`, `$2` and so on. */
export interface SqlSession {
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/** The little in which the statements of the databases differ. */
export interface SqlDialect {
  /** The type of a text that is compared in code units. */
  readonly text: string;
  /** Ends a SELECT whose rows nobody else may change until the transaction ends. */
  readonly forUpdate: string;
  /** The function that gives where in its first argument the second one begins; 0 for nowhere. */
  readonly position: string;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: string;
  /** Gives a row when `tw_meta` is where new tables are made. */
  readonly findMeta: string;
  /** Keeps other processes out of a migration until the transaction ends, where BEGIN does not. */
  readonly lockSchema?: string;
}

/** A database, each statement outside of `transaction` being one by itself. */
export interface SqlDatabase extends SqlSession {
  readonly dialect: SqlDialect;
  /** Connects, once however often it is called; after a failure it can be tried again. */
  open(): Promise<void>;
  /** Commits what the work did, or nothing of it. Work that met other work is done again. */
  transaction<Result>(work: (session: SqlSession) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
