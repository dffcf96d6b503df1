import { Module } from 'toolwright';
import { TicketsModule } from '../tickets/tickets.module.ts';
import { RefundStore } from './refund-store.ts';
import { RefundsController } from './refunds.controller.ts';

@Module({ imports: [TicketsModule], controllers: [RefundsController], providers: [RefundStore] })
export class RefundsModule {}
