import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from 'toolwright';
import type { Place } from '../../src/operations/operation.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import { describeOperation, jsonAnswer, offer } from './offer.ts';

const text: JsonSchema = { type: 'string' };
const openBody = (
  properties: Readonly<Record<string, JsonSchema>>,
  further: JsonSchema | true = true,
): Place => ({
  in: 'body',
  source: { type: 'object', properties, additionalProperties: further },
  isRequired: true,
});
const query = (name: string, source: JsonSchema = text): Place => ({
  in: 'query',
  name,
  source,
  isRequired: false,
});

test('an action with confirm does nothing before a person agreed, and says that it is destructive', async () => {
  const close = describeOperation('POST /tasks/close', { name: 'close' });
  const api = await offer([close], { actions: { 'tasks.close': { confirm: 'twice' } } });
  const { tools } = await api.client.listTools();
  expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  expect(factsOf(await api.call({ action: 'close' }))).toMatchObject({ code: 'CONSENT_REQUIRED' });
  expect(api.requests).toEqual([]);
});

describe('a hidden field', () => {
  const create = (...inputs: Place[]) => describeOperation('POST /tasks', { name: 'create', inputs });
  const settings = { hide: ['tenant'], defaults: { tenant: 'own', state: 'open' } };

  test.each([
    ['of an open body', create(openBody({ title: text, state: text, tenant: text }))],
    ['of a query beside an open body', create(query('tenant'), openBody({ title: text, state: text }))],
  ])('%s cannot be set', async (_where, operation) => {
    const api = await offer([operation], { actions: { 'tasks.create': settings } });
    const refused = await api.call({ action: 'create', title: 'a', tenant: 'other' });
    expect(textOf(refused)).toMatch(/tenant[^]*unknown field/);
    expect(factsOf(refused)).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(api.requests).toEqual([]);
    await api.call({ action: 'create', title: 'a', state: 'closed', more: 1 });
    const [request] = api.requests;
    const sent = { ...(JSON.parse(request?.body ?? '') as object), ...readQuery(request?.path) };
    expect(sent).toEqual({ title: 'a', state: 'closed', tenant: 'own', more: 1 });
  });

  test('cannot be set by its name in the body, where the input has another name for it', async () => {
    const operation = create(query('tenant', { type: 'integer' }), openBody({ tenant: text }));
    const api = await offer([operation], {
      actions: { 'tasks.create': { hide: ['tenant__body'], defaults: { tenant__body: 'own' } } },
    });
    for (const name of ['tenant', 'tenant__body']) {
      expect(factsOf(await api.call({ action: 'create', [name]: 'other' }))).toMatchObject({
        code: 'VALIDATION_FAILED',
      });
    }
    expect(api.requests).toEqual([]);
    await api.call({ action: 'create', tenant__query: 7 });
    expect(api.requests).toEqual([
      expect.objectContaining({ path: '/tasks?tenant=7', body: '{"tenant":"own"}' }),
    ]);
  });

  test('leaves the rule for further names as it is', async () => {
    const operation = create(openBody({ tenant: text }, { type: 'integer' }));
    const api = await offer([operation], { actions: { 'tasks.create': settings } });
    expect(factsOf(await api.call({ action: 'create', more: 'a' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    await api.call({ action: 'create', more: 1 });
    expect(api.requests).toHaveLength(1);
  });
});

function readQuery(path = ''): object {
  return Object.fromEntries(new URL(path, 'http://in.process').searchParams);
}

test('fields keep parts of objects, and nothing of another answer arrives', async () => {
  const find = describeOperation('GET /tasks');
  const options = { actions: { 'tasks.find': { fields: ['id', 'owner.name'] } } };
  const rows = [
    { id: 1, owner: { name: 'ada', key: 'k' } },
    { id: 2, owner: 'secret', key: 'k' },
  ];
  const api = await offer([find], options, jsonAnswer(rows));
  expect(JSON.parse(textOf(await api.call({ action: 'find' })))).toEqual([
    { id: 1, owner: { name: 'ada' } },
    { id: 2 },
  ]);
  const other = await offer([find], options, jsonAnswer('secret'));
  const refused = await other.call({ action: 'find' });
  expect(factsOf(refused)).toMatchObject({ code: 'UPSTREAM_ANSWER' });
  expect(JSON.stringify(refused)).not.toContain('secret');
});
