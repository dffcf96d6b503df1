import { createClient, type Client, type InArgs, type Row } from '@libsql/client';
import type { OnApplicationShutdown } from 'toolwright';

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS tickets (
    ticket INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    customer TEXT NOT NULL,
    subject TEXT NOT NULL,
    paid INTEGER NOT NULL,
    assignee TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS replies (
    ticket INTEGER NOT NULL REFERENCES tickets(ticket) ON DELETE CASCADE,
    author TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS refunds (
    refund INTEGER PRIMARY KEY AUTOINCREMENT,
    ticket INTEGER NOT NULL REFERENCES tickets(ticket),
    amount INTEGER NOT NULL,
    account TEXT NOT NULL
  );
`;

/** How long a statement waits for a writer in another process, such as a second desk on the same file. */
const BUSY_TIMEOUT = 5000;

export class Database implements OnApplicationShutdown {
  private constructor(private readonly client: Client) {}

  static async open(file: string): Promise<Database> {
    const client = createClient({ url: `file:${file}`, timeout: BUSY_TIMEOUT });
    await client.executeMultiple(SCHEMA);
    return new Database(client);
  }

  /** The rows of a statement, which is a transaction of its own. */
  async rows(sql: string, args: InArgs): Promise<readonly Row[]> {
    return (await this.client.execute({ sql, args })).rows;
  }

  onApplicationShutdown(): void {
    this.client.close();
  }
}
