import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { draftOf } from '../../../../src/explorer/page/form/draft.ts';
import { fieldOf, firstDraft, fits } from '../../../../src/explorer/page/form/field.ts';

const kindOf = (schema: unknown, root = {}): string => fieldOf(schema, root).control.kind;

describe('the control of a schema', () => {
  test.each([
    ['text', { type: 'string' }],
    ['date', { type: 'string', format: 'date' }],
    ['number', { type: 'number' }],
    ['integer', { type: 'integer' }],
    ['boolean', { type: 'boolean' }],
    ['choice', { enum: ['a', 'b'] }],
    ['choice', { const: 1 }],
    ['choice', { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }],
    ['list', { type: 'array', items: { type: 'string' } }],
    ['object', { type: 'object', properties: { a: {} } }],
    ['union', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['json', {}],
    ['json', true],
    ['json', false],
    ['json', 'nonsense'],
    ['json', { type: ['string', 'number'] }],
    ['json', { type: 'array', prefixItems: [{}] }],
    ['json', { $ref: '#/$defs/missing' }],
    ['json', { $ref: '#' }],
    ['json', { $ref: '#/$defs/100%' }],
    ['json', { $ref: '#/constructor' }],
    ['json', { $ref: 'https://example.com/schema' }],
  ])('is %s for %j', (kind, schema) => {
    expect(kindOf(schema, { $ref: '#' })).toBe(kind);
  });

  test.each([
    [{ type: ['string', 'null'] }, 'text'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer'],
    [{ type: ['string', 'null'], enum: ['low', 'high', null] }, 'choice'],
    [{ enum: ['low', null] }, 'choice'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }, 'union'],
  ])('of %j knows null', (schema, kind) => {
    const field = fieldOf(schema, {});
    expect(field.isNullable).toBe(true);
    expect(field.control.kind).toBe(kind);
    expect(JSON.stringify(field.control)).not.toContain('null');
  });

  test.each([
    [{ minLength: 1, maxLength: 200 }, '1 to 200 characters'],
    [{ maxLength: 1 }, 'at most 1 character'],
    [{ minItems: 2, maxItems: 2 }, 'exactly 2 items'],
    [{ minimum: 0 }, 'at least 0'],
    [{ minimum: 1, maximum: 5, default: 3 }, '1 to 5 · default 3'],
  ])('says the rules of %j', (schema, words) => {
    expect(fieldOf(schema, {}).rules.join(' · ')).toBe(words);
  });

  test('follows references, also of schemas that contain themselves', () => {
    const root = {
      $defs: {
        'a/b': { type: 'object', properties: { next: { $ref: '#/$defs/a~1b' } }, required: ['next'] },
      },
      $ref: '#/$defs/a~1b',
    };
    expect(kindOf(root, root)).toBe('object');
    expect(firstDraft(fieldOf(root, root), root).kind).toBe('object');
  });

  test('shows a value of another type as JSON', () => {
    expect(fits(fieldOf({ type: 'number' }, {}), draftOf('seven'))).toBe(false);
    expect(fits(fieldOf({ type: 'string' }, {}), draftOf('seven'))).toBe(true);
    expect(fits(fieldOf({ type: 'array', items: { type: 'string' } }, {}), draftOf({}))).toBe(false);
    expect(fits(fieldOf({ type: 'number' }, {}), draftOf(null))).toBe(true);
  });

  test('is something for any schema, and starts with something that fits', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('type', 'properties', 'items', 'anyOf', 'enum', '$ref'),
        (value, keyword) => {
          const schema = { [keyword]: value };
          const field = fieldOf(schema, schema);
          if (field.control.kind !== 'choice') expect(fits(field, firstDraft(field, schema))).toBe(true);
        },
      ),
    );
  });
});
