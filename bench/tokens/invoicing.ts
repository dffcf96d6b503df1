import {
  IsDateString,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import { Action, Destructive, Field, Module, OpenWorld, ReadOnly, ToolGroup } from 'toolwright';

class Page {
  @IsOptional() @IsInt() @Min(1) @Max(100) @Field('How many at most') limit?: number;
}
class CustomerRef {
  @IsString() @MinLength(1) @Field('Number of the customer, such as C-17') customer!: string;
}
class NewCustomer {
  @IsString() @MinLength(1) @Field('Name as on the letterhead') name!: string;
  @IsString() @Field('Where invoices are sent') email!: string;
  @IsOptional() @IsString() @Field('VAT number') vat?: string;
}
class CustomerChange extends CustomerRef {
  @IsOptional() @IsString() @Field('Where invoices are sent') email?: string;
  @IsOptional() @IsInt() @Min(0) @Max(120) @Field('Days until an invoice is due') terms?: number;
}
class InvoiceRef {
  @IsString() @MinLength(1) @Field('Number of the invoice, such as 2026-0042') invoice!: string;
}
class InvoiceFilter extends Page {
  @IsOptional()
  @IsIn(['draft', 'sent', 'paid', 'overdue', 'void'])
  @Field('Only those in this state')
  state?: string;
  @IsOptional() @IsString() @Field('Only those of this customer') customer?: string;
}
class NewInvoice extends CustomerRef {
  @IsIn(['EUR', 'USD', 'GBP']) @Field('The currency of all amounts') currency!: string;
  @IsOptional() @IsDateString() @Field('The day on the invoice; today unless given') date?: string;
}
class Line extends InvoiceRef {
  @IsString() @MinLength(1) @Field('What was delivered') text!: string;
  @IsNumber() @Min(0) @Field('How many') quantity!: number;
  @IsNumber() @Field('Net price of one') price!: number;
}
class LineRef extends InvoiceRef {
  @IsInt() @Min(1) @Field('Place of the line') line!: number;
}
class Send extends InvoiceRef {
  @IsOptional() @IsString() @Field('A sentence above the invoice') message?: string;
}
class NewPayment extends InvoiceRef {
  @IsNumber() @Min(0.01) @Field('Amount received') amount!: number;
  @IsIn(['transfer', 'card', 'cash']) @Field('How it came') method!: string;
  @IsOptional() @IsDateString() @Field('The day it arrived; today unless given') date?: string;
}
class PaymentRef {
  @IsString() @MinLength(1) @Field('Number of the payment') payment!: string;
}
class Credit extends InvoiceRef {
  @IsString() @MinLength(3) @Field('Why, as the customer reads it') reason!: string;
}
class Period {
  @IsDateString() @Field('The first day') from!: string;
  @IsDateString() @Field('The last day') to!: string;
}

interface Invoice {
  readonly invoice: string;
  readonly customer: string;
  readonly currency: string;
  readonly state: string;
  readonly lines: readonly Omit<Line, 'invoice'>[];
}

@ToolGroup({ name: 'customers', description: 'Customers of the company' })
@OpenWorld(false)
class Customers {
  @Action('List customers by name') @ReadOnly() list(_page: Page) {
    return [{ customer: 'C-17', name: 'Acme Ltd', email: 'books@acme.example' }];
  }
  @Action('Show a customer with open invoices') @ReadOnly() get({ customer }: CustomerRef) {
    return { customer, name: 'Acme Ltd', email: 'books@acme.example', terms: 14, open: ['2026-0041'] };
  }
  @Action('Add a customer') create({ name }: NewCustomer) {
    return { customer: 'C-18', name };
  }
  @Action('Change the address or the terms of a customer') update({ customer }: CustomerChange) {
    return { customer };
  }
  @Action('Delete a customer without invoices') @Destructive() remove({ customer }: CustomerRef) {
    return { customer };
  }
}

@ToolGroup({ name: 'invoices', description: 'Invoices, from the draft to the reminder' })
@OpenWorld(false)
class Invoices {
  readonly #invoices = new Map<string, Invoice>();

  @Action('List invoices, newest first') @ReadOnly() list({
    state = 'sent',
    customer = 'C-17',
  }: InvoiceFilter) {
    return [...this.#invoices.keys()].map((invoice) => ({ invoice, customer, state }));
  }
  @Action('Show an invoice with its lines and total') @ReadOnly() get({ invoice }: InvoiceRef) {
    const found = this.#invoices.get(invoice);
    return { ...found, total: found?.lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0) };
  }
  @Action('Begin a draft for a customer') create({ customer, currency }: NewInvoice) {
    const invoice = `2026-${String(42 + this.#invoices.size).padStart(4, '0')}`;
    this.#invoices.set(invoice, { invoice, customer, currency, state: 'draft', lines: [] });
    return { invoice, state: 'draft' };
  }
  @Action('Add a line to a draft') add_line({ invoice, ...line }: Line) {
    const found = this.#invoices.get(invoice);
    if (found !== undefined) this.#invoices.set(invoice, { ...found, lines: [...found.lines, line] });
    return { invoice, line: (found?.lines.length ?? 0) + 1 };
  }
  @Action('Take a line out of a draft') remove_line({ invoice, line }: LineRef) {
    return { invoice, line };
  }
  @Action('Send an invoice; it cannot be changed afterwards') send({ invoice }: Send) {
    return { invoice, state: 'sent', due: '2026-12-12' };
  }
  @Action('Remind the customer of an overdue invoice') remind({ invoice }: Send) {
    return { invoice, reminders: 1 };
  }
  @Action('Cancel an invoice with a credit note') @Destructive() void({ invoice, reason }: Credit) {
    return { invoice, state: 'void', reason };
  }
}

@ToolGroup({ name: 'payments', description: 'Money that came in, and what it adds up to' })
@OpenWorld(false)
class Payments {
  @Action('List payments, newest first') @ReadOnly() list(_page: Page) {
    return [];
  }
  @Action('Record a payment for an invoice') record({ invoice, amount }: NewPayment) {
    return { payment: 'P-9', invoice, amount };
  }
  @Action('Pay a payment back') @Destructive() refund({ payment }: PaymentRef) {
    return { payment, state: 'refunded' };
  }
  @Action('Sum up what customers owe, by age') @ReadOnly() owed(_page: Page) {
    return { current: 1200, over30: 0, over60: 310.5 };
  }
  @Action('Sum up sales and tax of a period') @ReadOnly() sales({ from, to }: Period) {
    return { from, to, net: 18_400, tax: 3496 };
  }
  @Action('Give the payments of a period as CSV') @ReadOnly() export({ from, to }: Period) {
    return `date;invoice;amount\n${from};2026-0041;310.50\n${to};2026-0042;1428.00\n`;
  }
}

/** An invoicing service of 19 actions. */
@Module({ controllers: [Customers, Invoices, Payments] })
export class InvoicingModule {}
