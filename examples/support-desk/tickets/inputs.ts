import { IsInt, IsString, MaxLength, Min, MinLength } from 'class-validator';
import { Field } from 'toolwright';

export class TicketReference {
  @IsInt()
  @Min(1)
  @Field('Number of the ticket')
  ticket!: number;
}

export class ListTickets {
  @IsInt()
  @Min(0)
  @Field('Only those after this ticket: the nextCursor of the page before')
  after = 0;
}

export class NewTicket {
  @IsString()
  @MinLength(1)
  @Field('Who asks for help')
  customer!: string;

  @IsString()
  @MinLength(1)
  @MaxLength(200)
  @Field('What it is about')
  subject!: string;

  @IsInt()
  @Min(0)
  @Field('What the customer has paid, in cents')
  paid = 0;
}

export class Reply extends TicketReference {
  @IsString()
  @MinLength(1)
  @Field('The answer to the customer')
  text!: string;
}

export class Assignment extends TicketReference {
  @IsString()
  @Field('Who works on it from now on')
  assignee!: string;
}

export class Customer {
  @IsString()
  @Field('Whose tickets')
  customer!: string;
}
