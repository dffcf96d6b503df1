import { expect, test } from '@jest/globals';
import { refusedByClients } from '../../src/schema/client-rules.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

test.each<readonly [string, string, object | undefined, readonly string[]]>([
  ['a plain tool', 'find', object({ a: text, 'b.c-d_e': text }), []],
  ['a long name', 'x'.repeat(65), object({}), ['tool-name ']],
  ['other characters in a name', 'find books', object({}), ['tool-name ']],
  ['a root that may be anything', 'find', { properties: {} }, ['root-not-object ']],
  ['a union at the root', 'find', object({}, { anyOf: [{}] }), ['root-union ']],
  ['values at the root', 'find', object({}, { enum: [{}] }), ['root-union ']],
  ['a boolean property', 'find', object({ data: true }), ['boolean-schema /properties/data']],
  ['a key with a dollar', 'find', object({ $filter: text }), ['property-name /properties/$filter']],
  ['a key with brackets', 'find', object({ 'f[a]': text }), ['property-name /properties/f[a]']],
  ['a long key', 'find', object({ ['x'.repeat(65)]: text }), [`property-name /properties/${'x'.repeat(65)}`]],
  ['a field of no type', 'find', object({ a: { description: 'x' } }), ['untyped /properties/a']],
  ['a negated field', 'find', object({ a: { not: { enum: [''] } } }), ['untyped /properties/a']],
  ['values say the type', 'find', object({ a: { enum: ['x'] }, b: { const: 1 }, c: { anyOf: [text] } }), []],
  ['an array of anything', 'find', object({ a: { type: 'array' } }), ['array-without-items /properties/a']],
  [
    'an inner object',
    'find',
    object({ a: object({ 'b c': text }) }),
    ['property-name /properties/a/properties/b c'],
  ],
  [
    'words of OpenAPI',
    'find',
    object({ a: { ...text, nullable: true } }),
    ['refused-keyword /properties/a/nullable'],
  ],
  ['an older draft', 'find', object({}, { definitions: {} }), ['refused-keyword /definitions']],
  ['no schema at all', 'find', undefined, []],
])('%s', (_, name, schema, found) => {
  expect(refusedByClients({ name, inputSchema: schema }).map(({ rule, path }) => `${rule} ${path}`)).toEqual(
    found,
  );
});

test('A named dialect is advised against in words of its own', () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  expect(refusedByClients({ name: 'find', inputSchema: object({}, { $schema }) })).toEqual([
    {
      rule: 'refused-keyword',
      path: '/$schema',
      what: 'is refused by some clients, and 2020-12 is meant without it',
    },
  ]);
});

test.each<readonly [string, string, object, readonly string[]]>([
  ['of 1,024 characters', 'x'.repeat(1024), object({ a: { ...text, description: 'x'.repeat(1024) } }), []],
  [
    'that some clients refuse',
    'x'.repeat(1025),
    object({}),
    [' has a description of 1025 characters, and 1024 are taken'],
  ],
  [
    'that some clients cut',
    'x'.repeat(2049),
    object({}),
    [' has a description of 2049 characters, and 2048 are read'],
  ],
  [
    'of a field',
    '',
    object({ a: { ...text, description: 'x'.repeat(2049) } }),
    ['/properties/a has a description of 2049 characters, and 1024 are taken'],
  ],
])('a description %s', (_, description, inputSchema, found) => {
  const findings = refusedByClients({ name: 'find', description, inputSchema });
  expect(findings.map(({ path, what }) => `${path} ${what}`)).toEqual(found);
  expect(findings.every(({ rule }) => rule === 'long-description')).toBe(true);
});
