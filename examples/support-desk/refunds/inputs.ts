import { IsInt, Matches, Min } from 'class-validator';
import { Field, Sensitive } from 'toolwright';
import { TicketReference } from '../tickets/inputs.ts';

export class Refund extends TicketReference {
  @IsInt()
  @Min(1)
  @Field('In cents')
  amount!: number;

  @Matches(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/)
  @Sensitive()
  @Field('IBAN of the customer')
  account!: string;
}
