import { IsEmail, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Action, Destructive, Field, Input, Module, ReadOnly, ToolGroup } from 'toolwright';
import type { Describe } from 'toolwright';

const TIERS = ['free', 'pro', 'enterprise'];
const STATES = ['open', 'waiting', 'closed'];

class FindCustomers {
  @IsOptional() @IsString() @Field('Part of the name or e-mail') text?: string;
  @IsOptional() @IsIn(TIERS) tier?: string;
  @IsOptional() @IsInt() @Min(1) @Max(100) limit?: number;
}

class CustomerRef {
  @IsString() @Field('Number of the customer') customer!: string;
}

class NewCustomer {
  @IsString() name!: string;
  @IsOptional() @IsEmail() email?: string;
  @IsOptional() @IsIn(TIERS) tier?: string;
}

class ChangedCustomer extends CustomerRef {
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsEmail() email?: string;
  @IsOptional() @IsIn(TIERS) tier?: string;
}

class MergedCustomers extends CustomerRef {
  @IsString() @Field('The customer that stays') into!: string;
}

/** A phone has a number, and e-mail has an address. */
const NEW_CONTACT = {
  type: 'object',
  properties: { customer: { type: 'string' } },
  required: ['customer'],
  oneOf: [
    { properties: { kind: { const: 'phone' }, number: { type: 'string' } }, required: ['kind', 'number'] },
    {
      properties: { kind: { const: 'email' }, email: { type: 'string', format: 'email' } },
      required: ['kind', 'email'],
    },
  ],
};

class ContactRef {
  @IsString() @Field('Number of the contact') contact!: string;
}

class FindTickets {
  @IsOptional() @IsString() text?: string;
  @IsOptional() @IsIn(STATES) state?: string;
  @IsOptional() @IsString() customer?: string;
  @IsOptional() @IsInt() @Min(1) @Max(100) limit?: number;
}

class TicketRef {
  @IsString() @Field('Number of the ticket') ticket!: string;
}

class NewTicket extends CustomerRef {
  @IsString() subject!: string;
  @IsOptional() @IsString() body?: string;
  @IsOptional() @IsInt() @Min(1) @Max(5) @Field('1 is the most urgent') priority?: number;
}

class Reply extends TicketRef {
  @IsString() body!: string;
}

class Assignment extends TicketRef {
  @IsString() @Field('Name of a colleague') colleague!: string;
}

class Closing extends TicketRef {
  @IsOptional() @IsString() @Field('What solved it') solution?: string;
}

class FindOrders extends CustomerRef {
  @IsOptional() @IsString() @Field('First day, as 2026-11-26') since?: string;
}

class OrderRef {
  @IsString() @Field('Number of the order') order!: string;
}

class Refund extends OrderRef {
  @IsInt() @Min(1) @Field('In cents') amount!: number;
  @IsOptional() @IsString() reason?: string;
}

class Period {
  @IsString() @Field('First day, as 2026-11-26') since!: string;
  @IsOptional() @IsString() @Field('Last day; today where it is left out') until?: string;
}

/** The customer relations of a company: 20 actions in four tools. */
export function createCrm(describe: Describe) {
  @ToolGroup({ name: 'crm', description: 'Customers of the company', describe })
  class Crm {}

  @ToolGroup({ name: 'customers', parent: Crm })
  class Customers {}

  @ToolGroup({ name: 'records', parent: Customers })
  class Records {
    @Action('Find customers') @ReadOnly() find(_input: FindCustomers): void {}
    @Action('Show one customer') @ReadOnly() get(_input: CustomerRef): void {}
    @Action('Add a customer') create(_input: NewCustomer): void {}
    @Action('Change a customer') update(_input: ChangedCustomer): void {}
    @Action('Merge a customer into another one') merge(_input: MergedCustomers): void {}
    @Action('Delete a customer and all tickets')
    @Destructive({ confirm: true })
    remove(_input: CustomerRef): void {}
  }

  @ToolGroup({ name: 'contacts', parent: Customers, description: 'How to reach a customer' })
  class Contacts {
    @Action('List the ways to reach a customer') @ReadOnly() list(_input: CustomerRef): void {}
    @Action({ description: 'Add a way to reach a customer', input: NEW_CONTACT })
    add(@Input() _input: object): void {}
    @Action('Remove a way to reach a customer') @Destructive() remove(_input: ContactRef): void {}
  }

  @ToolGroup({ name: 'tickets', description: 'Requests of customers', describe })
  class Tickets {
    @Action('Find tickets') @ReadOnly() find(_input: FindTickets): void {}
    @Action('Show one ticket with its replies') @ReadOnly() get(_input: TicketRef): void {}
    @Action('Open a ticket') open(_input: NewTicket): void {}
    @Action('Answer a customer') reply(_input: Reply): void {}
    @Action('Give a ticket to a colleague') assign(_input: Assignment): void {}
    @Action('Close a ticket') close(_input: Closing): void {}
    @Action('Delete a ticket') @Destructive() remove(_input: TicketRef): void {}
  }

  @ToolGroup({ name: 'orders', description: 'What customers bought', describe })
  class Orders {
    @Action('List the orders of a customer') @ReadOnly() list(_input: FindOrders): void {}
    @Action('Show one order') @ReadOnly() get(_input: OrderRef): void {}
    @Action('Pay money back') @Destructive() refund(_input: Refund): void {}
  }

  @ToolGroup({ name: 'reports', description: 'Figures of the company', describe })
  class Reports {
    @Action('Sales of a period') @ReadOnly() sales(_input: Period): void {}
  }

  @Module({ controllers: [Crm, Customers, Records, Contacts, Tickets, Orders, Reports] })
  class CrmModule {}
  return CrmModule;
}
