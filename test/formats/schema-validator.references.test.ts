import { describe, expect, test } from '@jest/globals';
import { createSchemaValidator } from '../../src/formats/schema-validator.ts';
import { codeOf } from '../support/thrown.ts';

const validator = createSchemaValidator();
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const CURRENT = 'https://json-schema.org/draft/2020-12/schema';

function isValid(schema: unknown, data: unknown): boolean {
  return validator.validate(schema, data).valid;
}
function failures(schema: unknown, data: unknown): readonly (readonly [string, string])[] {
  return validator.validate(schema, data).errors.map(({ path, keyword }) => [path, keyword]);
}

describe('a dialect', () => {
  test.each([CURRENT, `${CURRENT}#`])('%s is 2020-12', ($schema) => {
    expect(isValid({ $schema, prefixItems: [{ type: 'string' }] }, [1])).toBe(false);
    expect(isValid({ $schema, additionalItems: false, items: true }, [1])).toBe(true);
  });

  test.each([
    DRAFT_07,
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft-07/schema',
  ])('%s is draft-07', ($schema) => {
    expect(isValid({ $schema, items: [{ type: 'string' }], additionalItems: false }, ['a', 'b'])).toBe(false);
    expect(isValid({ $schema, prefixItems: [{ type: 'string' }] }, [1])).toBe(true);
    expect(isValid({ $schema, dependencies: { a: ['b'] } }, { a: 1 })).toBe(false);
    const sibling = {
      $schema,
      definitions: { a: true },
      properties: { x: { $ref: '#/definitions/a', type: 'null' } },
    };
    expect(isValid(sibling, { x: 1 })).toBe(true);
    const anchor = { $schema, definitions: { a: { $id: '#a', type: 'string' } }, items: { $ref: '#a' } };
    expect(isValid(anchor, [1])).toBe(false);
  });

  test.each([
    'http://json-schema.org/draft-04/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'http://json-schema.org/draft/2020-12/schema',
    'https://example.com/schema',
    '',
    5,
  ])('%j is none', ($schema) => {
    expect(codeOf(() => isValid({ $schema }, 1))).toBe('UNSUPPORTED_DIALECT');
  });

  test('holds for the whole schema', () => {
    expect(codeOf(() => isValid({ items: { $schema: DRAFT_07 } }, 1))).toBe('UNSUPPORTED_DIALECT');
    expect(isValid({ items: { $schema: CURRENT } }, 1)).toBe(true);
  });
});

describe('a reference', () => {
  test('is followed within the schema, by pointer, by anchor, and to the whole', () => {
    const $defs = { 'a/b~c %"é': { type: 'string' }, named: { $anchor: 'n', type: 'string' } };
    for (const $ref of ['#/$defs/a~1b~0c%20%25%22é', '#/$defs/named', '#n']) {
      expect(isValid({ $defs, items: { $ref } }, ['a'])).toBe(true);
      expect(isValid({ $defs, items: { $ref } }, [1])).toBe(false);
    }
    const tree = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
    expect(isValid(tree, { next: { next: {} } })).toBe(true);
    expect(failures(tree, { next: { next: { a: 1 } } })).toEqual([['/next/next', 'additionalProperties']]);
  });

  test('counts together with what stands beside it', () => {
    const schema = { $defs: { a: { minLength: 2 } }, items: { $ref: '#/$defs/a', maxLength: 3 } };
    expect([isValid(schema, ['a']), isValid(schema, ['ab']), isValid(schema, ['abcd'])]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('is resolved against the document it stands in', () => {
    const inner = { $id: 'inner', $defs: { a: { type: 'number' } }, items: { $ref: '#/$defs/a' } };
    expect(isValid({ $defs: { a: { type: 'string' } }, properties: { x: inner } }, { x: [1] })).toBe(true);
    for (const $id of [
      'constructor',
      'valueOf',
      '__proto__',
      'https://json-schema.org/draft/2020-12/schema',
    ]) {
      const schema = { properties: { x: { $id, type: 'object', properties: { y: { $ref: '#' } } } } };
      expect([isValid(schema, { x: { y: {} } }), isValid(schema, { x: { y: 1 } })]).toEqual([true, false]);
    }
  });

  test('may be dynamic, as long as nothing else has its name', () => {
    const tree = { $dynamicAnchor: 'node', type: 'object', additionalProperties: { $dynamicRef: '#node' } };
    expect([isValid(tree, { a: { b: {} } }), isValid(tree, { a: { b: 1 } })]).toEqual([true, false]);
    const shared = { ...tree, $defs: { other: { $id: 'other', $dynamicAnchor: 'node' } } };
    expect(codeOf(() => isValid(shared, {}))).toBe('INVALID_SCHEMA');
    const both = {
      $defs: { a: { minimum: 1 }, b: { $dynamicAnchor: 'b', maximum: 2 } },
      $ref: '#/$defs/a',
      $dynamicRef: '#b',
    };
    expect([isValid(both, 0), isValid(both, 1), isValid(both, 3)]).toEqual([false, true, false]);
  });

  test('may lead to a schema below an unknown keyword, if it is one', () => {
    expect(isValid({ 'x-parts': { a: { type: 'string' } }, items: { $ref: '#/x-parts/a' } }, [1])).toBe(
      false,
    );
    for (const a of [
      { minLength: 'many' },
      { anyOf: 5 },
      { patternProperties: null },
      { not: { enum: 5 } },
    ]) {
      const wrong = { 'x-parts': { a }, items: { $ref: '#/x-parts/a' } };
      expect(codeOf(() => isValid(wrong, [1]))).toBe('INVALID_SCHEMA');
    }
  });

  test.each([
    'http://example.com/a',
    'other.json',
    'other.json#/a',
    '',
    'urn:a:b',
    '/a',
    'file:///etc/passwd',
  ])('to %j is refused', ($ref) => {
    expect(codeOf(() => isValid({ items: { $ref } }, []))).toBe('EXTERNAL_REF');
    expect(codeOf(() => isValid({ items: { $dynamicRef: $ref } }, []))).toBe('EXTERNAL_REF');
  });

  test('is not a reference inside data, or as the name of a property', () => {
    const $ref = 'http://example.com/a';
    expect(isValid({ enum: [{ $ref }], default: { $ref }, examples: [{ $ref }] }, { $ref })).toBe(true);
    expect(isValid({ const: { $ref } }, { $ref })).toBe(true);
    expect(isValid({ properties: { $ref: { type: 'string' } } }, { $ref: 1 })).toBe(false);
  });

  test.each(['#/$defs/none', '#none', '#/type', '#/$defs/constructor', '#%', '#/required/0', '#/required'])(
    'to %j leads to nothing',
    ($ref) => {
      const schema = { required: ['a'], type: 'object', properties: { a: { $ref } } };
      expect(codeOf(() => isValid(schema, {}))).toBe('INVALID_SCHEMA');
    },
  );

  test('must not come back for the same value', () => {
    const cycles = [
      { $ref: '#' },
      { allOf: [{ $ref: '#' }] },
      { anyOf: [{ type: 'string' }, { not: { $ref: '#' } }] },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { if: { $ref: '#/$defs/a' } } }, items: { $ref: '#/$defs/a' } },
      { dependentSchemas: { x: { $ref: '#' } } },
      { $schema: DRAFT_07, $ref: '#' },
    ];
    for (const cycle of cycles) expect(codeOf(() => isValid(cycle, 1))).toBe('INVALID_SCHEMA');
  });
});
