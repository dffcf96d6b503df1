import type { Row } from '@libsql/client';
import { Injectable, ToolError } from 'toolwright';
import { Database } from '../storage/database.ts';
import type { Refund } from './inputs.ts';

export interface PaidRefund {
  readonly refund: number;
  readonly amount: number;
  /** The last digits; the whole of it is for the bank only. */
  readonly account: string;
}

@Injectable()
export class RefundStore {
  constructor(private readonly database: Database) {}

  async list(ticket: number): Promise<readonly PaidRefund[]> {
    const sql = 'SELECT * FROM refunds WHERE ticket = ? ORDER BY refund';
    return (await this.database.rows(sql, [ticket])).map(toRefund);
  }

  /** @throws ToolError where less is left of what the customer has paid, also if two pay at the same time */
  async pay({ ticket, amount, account }: Refund): Promise<PaidRefund> {
    const sql = `
      INSERT INTO refunds (ticket, amount, account) SELECT ticket, ?, ? FROM tickets AS t
      WHERE ticket = ? AND paid >= ? + (SELECT ifnull(sum(amount), 0) FROM refunds WHERE ticket = t.ticket)
      RETURNING *`;
    const [row] = await this.database.rows(sql, [amount, account.slice(-4), ticket, amount]);
    if (row === undefined) {
      throw new ToolError('TOO_MUCH', 'The customer has not paid that much, less what was paid back', {
        suggestion: 'list the refunds of the ticket first',
        availableActions: ['list'],
      });
    }
    return toRefund(row);
  }
}

function toRefund(row: Row): PaidRefund {
  return {
    refund: row['refund'] as number,
    amount: row['amount'] as number,
    account: row['account'] as string,
  };
}
