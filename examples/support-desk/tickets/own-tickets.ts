import { Injectable, type Caller, type PolicyObject } from 'toolwright';
import { colleagueOf } from './colleague.ts';
import type { TicketReference } from './inputs.ts';
import { TicketStore } from './ticket-store.ts';

/**
 * Agents work on their own tickets, leads on all of their tenant. What does not exist, and what belongs to others, is
 * denied alike: nobody finds out which numbers another tenant has.
 */
@Injectable()
export class OwnTickets implements PolicyObject {
  readonly reason = 'You have no such ticket; list yours first';

  constructor(private readonly store: TicketStore) {}

  async call(caller: Caller, { ticket }: TicketReference): Promise<boolean> {
    const { name, tenant, isLead } = colleagueOf(caller);
    const found = await this.store.find(tenant, ticket);
    return found !== undefined && (isLead || found.assignee === name);
  }
}
