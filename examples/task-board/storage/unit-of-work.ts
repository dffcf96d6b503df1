import type { InArgs, ResultSet } from '@libsql/client';
import { Injectable } from 'toolwright';
import { Database, type WriteTransaction } from './database.ts';

/** What one call writes. It begins with the first write, and what is not committed is rolled back. */
@Injectable({ scope: 'request' })
export class UnitOfWork {
  #transaction: Promise<WriteTransaction> | undefined;

  constructor(private readonly database: Database) {}

  async run(sql: string, args: InArgs = []): Promise<ResultSet> {
    this.#transaction ??= this.database.begin();
    return (await this.#transaction).run(sql, args);
  }

  async commit(): Promise<void> {
    await (await this.#transaction)?.commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A transaction that could not begin has failed the call already.
    const transaction = await this.#transaction?.catch(() => undefined);
    transaction?.end();
  }
}
