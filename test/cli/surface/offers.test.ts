import { expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { offersOf } from '../../../src/cli/surface/offers.ts';
import type { Surface } from '../../../src/cli/surface/surface.ts';
import { createCrm } from '../../support/crm-app.ts';

/** What a server with these tools offers. */
function offersWith(...tools: readonly object[]) {
  const none = { prompts: [], resources: [], resourceTemplates: [] };
  return offersOf({ ...none, tools } as unknown as Surface);
}

/** A tool with an argument that has to be one of some texts. */
function toolWith(name: string, keys: readonly string[], description?: string) {
  const properties = { [name]: { type: 'string', enum: keys, description }, text: { type: 'string' } };
  return { name: 'crm', inputSchema: { type: 'object', properties, required: [name] } };
}

/** What is offered by a server at a distance with one tool. */
function remoteOffers(description: string, keys: readonly string[]) {
  return offersWith({ ...toolWith('action', keys), description });
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

test('a tool that takes one of several texts is one action, unless the text chooses an action', () => {
  const namesIn = (...tools: readonly object[]) => offersWith(...tools).map(({ name }) => name);
  expect(namesIn(toolWith('status', ['open', 'done']))).toEqual(['crm']);
  expect(namesIn(toolWith('action', ['open', 'done']))).toEqual(['crm.open', 'crm.done']);
  for (const description of ['The action to run, written group.action', 'One of the actions above'])
    expect(namesIn(toolWith('operation', ['a', 'b'], description))).toEqual(['crm.a', 'crm.b']);
  // An application says which tools have actions
  const actions = ['a', 'b'].map((key) => ({ key, inputSchema: { type: 'object' }, annotations: {} }));
  const told = { ...toolWith('kind', ['a', 'b']), name: 'desk', actions };
  expect(namesIn(toolWith('action', ['open', 'done']), told)).toEqual(['crm', 'desk.a', 'desk.b']);
});
