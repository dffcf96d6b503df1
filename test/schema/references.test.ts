import { describe, expect, test } from '@jest/globals';
import { valueAt } from '../../src/schema/pointer.ts';
import { checkSchema, dereference, References, resolveReference } from '../../src/schema/references.ts';
import { ExternalRefError, InvalidSchemaError } from '../../src/schema/schema-errors.ts';
import { errorOf } from '../support/thrown.ts';

describe('references', () => {
  test.each([
    { $ref: '#' },
    { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': {} } },
    { $ref: '#here', items: { $anchor: 'here' } },
    { $dynamicRef: '#here', items: { $dynamicAnchor: 'here' } },
    { $ref: '#here', definitions: { A: { $id: '#here' } } },
    { $ref: '#/components/schemas/A', components: { schemas: { A: { type: 'string' } } } },
    { $id: 'https://example.com/a', $ref: '#/$defs/A', $defs: { A: true } },
    { properties: { a: { $id: 'https://example.com/b', $ref: '#/$defs/A', $defs: { A: true } } } },
    {
      properties: { $ref: { type: 'string' } },
      const: { $ref: 'https://example.com' },
      enum: [{ $ref: 'x' }],
    },
  ])('stay in the document: %j', (schema) => {
    expect(() => checkSchema(schema)).not.toThrow();
  });

  test.each(['https://example.com/a', 'other.json#/a', '/a', '', 'urn:x', '//example.com'])(
    'do not leave it: "%s"',
    (reference) => {
      const error = errorOf(() => checkSchema({ items: { $ref: reference } }), ExternalRefError);
      expect([error.code, error.path]).toEqual(['EXTERNAL_REF', '/items/$ref']);
      expect(() => checkSchema({ $dynamicRef: reference })).toThrow(ExternalRefError);
    },
  );

  test.each(['#/nothing', '#nowhere', '#/$defs/text', '#/%', 5, null])(
    'lead to a schema: %j',
    (reference) => {
      const error = errorOf(
        () => checkSchema({ $ref: reference, $defs: { text: 'text' } }),
        InvalidSchemaError,
      );
      expect([error.code, error.path]).toEqual(['INVALID_SCHEMA', '/$ref']);
    },
  );

  test.each(['#/', 'other.json#/'])('are shown up to their 120th character: %s', (begin) => {
    const [whole, long] = [120, 121].map((length) => begin.padEnd(length, 'x'));
    const shown = (reference?: string) => errorOf(() => checkSchema({ $ref: reference }), Error).message;
    expect(shown(whole)).toContain(`"${String(whole)}"`);
    expect(shown(long)).toContain(`"${String(whole)}…"`);
  });

  test('are also looked at below a keyword that only a reference leads to', () => {
    const schema = { $ref: '#/components/A', components: { A: { items: { $ref: 'x.json' } } } };
    expect(errorOf(() => checkSchema(schema), ExternalRefError).path).toBe('/components/A/items/$ref');
  });

  test('of a document inside do not see what is around it', () => {
    const schema = {
      $defs: { A: true },
      properties: { a: { $id: 'https://example.com/b', $ref: '#/$defs/A' } },
    };
    expect(() => checkSchema(schema)).toThrow(InvalidSchemaError);
  });
});

describe('a reference', () => {
  const root = {
    $id: 'https://example.com/root',
    $defs: { 'a/b c': { title: 'escaped' }, No: false, text: 'no schema' },
    properties: {
      named: { $anchor: 'here', $dynamicAnchor: 'there' },
      inside: { $id: 'https://example.com/inside', $anchor: 'hidden', items: { $anchor: 'deep' } },
    },
    components: { A: { type: 'string' } },
  };

  test.each([
    ['#', ''],
    ['#/$defs/a~1b%20c', '/$defs/a~1b c'],
    ['#/$defs/No', '/$defs/No'],
    ['#/components/A', '/components/A'],
    ['#here', '/properties/named'],
    ['#there', '/properties/named'],
    ['#/$defs/text', undefined],
    ['#hidden', undefined],
    ['#deep', undefined],
    ['#/%', undefined],
    ['#/constructor', undefined],
  ])('%s leads to %s, whether it is looked up once or with all others', (reference, path) => {
    const expected = path === undefined ? undefined : valueAt(root, path);
    expect(resolveReference(root, reference)).toBe(expected);
    expect(new References(root).find('', reference)).toBe(path);
  });

  test('may name the document itself, and no other', () => {
    expect(resolveReference(root, 'https://example.com/root')).toBe(root);
    expect(resolveReference(root, 'https://example.com/root#here')).toBe(root.properties.named);
    expect(resolveReference(root, 'https://example.com/other#here')).toBeUndefined();
  });

  test('is followed to the end, with what stands beside it; a circle ends somewhere', () => {
    const document = { $defs: { A: { $ref: '#/$defs/B', title: 'A' }, B: { type: 'string', title: 'B' } } };
    expect(dereference(document, { $ref: '#/$defs/A', description: 'mine' })).toEqual({
      type: 'string',
      title: 'A',
      description: 'mine',
    });
    const circle = { $defs: { A: { $ref: '#/$defs/A', title: 'A' } } };
    expect(dereference(circle, { $ref: '#/$defs/A' })).toMatchObject({ title: 'A' });
    expect(dereference(document, { $ref: '#/$defs/C', title: 'lost' })).toEqual({ title: 'lost' });
  });
});
