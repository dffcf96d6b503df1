import { expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson, isSameJson } from '../../src/shared/canonical-json.ts';
import { tries } from '../support/thorough.ts';

test('canonical JSON sorts keys at every level', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: undefined })).toBe('{"b":[{"c":null,"d":1}]}');
});

test('canonical JSON sorts names by their code units, numbers among them (RFC 8785, 3.2.3)', () => {
  const names = { '10': 1, '9': 2, '\u20ac': 3, '\r': 4, '\ufb33': 5, '\ud83d\ude00': 6, '\u0080': 7, ö: 8 };
  expect(canonicalJson(names)).toBe('{"\\r":4,"10":1,"9":2,"\u0080":7,"ö":8,"€":3,"😀":6,"\ufb33":5}');
});

test('canonical JSON leaves out and replaces what JSON.stringify leaves out and replaces', () => {
  const moment = new Date(0);
  const value = { list: [undefined, () => 1, moment, Number.NaN, -0], call: () => 1, moment };
  expect(canonicalJson(value)).toBe(
    '{"list":[null,null,"1970-01-01T00:00:00.000Z",null,0],"moment":"1970-01-01T00:00:00.000Z"}',
  );
});

test('values are the same in whatever order their members stand', () => {
  expect(isSameJson({ a: 1, b: [1, { c: 2, d: 3 }] }, { b: [1, { d: 3, c: 2 }], a: 1 })).toBe(true);
  expect([isSameJson([1, 2], [2, 1]), isSameJson(undefined, null)]).toEqual([false, true]);
});

test('canonical JSON asks toJSON once, as JSON.stringify does', () => {
  const self = { a: 1, toJSON: () => self };
  expect(canonicalJson([self])).toBe('[{"a":1}]');
});

// The package that the RFC names as an implementation in JavaScript
test('canonical JSON is the canonical form of RFC 8785', () => {
  const text = fc.string({ unit: 'binary' });
  const name = fc.oneof(
    text,
    fc.nat({ max: 200 }).map(String),
    fc.constantFrom('__proto__', 'toJSON', '\u20ac'),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
    ),
  }));
  fc.assert(
    fc.property(value, (each) => {
      expect(canonicalJson(each)).toBe(canonicalize(each));
    }),
    { numRuns: tries(300, 3000) },
  );
});
