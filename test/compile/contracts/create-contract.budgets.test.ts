import { describe, expect, test } from '@jest/globals';
import { createOutputContract, createContract } from '../../../src/compile/contracts/create-contract.ts';
import { createSchemaValidator } from '../../../src/formats/schema-validator.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { codeOf } from '../../support/thrown.ts';
import { check, issues, strict } from '../../support/check-helpers.ts';

/** Each definition asks twice for the next one: 2^50 checks of one value. */
function ladder(): JsonSchema {
  const $defs: Record<string, JsonSchema> = { L50: { type: 'object' } };
  for (let level = 0; level < 50; level += 1) {
    const next = { $ref: `#/$defs/L${String(level + 1)}` };
    $defs[`L${String(level)}`] = { allOf: [next, next] };
  }
  return { type: 'object', properties: { a: { type: 'integer' } }, allOf: [{ $ref: '#/$defs/L0' }], $defs };
}

/** Meets itself twice on every level of the value, and fails only at the bottom. */
const twice: JsonSchema = {
  type: 'object',
  properties: { a: { anyOf: [{ $ref: '#' }, { allOf: [{ $ref: '#' }] }] }, leaf: { const: 1 } },
};

function nested(levels: number, leaf: object): Record<string, unknown> {
  let value = { ...leaf };
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const TOO_MANY = 'takes too many steps to be checked';

describe('a raw JSON Schema for arguments has the limits of a foreign one', () => {
  const foreign = createSchemaValidator();

  test.each([
    ['references that double on every level', ladder(), { a: 1 }],
    ['a union that meets itself twice', twice, nested(50, { leaf: 2 })],
  ])('%s end the check', (_name, schema, value) => {
    expect(foreign.validate(schema, value).errors).toMatchObject([{ keyword: 'limit', message: TOO_MANY }]);
    expect(issues(schema, value)).toMatchObject([{ path: '', message: TOO_MANY }]);
  });

  test('a check that ended leaves the next one its steps', () => {
    const contract = createContract(twice, strict);
    expect(contract.check(nested(50, { leaf: 2 }))).toMatchObject({ ok: false });
    expect(contract.check(nested(50, { leaf: 1 }))).toMatchObject({ ok: true });
    expect(contract.check(nested(2, { leaf: 2 }))).toMatchObject({ ok: false });
  });

  test('a schema that comes back to itself for one value is a fault of the server, and no mistake in the value', () => {
    const endless = { type: 'object', properties: {}, allOf: [{ $ref: '#' }] } as const;
    expect(() => issues(endless, {})).toThrow(RangeError);
  });

  test.each([
    ['50 001 nodes', { type: 'object', examples: Array.from({ length: 50_000 }, () => 0) }],
    ['more than a mebibyte', { type: 'object', description: 'x'.repeat(1_048_576) }],
  ])('a schema of %s is refused at the start', (_name, schema) => {
    expect(codeOf(() => foreign.validate(schema, {}))).toBe('SCHEMA_TOO_LARGE');
    expect(codeOf(() => createContract(schema, strict))).toBe('TW_COMPILE_SCHEMA_INVALID');
  });

  test('a pattern takes no longer for a text that would hold up JavaScript for years', () => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    const value = { text: `${'a'.repeat(50_000)}!` };
    expect(foreign.validate(schema, value).errors).toMatchObject([{ keyword: 'pattern' }]);
    expect(issues(schema, value)).toMatchObject([{ path: 'text' }]);
  });

  test('as many arguments as a call may have are within them', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { rows: { type: 'array', items: { $ref: '#/$defs/Row' }, uniqueItems: true } },
      $defs: {
        Row: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            kind: { enum: ['a', 'b'] },
            to: { anyOf: [{ type: 'null' }, { type: 'string' }, { $ref: '#/$defs/Row' }] },
          },
          required: ['id'],
        },
      },
    };
    const rows = Array.from({ length: 25_000 }, (_, id) => ({ id, kind: 'b', to: 'x' }));
    expect(check(schema, { rows })).toMatchObject({ ok: true });
    expect(foreign.validate(schema, { rows }).valid).toBe(true);
  });
});

test('an output, which comes from the author as well, may take as many steps as it needs', () => {
  const schema = {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { allOf: Array.from({ length: 50 }, () => ({ minimum: 0 })) } },
    },
  };
  const rows = Array.from({ length: 90_000 }, (_, index) => index);
  expect(createOutputContract(schema, { where: 'x' }).check({ rows })).toMatchObject({ ok: true });
  expect(issues(schema, { rows })).toMatchObject([{ message: TOO_MANY }]);
});
