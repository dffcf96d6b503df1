import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compileAuthorSchema, type AuthorSchema } from '../../../src/schema/validator/author-schema.ts';
import { withDisjointUnions } from '../../../src/schema/validator/disjoint-unions.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';

const compile = (schema: JsonSchema): AuthorSchema =>
  compileAuthorSchema(schema, { useDefaults: true, mostErrors: 200, isBudgeted: true });
const tagged = (kind: unknown, further: object = {}): JsonSchema => ({
  type: 'object',
  properties: { kind: { const: kind }, size: { type: 'integer', ...further } },
  required: ['kind'],
});

const UNIONS: Readonly<Record<string, readonly JsonSchema[]>> = {
  constants: [{ const: 'a' }, { const: 1, title: 'One' }, { const: true }],
  'equal constants': [{ const: 'a' }, { const: 'a' }, { const: 1 }],
  'constants and more': [{ const: 'a' }, { type: 'string', minLength: 2 }],
  'objects with a tag': [tagged('a'), tagged('b', { minimum: 2 }), tagged('c')],
  'objects with a tag and defaults': [tagged('a', { default: 5 }), tagged('b')],
  'objects with an equal tag': [tagged('a'), tagged('a'), tagged('b')],
  'objects with numbers as tags': [tagged(1), tagged(2)],
  'objects without a type': [{ properties: { kind: { const: 'a' } }, required: ['kind'] }, tagged('b')],
};

describe.each(Object.keys(UNIONS))('a union of %s', (name) => {
  const oneOf = UNIONS[name] as readonly JsonSchema[];

  test('accepts what exactly one of its branches accepts, and changes nothing', () => {
    const kind = fc.constantFrom<unknown>('a', 'b', 'c', 'd', 1, 2, null, {});
    const object = fc.record({ kind, size: fc.constantFrom<unknown>(1, 2, '1') }, { requiredKeys: [] });
    const value = fc.oneof(kind, fc.constantFrom<unknown>(true, [], 'aa', -0), object);
    const whole = compile({ type: 'array', items: { oneOf } });
    const branches = oneOf.map(compile);
    fc.assert(
      fc.property(value, (given) => {
        const list = [structuredClone(given)];
        const accepting = branches.filter(({ validate }) => validate(structuredClone(given)).length === 0);
        expect(whole.validate(list).length === 0).toBe(accepting.length === 1);
        expect(list).toEqual([given]);
      }),
      { numRuns: 60 },
    );
  });
});

test('a union of fifty objects is decided by the one that a value names', () => {
  const oneOf = Array.from({ length: 50 }, (_, index) => tagged(`kind-${String(index)}`));
  expect(withDisjointUnions({ oneOf })).toMatchObject({ discriminator: { propertyName: 'kind' } });
  const constants = Array.from({ length: 50 }, (_, index) => ({ const: index }));
  expect(withDisjointUnions({ oneOf: constants })).toEqual({ enum: constants.map((each) => each.const) });
});

test('a schema with a discriminator of OpenAPI is checked as before', () => {
  const oneOf = [tagged('a'), tagged('b')];
  const discriminator = { propertyName: 'kind', mapping: { a: '#/a' } };
  const { validate } = compile({ type: 'object', oneOf, discriminator });
  expect([validate({ kind: 'a' }).length, validate({ kind: 'z' }).length > 0]).toEqual([0, true]);
});
