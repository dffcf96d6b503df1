import { createClient, type Client, type InArgs, type Row, type Transaction } from '@libsql/client';
import type { OnApplicationShutdown } from 'toolwright';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    title TEXT NOT NULL,
    priority INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0
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

/** The database file. SQLite has one writer, so write transactions queue up here. */
export class Database implements OnApplicationShutdown {
  #lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(private readonly client: Client) {}

  static async open(file: string): Promise<Database> {
    const client = createClient({ url: file === ':memory:' ? 'file::memory:?cache=shared' : `file:${file}` });
    await client.executeMultiple(SCHEMA);
    return new Database(client);
  }

  async query(sql: string, args: InArgs = []): Promise<readonly Row[]> {
    return (await this.client.execute({ sql, args })).rows;
  }

  /** Waits for its turn; the next writer waits until `release` is called. */
  async begin(): Promise<{ transaction: Transaction; release: () => void }> {
    const turn = this.#lastWrite;
    let release = (): void => undefined;
    this.#lastWrite = new Promise<void>((resolve) => (release = resolve));
    await turn;
    try {
      return { transaction: await this.client.transaction('write'), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.client.close();
  }
}
