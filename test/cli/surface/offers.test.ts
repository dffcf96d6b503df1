import { expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { offersOf } from '../../../src/cli/surface/offers.ts';
import type { Surface } from '../../../src/cli/surface/surface.ts';
import { createCrm } from '../../support/crm-app.ts';

/** What is offered by a server at a distance with one tool. */
function remoteOffers(description: string, keys: readonly string[]) {
  const properties = { action: { type: 'string', enum: keys }, text: { type: 'string' } };
  const inputSchema = { type: 'object', properties, required: ['action'] };
  const tool = { name: 'crm', description, inputSchema } as unknown as Surface['tools'][number];
  const none = { prompts: [], resources: [], resourceTemplates: [] };
  return offersOf({ ...none, tools: [tool] } as unknown as Surface);
}

test('reads the signatures of a server at a distance', async () => {
  const app = await McpApplication.create(createCrm('signatures'));
  const [{ description, inputSchema } = { description: '', inputSchema: undefined }] = app.definitions;
  await app.close();
  const keys = inputSchema?.properties?.['action']?.enum as readonly string[];
  const offers = remoteOffers(description, keys);
  expect(offers.map(({ signature }) => signature)).toEqual([
    'crm.customers.records.find(text?, tier?, limit?)',
    'crm.customers.records.get(customer)',
    'crm.customers.records.create(name, email?, tier?)',
    'crm.customers.records.update(customer, name?, email?, tier?)',
    'crm.customers.records.merge(customer, into)',
    'crm.customers.records.remove(customer)',
    'crm.customers.contacts.list(customer)',
    'crm.customers.contacts.add(customer, kind, number (if kind="phone"), email (if kind="email"))',
    'crm.customers.contacts.remove(contact)',
  ]);
  expect(offers[5]).toMatchObject({
    description: 'Delete a customer and all tickets',
    marks: ['destructive'],
  });
  expect(offers[0]).toMatchObject({ description: 'Find customers', marks: [] });
});

test.each([
  [
    'a(x: ")"|"(", (b: (string|null)[], c) | d): Text (of) it [read] [deprecated: use b]',
    'x: ")"|"(", (b: (string|null)[], c) | d',
  ],
  ['a()', ''],
  // Where no line is that of the action, the schema says it
  ['a(x', 'text?: string'],
  [`a(${'x'.repeat(5000)})`, 'text?: string'],
  ['a(x) and more', 'text?: string'],
  ['ab(x)', 'text?: string'],
])('reads %s', (line, parameters) => {
  expect(remoteOffers(`Much. Actions:\n${line}`, ['a'])[0]?.signature).toBe(`crm.a(${parameters})`);
});
