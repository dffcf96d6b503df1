import type { InArgs, ResultSet, Transaction } from '@libsql/client';
import { Injectable } from 'toolwright';
import { Database } from './database.ts';

/** The write transaction of one call. What was not committed when the call ends is rolled back. */
@Injectable({ scope: 'request' })
export class UnitOfWork {
  #open: Promise<{ transaction: Transaction; release: () => void }> | undefined;

  constructor(private readonly database: Database) {}

  async run(sql: string, args: InArgs = []): Promise<ResultSet> {
    this.#open ??= this.database.begin();
    const { transaction } = await this.#open;
    return transaction.execute({ sql, args });
  }

  async commit(): Promise<void> {
    await (await this.#open)?.transaction.commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = await this.#open;
    open?.transaction.close();
    open?.release();
  }
}
