import { expect, test } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import { Action, Input, Module, ToolGroup, type CallToolResult, type JsonSchema } from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { z } from 'zod';
import { textOf } from '../support/text-of.ts';

const string: JsonSchema = { type: 'string' };

const Invoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('company'), id: z.string(), customer: z.string(), vat: z.string() }),
  z.object({ kind: z.literal('person'), id: z.string(), name: z.string(), vat: z.string().optional() }),
  z.object({ kind: z.literal(['cash', 'test']), id: z.string() }),
]);

/** The tag of one union stands beside it, the other union is untagged. */
const Payment: JsonSchema = {
  type: 'object',
  properties: { by: { enum: ['card', 'bank', 'cheque'] }, due: { ...string, default: 'now' } },
  required: ['by'],
  oneOf: [
    { properties: { by: { const: 'card' }, number: string }, required: ['number'] },
    { properties: { by: { enum: ['bank', 'cheque'] }, iban: string }, required: ['iban', 'due'] },
  ],
  anyOf: [{ required: ['note'] }, { properties: { note: string, mark: string }, required: ['mark'] }],
};

class Office {
  @IsOptional() @IsString() office?: string;
}

function grouped(options: { readonly describe?: 'plain' | 'toon'; readonly expose?: 'grouped' | 'flat' }) {
  @ToolGroup({ name: 'bills', common: Office, ...options })
  class Bills {
    @Action({ description: 'Write an invoice', input: Invoice }) invoice(
      @Input() input: z.infer<typeof Invoice>,
    ): unknown {
      return input;
    }
    @Action({ input: Payment }) pay(@Input() input: object): unknown {
      return input;
    }
  }
  @Module({ controllers: [Bills] })
  class Root {}
  return createTestApplication(Root);
}

test('a workflow line says what each branch of a tagged union needs', async () => {
  const tests = await grouped({});
  const [tool] = (await (await tests.client()).listTools()).tools;
  expect(tool?.description?.split('Workflow:\n')[1]?.split('\n')).toEqual([
    `- 'invoice': Write an invoice. Requires: kind, id; with kind "company": customer, vat; with kind "person": name`,
    `- 'pay': Requires: by; with by "card": number; with by "bank" or "cheque": iban`,
  ]);
  await tests.close();
});

test('a field says with which tag it is required, behind what it says anyway', async () => {
  const tests = await grouped({});
  const [tool] = (await (await tests.client()).listTools()).tools;
  const properties = tool?.inputSchema.properties as Record<string, JsonSchema>;
  const described = Object.entries(properties).map(([name, { description }]) => [name, description]);
  expect(Object.fromEntries(described)).toEqual({
    action: 'The action to run',
    office: 'For: invoice, pay',
    kind: 'Required for: invoice',
    id: 'Required for: invoice',
    customer: 'For: invoice. Required for invoice with kind "company"',
    vat: 'For: invoice. Required for invoice with kind "company"',
    name: 'For: invoice. Required for invoice with kind "person"',
    by: 'Required for: pay',
    due: 'For: pay',
    number: 'For: pay. Required for pay with by "card"',
    iban: 'For: pay. Required for pay with by "bank" or "cheque"',
    note: 'For: pay',
    mark: 'For: pay',
  });
  expect(Object.keys(tool?.inputSchema ?? {})).toEqual(['type', 'properties', 'required']);
  await tests.close();
});

test('a TOON description has it in the column of required fields', async () => {
  const tests = await grouped({ describe: 'toon' });
  const [tool] = (await (await tests.client()).listTools()).tools;
  expect(tool?.description).toContain(
    String.raw`invoice|Write an invoice|"kind,id; with kind \"company\": customer,vat; with kind \"person\": name"`,
  );
  await tests.close();
});

test('a tool of one action says it in its description, as its root has no union', async () => {
  const tests = await grouped({ expose: 'flat' });
  const [invoice, pay] = (await (await tests.client()).listTools()).tools;
  expect(invoice?.description).toBe(
    'Write an invoice. Requires: kind, id; with kind "company": customer, vat; with kind "person": name',
  );
  expect(pay?.description).toBe(
    'pay. Requires: by; with by "card": number; with by "bank" or "cheque": iban',
  );
  expect(invoice?.inputSchema).not.toHaveProperty('oneOf');
  await tests.close();
});

test('a call that lacks what its branch needs gets an error with the field', async () => {
  const tests = await grouped({});
  const client = await tests.client();
  const call = async (args: Record<string, unknown>): Promise<string> =>
    textOf((await client.callTool({ name: 'bills', arguments: args })) as CallToolResult);
  const invoice = await call({ action: 'invoice', kind: 'company', id: '1', customer: 'c' });
  expect(invoice).toContain('Validation failed: vat: ');
  expect(invoice).not.toContain('name');
  const pay = await call({ action: 'pay', by: 'bank', mark: 'm' });
  expect(pay).toContain('Validation failed: iban: ');
  expect(pay).not.toContain('number');
  await tests.close();
});
