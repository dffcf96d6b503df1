import {
  Action,
  Budget,
  Destructive,
  Policy,
  RateLimit,
  ReadOnly,
  Roles,
  Scopes,
  ToolContext,
  ToolGroup,
} from 'toolwright';
import { colleagueOf } from './colleague.ts';
import { Assignment, Customer, ListTickets, NewTicket, Reply, TicketReference } from './inputs.ts';
import { TicketPage } from './outputs.ts';
import { OwnTickets } from './own-tickets.ts';
import { TicketStore, type Ticket } from './ticket-store.ts';

/** Scopes say what a program may do for a person, roles what the person may do. */
@ToolGroup({ name: 'tickets', description: 'The tickets of your company' })
@Scopes('tickets:read')
export class TicketsController {
  constructor(private readonly store: TicketStore) {}

  @Action({ description: 'List your tickets, or all of them for a lead', output: TicketPage })
  @ReadOnly()
  @Budget({ bytes: 4_000 })
  async list({ after }: ListTickets, ctx: ToolContext): Promise<Pick<TicketPage, 'tickets'>> {
    const { name, tenant, isLead } = colleagueOf(ctx.caller);
    return { tickets: await this.store.list(tenant, isLead ? undefined : name, after) };
  }

  @Action('Read a ticket')
  @ReadOnly()
  @Policy(OwnTickets)
  async read({ ticket }: TicketReference, ctx: ToolContext): Promise<Ticket | undefined> {
    return this.store.find(colleagueOf(ctx.caller).tenant, ticket);
  }

  @Action({ description: 'Report how many tickets each customer has', task: { queue: 'reports' } })
  @ReadOnly()
  async report(ctx: ToolContext): Promise<Readonly<Record<string, number>>> {
    const { tenant } = colleagueOf(ctx.caller);
    // A step that was done is not done again where another worker goes on
    const tickets = await ctx.step('tickets', () => this.store.list(tenant, undefined, 0));
    await ctx.progress(1, 2, `Counting ${tickets.length} tickets`);
    const counts: Record<string, number> = {};
    for (const { customer } of tickets) counts[customer] = (counts[customer] ?? 0) + 1;
    return counts;
  }

  @Action('Open a ticket of your own')
  @Scopes('tickets:write')
  open(input: NewTicket, ctx: ToolContext): Promise<Ticket> {
    const { name, tenant } = colleagueOf(ctx.caller);
    return this.store.open(tenant, name, input);
  }

  @Action('Answer the customer')
  @Scopes('tickets:write')
  @Policy(OwnTickets)
  @RateLimit({ limit: 3, per: 'minute' })
  async reply({ ticket, text }: Reply, ctx: ToolContext): Promise<string> {
    await this.store.reply(ticket, colleagueOf(ctx.caller).name, text);
    return `The customer of ticket ${ticket} has an answer`;
  }

  @Action('Give a ticket to somebody else')
  @Scopes('tickets:write')
  @Roles('lead', 'admin', { denied: 'refuse' })
  assign({ ticket, assignee }: Assignment, ctx: ToolContext): Promise<Ticket> {
    return this.store.assign(colleagueOf(ctx.caller).tenant, ticket, assignee);
  }

  @Action('Forget a customer: name and subject of all tickets')
  @Scopes('tickets:write')
  @Roles('admin')
  @Destructive({ confirm: true })
  async forget({ customer }: Customer, ctx: ToolContext): Promise<string> {
    const count = await this.store.forget(colleagueOf(ctx.caller).tenant, customer);
    return `${count} tickets name nobody any more`;
  }
}
