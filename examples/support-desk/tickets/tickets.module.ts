import { Module } from 'toolwright';
import { OwnTickets } from './own-tickets.ts';
import { TicketStore } from './ticket-store.ts';
import { TicketsController } from './tickets.controller.ts';

@Module({
  controllers: [TicketsController],
  providers: [TicketStore, OwnTickets],
  exports: [TicketStore, OwnTickets],
})
export class TicketsModule {}
