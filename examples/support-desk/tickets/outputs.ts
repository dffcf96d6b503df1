import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Page } from 'toolwright';
import type { Ticket } from './ticket-store.ts';

class ListedTicket implements Ticket {
  @IsInt() ticket!: number;
  @IsString() customer!: string;
  @IsString() subject!: string;
  @IsInt() paid!: number;
  @IsString() assignee!: string;
}

/** As many tickets as fit into the budget. The framework cuts the list and says after which ticket it goes on. */
export class TicketPage {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ListedTicket)
  @Page<Ticket>({ cursor: ({ ticket }) => ticket })
  tickets!: readonly Ticket[];

  @IsOptional()
  @IsInt()
  nextCursor?: number;
}
