import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';
import { check, issues, strict } from '../../support/check-helpers.ts';

test.each<[string, JsonSchema, readonly string[]]>([
  ['the root', { type: 'object', properties: {}, required: ['q'] }, ['q']],
  ['a branch', { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, ['a', 'b']],
  [
    'an outcome of a condition',
    {
      type: 'object',
      properties: { k: {} },
      if: { required: ['k'] },
      then: { properties: { v: {} } },
      else: { required: ['w'] },
    },
    ['k', 'v', 'w'],
  ],
])('a name that %s requires or describes is declared', (_, source, names) => {
  const contract = createContract(source, strict);
  expect(contract.names).toEqual(names);
});

const constructorText = { type: 'string' } as const;
const optional: readonly [string, SchemaSource][] = [
  [
    'a raw schema',
    { type: 'object', properties: { constructor: constructorText, toString: constructorText } },
  ],
  ['zod', z.object({ constructor: z.string().optional(), toString: z.string().optional() })],
  ['zod, further in', z.object({ inner: z.object({ valueOf: z.number().optional() }).optional() })],
];

test.each(optional)('optional fields of %s may be named like members of every object', (_, source) => {
  expect(check(source, {})).toEqual({ ok: true, value: {} });
  if (source instanceof z.ZodObject && 'inner' in source.shape) {
    expect(check(source, { inner: {} })).toEqual({ ok: true, value: { inner: {} } });
    return;
  }
  expect(check(source, { constructor: 'x' })).toMatchObject({ ok: true });
  expect(issues(source, { constructor: 1 })).toMatchObject([{ path: 'constructor', expected: 'string' }]);
});

test('required fields with such names are missed, and their defaults filled in', () => {
  const raw: JsonSchema = {
    type: 'object',
    properties: { constructor: constructorText, hasOwnProperty: { type: 'integer', default: 3 } },
    required: ['constructor'],
  };
  expect(issues(raw, {})).toMatchObject([
    { path: 'constructor', message: 'is required', received: 'nothing' },
  ]);
  const outcome = check(raw, { constructor: 'x' });
  expect(outcome.ok && Object.entries(outcome.value)).toEqual([
    ['constructor', 'x'],
    ['hasOwnProperty', 3],
  ]);
  expect(issues(z.object({ constructor: z.string() }), {})).toMatchObject([{ path: 'constructor' }]);
});

test('what a handler gets still inherits from Object', () => {
  const outcome = check(z.object({ constructor: z.string().optional(), a: z.int() }), { a: 1 });
  expect(outcome.ok && Object.getPrototypeOf(outcome.value)).toBe(Object.prototype);
});
