import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from 'toolwright';
import type { Place } from '../../src/operations/operation.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import { answerOfType, describeOperation, jsonAnswer, offer } from './offer.ts';

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
    const sent = { ...(JSON.parse(String(request?.body)) as object), ...readQuery(request?.path) };
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

describe('select', () => {
  const find = describeOperation('GET /tasks', { inputs: [query('text')] });
  const rows = [{ id: 1, owner: { name: 'ada', key: 'k' }, secret: 's' }];

  test('lets a call choose what stays, of what fields keep', async () => {
    const options = { actions: { 'tasks.find': { select: true, fields: ['id', 'owner'] } } };
    const api = await offer([find], options, jsonAnswer(rows));
    const called = async (fields: readonly string[]) => api.call({ action: 'find', text: 'a', fields });
    expect(JSON.parse(textOf(await called(['owner.name'])))).toEqual([{ owner: { name: 'ada' } }]);
    expect(api.requests).toEqual([expect.objectContaining({ path: '/tasks?text=a' })]);
    const refused = await called(['secret', 'titel']);
    expect(textOf(refused)).toContain('not in the answer: secret, titel; known are id, owner');
    expect(factsOf(refused)).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(factsOf(await called(Array.from({ length: 51 }, () => 'id')))).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  test('leaves an answer without such parts as it is, and does not fail what a write has done', async () => {
    const options = { actions: { 'tasks.*': { select: true } } };
    const api = await offer([find], options, jsonAnswer([]));
    expect(textOf(await api.call({ action: 'find', fields: ['id'] }))).toBe('[]');
    const create = describeOperation('POST /tasks', { name: 'create' });
    const other = await offer([create], options, jsonAnswer({ id: 1 }));
    expect(textOf(await other.call({ action: 'create', fields: ['titel'] }))).toBe('{}');
  });
});

describe('output', () => {
  const answer: JsonSchema = {
    type: 'object',
    properties: { id: { type: 'integer' }, owner: { $ref: '#/$defs/Owner' } },
    required: ['id', 'owner'],
    additionalProperties: false,
    $defs: { Owner: { type: 'object', properties: { name: text, key: text }, required: ['name'] } },
  };
  const read = describeOperation('GET /tasks/1', { name: 'read', answer });
  const whole = { id: 1, owner: { name: 'ada', key: 'k' }, more: true };

  test('publishes what fields keep, and gives it as structured content', async () => {
    const settings = { output: true, fields: ['owner.name'] };
    const api = await offer([read], { actions: { 'tasks.read': settings } }, jsonAnswer(whole));
    const { tools } = await api.client.listTools();
    expect(tools[0]?.outputSchema?.properties).toEqual({
      owner: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    const result = await api.call({ action: 'read' });
    expect(result.structuredContent).toEqual({ owner: { name: 'ada' } });
  });

  const readWith = async (output: true | 'strict', given: unknown) => {
    const api = await offer([read], { actions: { 'tasks.read': { output } } }, jsonAnswer(given));
    await api.client.listTools();
    return { api, result: await api.call({ action: 'read' }) };
  };

  test('takes further members', async () => {
    for (const output of [true, 'strict'] as const) {
      const { result } = await readWith(output, whole);
      expect(result.isError ?? false).toBe(false);
      expect(result.structuredContent).toEqual(whole);
    }
  });

  test('gives an answer that breaks it as text, and logs the first one', async () => {
    const { api, result } = await readWith(true, { id: 'one', owner: { name: 'ada' } });
    expect(result.structuredContent).toBeUndefined();
    expect(result.content.at(-1)).toEqual({ type: 'text', text: '{"id":"one","owner":{"name":"ada"}}' });
    expect(factsOf(result)).toMatchObject({ code: 'UPSTREAM_ANSWER', issues: [{ path: 'id' }] });
    // Clients refuse a success without what the tool publishes
    expect(result.isError).toBe(true);
    await api.call({ action: 'read' });
    expect(api.logged).toEqual([
      expect.objectContaining({ event: 'upstream.drift', tool: 'tasks', action: 'read' }),
    ]);
    expect(JSON.stringify(api.logged)).not.toContain('one');
  });

  test('says what it has to say where an answer has no body', async () => {
    const options = { actions: { 'tasks.read': { output: true } } };
    const api = await offer([read], options, answerOfType('', '', 204));
    expect((await api.call({ action: 'read' })).content.at(-1)).toEqual({ type: 'text', text: 'OK' });
  });

  test('with strict, an answer that breaks it is kept away', async () => {
    const { api, result } = await readWith('strict', { id: 'one' });
    expect(factsOf(result)).toMatchObject({ code: 'INVALID_OUTPUT' });
    expect(textOf(result)).not.toContain('one');
    expect(api.logged).toEqual([]);
  });

  test('is not published without the setting', async () => {
    const { tools } = await (await offer([read], {})).client.listTools();
    expect(tools[0]?.outputSchema).toBeUndefined();
  });
});

test('a header that is not required is an argument where settings name it', async () => {
  const region: Place = { in: 'header', name: 'x-region', source: text, isRequired: false, isOptIn: true };
  const find = describeOperation('GET /tasks', { inputs: [region] });
  const without = await offer([find], {});
  expect(JSON.stringify((await without.client.listTools()).tools)).not.toContain('x-region');
  expect(factsOf(await without.call({ action: 'find', 'x-region': 'eu' }))).toMatchObject({
    code: 'VALIDATION_FAILED',
  });
  const api = await offer([find], { actions: { 'tasks.find': { headers: ['X-Region'] } } });
  await api.call({ action: 'find', 'x-region': 'eu' });
  expect(api.requests).toEqual([expect.objectContaining({ headers: { 'x-region': 'eu' } })]);
});

describe('an idempotency header', () => {
  const idempotency = 'Idempotency-Key';
  const pay = describeOperation('POST /orders', { name: 'pay' });

  test('goes with each write, new for each call, and with no read', async () => {
    const api = await offer([pay, describeOperation('GET /tasks')], { idempotency });
    for (const action of ['pay', 'pay', 'find']) await api.call({ action });
    const [first, second, read] = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(read).toBeUndefined();
  });

  test('is equal for calls that their caller calls the same, and does not show the key itself', async () => {
    const actions = { 'tasks.pay': { idempotent: { key: 'idempotencyKey' } } } as const;
    const keys: string[] = [];
    for (const idempotencyKey of ['a', 'a', 'b']) {
      const api = await offer([pay], { idempotency, actions });
      await api.call({ action: 'pay', idempotencyKey });
      keys.push(api.requests[0]?.headers['idempotency-key'] ?? '');
    }
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
    for (const key of keys) expect(key).toMatch(/^[\da-f]{64}$/);
  });
});

test('the next page is a last line, also of a structured answer', async () => {
  const list = { items: [{ id: 1 }], next_cursor: 'abc' };
  const answer: JsonSchema = { type: 'object', properties: { items: { type: 'array' } } };
  const find = describeOperation('GET /tasks', { inputs: [query('cursor')], answer });
  const plain = await offer([find], {}, jsonAnswer(list));
  const { content } = await plain.call({ action: 'find' });
  expect(content.at(-1)).toEqual({ type: 'text', text: 'Next page: cursor=abc' });
  expect(JSON.parse((content[0] as { text: string }).text)).toEqual(list);
  const structured = await offer([find], { actions: { 'tasks.find': { output: true } } }, jsonAnswer(list));
  await structured.client.listTools();
  const result = await structured.call({ action: 'find' });
  expect(textOf(result)).toMatch(/\nNext page: cursor=abc$/);
  expect(result.structuredContent).toEqual(list);
});
