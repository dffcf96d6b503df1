import { createClient, type Client, type InArgs, type ResultSet, type Row } from '@libsql/client';
import type { OnApplicationShutdown } from 'toolwright';

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    title TEXT NOT NULL,
    priority INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    UNIQUE (workspace, title)
  );
  CREATE TABLE IF NOT EXISTS comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task INTEGER NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    text TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    action TEXT NOT NULL,
    at TEXT NOT NULL
  );
`;

/** How long a statement waits for a writer in another process, such as a second server on the same file. */
const BUSY_TIMEOUT = 5000;

export interface WriteTransaction {
  run(sql: string, args: InArgs): Promise<ResultSet>;
  commit(): Promise<void>;
  /** Rolls back what was not committed, and lets the next writer begin. */
  end(): void;
}

export class Database implements OnApplicationShutdown {
  #lastWriter: Promise<void> = Promise.resolve();

  private constructor(private readonly client: Client) {}

  static async open(file: string): Promise<Database> {
    const client = createClient({ url: `file:${file}`, timeout: BUSY_TIMEOUT });
    await client.executeMultiple(SCHEMA);
    return new Database(client);
  }

  async query(sql: string, args: InArgs = []): Promise<readonly Row[]> {
    return (await this.client.execute({ sql, args })).rows;
  }

  /** SQLite has one writer and waits for it synchronously, so the calls of this process queue up here. */
  async begin(): Promise<WriteTransaction> {
    const previous = this.#lastWriter;
    let release = (): void => undefined;
    this.#lastWriter = new Promise((resolve) => (release = resolve));
    await previous;
    try {
      const transaction = await this.client.transaction('write');
      return {
        run: (sql, args) => transaction.execute({ sql, args }),
        commit: () => transaction.commit(),
        end: () => {
          transaction.close();
          release();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.client.close();
  }
}
