import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingHttpHeaders } from 'node:http';
import {
  COMPARED_HEADERS,
  decisiveOf,
  isSame,
  isStrange,
  STRANGE_HEADERS,
} from '../../../src/transports/http/decisive-headers.ts';

const PLAIN: IncomingHttpHeaders = {
  host: 'localhost',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
};

const value = fc.option(fc.constantFrom('', 'a', 'b'), { nil: undefined });
const headers: fc.Arbitrary<IncomingHttpHeaders> = fc
  .tuple(
    ...[...COMPARED_HEADERS, 'content-length', 'user-agent', 'mcp-name'].map((name) =>
      fc.tuple(fc.constant(name), value),
    ),
  )
  .map((entries) => Object.fromEntries(entries.filter(([, given]) => given !== undefined)));

describe('headers are the same for the guards', () => {
  test('where those that decide have the same values, and nowhere else', () => {
    fc.assert(
      fc.property(headers, headers, (known, given) => {
        const isEqual = COMPARED_HEADERS.every((name) => known[name] === given[name]);
        expect(isSame(decisiveOf(known), given)).toBe(isEqual);
      }),
    );
  });

  test.each(COMPARED_HEADERS)('not with another %s, none, or one where none was', (name) => {
    const { [name]: _, ...without } = PLAIN;
    expect(isSame(decisiveOf(PLAIN), { ...PLAIN })).toBe(true);
    expect(isSame(decisiveOf(PLAIN), { ...PLAIN, [name]: 'other' })).toBe(false);
    expect(isSame(decisiveOf(PLAIN), without)).toBe(false);
    expect(isSame(decisiveOf(without), PLAIN)).toBe(false);
  });

  test('whatever the others are', () => {
    const given = { ...PLAIN, 'content-length': '7', 'user-agent': 'a client', authorization: 'Bearer a' };
    expect(isSame(decisiveOf(PLAIN), given)).toBe(true);
  });

  test('not where a header came as a list, which nobody compares', () => {
    const list = (): IncomingHttpHeaders => ({ ...PLAIN, 'mcp-protocol-version': ['2026-07-28'] });
    expect(isSame(decisiveOf(list()), list())).toBe(false);
    expect(isSame(decisiveOf(PLAIN), list())).toBe(false);
  });
});

describe('headers are strange', () => {
  test.each(STRANGE_HEADERS)('with %s, also when it is empty', (name) => {
    expect(isStrange({ ...PLAIN, [name]: 'any' })).toBe(true);
    expect(isStrange({ [name]: '' })).toBe(true);
  });

  test('with nothing else', () => {
    expect(isStrange({})).toBe(false);
    fc.assert(
      fc.property(headers, (given) => {
        expect(isStrange(given)).toBe(false);
      }),
    );
  });
});
