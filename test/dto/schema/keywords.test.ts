import { expect, test } from '@jest/globals';
import { withNull } from '../../../src/dto/schema/keywords.ts';

const NULL = { type: 'null' };

test.each([
  ['any value already', {}, {}],
  ['a type', { type: 'string', minLength: 1 }, { type: ['string', 'null'], minLength: 1 }],
  ['values', { type: 'string', enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
  ['alternatives', { anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, NULL] }],
  // Whatever the type says, the constant is not null
  [
    'a type with more to it',
    { type: 'string', const: 'a' },
    { anyOf: [{ type: 'string', const: 'a' }, NULL] },
  ],
  ['no type', { const: 'a' }, { anyOf: [{ const: 'a' }, NULL] }],
])('null is let in beside %s', (_beside, schema, expected) => {
  expect(withNull(schema)).toEqual(expected);
});
