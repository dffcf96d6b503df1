import {
  Action,
  Concurrency,
  Destructive,
  Idempotent,
  Policy,
  Quota,
  ReadOnly,
  Scopes,
  ToolGroup,
} from 'toolwright';
import { TicketReference } from '../tickets/inputs.ts';
import { OwnTickets } from '../tickets/own-tickets.ts';
import { Refund } from './inputs.ts';
import { RefundStore, type PaidRefund } from './refund-store.ts';

@ToolGroup({ name: 'refunds', description: 'Money that goes back to customers' })
@Policy(OwnTickets)
export class RefundsController {
  constructor(private readonly store: RefundStore) {}

  @Action('List the refunds of a ticket')
  @Scopes('tickets:read')
  @ReadOnly()
  list({ ticket }: TicketReference): Promise<readonly PaidRefund[]> {
    return this.store.list(ticket);
  }

  @Action('Pay money back')
  @Scopes('refunds:write')
  @Quota({ limit: 100, per: 'day', by: 'tenant' })
  @Concurrency({ limit: 2, by: 'tenant', queue: { size: 10, timeout: 5_000 } })
  @Destructive({ confirm: true })
  @Idempotent({ key: 'idempotencyKey' })
  pay(refund: Refund): Promise<PaidRefund> {
    return this.store.pay(refund);
  }
}
