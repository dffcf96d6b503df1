import type { Row } from '@libsql/client';
import { Injectable, ToolError } from 'toolwright';
import { Database } from '../storage/database.ts';
import type { NewTicket } from './inputs.ts';

export interface Ticket {
  readonly ticket: number;
  readonly customer: string;
  readonly subject: string;
  readonly paid: number;
  readonly assignee: string;
}

/** The tickets of a tenant. Each query names the tenant, so that no ticket of another one is ever read. */
@Injectable()
export class TicketStore {
  constructor(private readonly database: Database) {}

  /** Those of an agent, or of all. */
  async list(tenant: string, assignee: string | undefined, after: number): Promise<readonly Ticket[]> {
    const sql =
      'SELECT * FROM tickets WHERE tenant = ? AND assignee = ifnull(?, assignee) AND ticket > ? ORDER BY ticket';
    return (await this.database.rows(sql, [tenant, assignee ?? null, after])).map(toTicket);
  }

  async find(tenant: string, ticket: number): Promise<Ticket | undefined> {
    const sql = 'SELECT * FROM tickets WHERE tenant = ? AND ticket = ?';
    const [row] = await this.database.rows(sql, [tenant, ticket]);
    return row && toTicket(row);
  }

  async open(tenant: string, assignee: string, { customer, subject, paid }: NewTicket): Promise<Ticket> {
    const sql =
      'INSERT INTO tickets (tenant, customer, subject, paid, assignee) VALUES (?, ?, ?, ?, ?) RETURNING *';
    const [row] = await this.database.rows(sql, [tenant, customer, subject, paid, assignee]);
    return toTicket(row!);
  }

  async assign(tenant: string, ticket: number, assignee: string): Promise<Ticket> {
    const sql = 'UPDATE tickets SET assignee = ? WHERE tenant = ? AND ticket = ? RETURNING *';
    const [row] = await this.database.rows(sql, [assignee, tenant, ticket]);
    if (row === undefined) throw new ToolError('UNKNOWN_TICKET', `There is no ticket ${ticket}`);
    return toTicket(row);
  }

  async reply(ticket: number, author: string, text: string): Promise<void> {
    const sql = 'INSERT INTO replies (ticket, author, text) VALUES (?, ?, ?)';
    await this.database.rows(sql, [ticket, author, text]);
  }

  /** How many tickets of the customer there were. */
  async forget(tenant: string, customer: string): Promise<number> {
    const sql =
      "UPDATE tickets SET customer = '', subject = '' WHERE tenant = ? AND customer = ? RETURNING 1";
    return (await this.database.rows(sql, [tenant, customer])).length;
  }
}

function toTicket(row: Row): Ticket {
  return {
    ticket: row['ticket'] as number,
    customer: row['customer'] as string,
    subject: row['subject'] as string,
    paid: row['paid'] as number,
    assignee: row['assignee'] as string,
  };
}
