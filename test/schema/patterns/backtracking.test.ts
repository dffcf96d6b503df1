import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { boundPattern } from '../../../src/schema/patterns/linear-pattern.ts';
import { longestSafe, repeatsRepetition } from '../../../src/schema/patterns/backtracking.ts';

test.each([
  '^(a+)+$',
  '^(a*)*$',
  '^(\\w+\\s?)*$',
  '^(?:[a-z]+\\s*)+!',
  '^((a+))+$',
  '^(x|a+){2,}$',
  '(\\s*\\w+\\s*)*@',
  '^(?<word>[^,]+)+?,',
  '^((a+)+b)*',
  '^(?:x(?:a+)+)*$',
])('a repetition of a repetition is found, and does take long: %s', (source) => {
  expect(repeatsRepetition(source)).toBe(true);
});

test.each([
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^\\d+(\\.\\d+)*$',
  '^(?:[a-z]{2,5},)+$',
  '^(a?)*$',
  '^\\w+\\s+\\w+$',
  '(a+)+',
  '^[(a+)+]$',
  '^\\(a+\\)+$',
  '^(?=a+)+$',
])('no other pattern is named: %s', (source) => {
  expect(repeatsRepetition(source)).toBe(false);
});

test('the formats of zod are not named', () => {
  const formats = [
    ...[z.email(), z.url(), z.uuid(), z.guid(), z.nanoid(), z.cuid2(), z.ulid(), z.xid(), z.ksuid()],
    ...[z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.base64(), z.base64url(), z.e164(), z.jwt(), z.emoji()],
    ...[
      z.iso.date(),
      z.iso.time(),
      z.iso.datetime(),
      z.iso.duration(),
      z.string().startsWith('a').includes('b'),
    ],
    z.templateLiteral([z.number(), 'px']),
  ];
  const patterns = formats.map((format) => z.toJSONSchema(format).pattern ?? '');
  expect(patterns.filter(repeatsRepetition)).toEqual([]);
});

describe('the longest text that V8 is asked about', () => {
  test.each([/^[a-z]+$/, /^[0-9a-f]{8}-[0-9a-f]{4}$/, /^a?b?$/, /abc/])('is any for %s', (native) => {
    expect(longestSafe(native)).toBeGreaterThan(4 * 2 ** 20);
  });

  test.each([/^(a+)+$/, /^(a|aa)+$/, /(x+x+)+y/, /^(\w+\s?)*$/, /(a*)*b/, /(?:a|a)*b/])(
    'is none for %s',
    (native) => {
      expect(longestSafe(native)).toBe(0);
      expect(boundPattern(native).isBounded).toBe(true);
    },
  );

  test('is shorter for each repetition without end', () => {
    const lengths = [/^\w+@\w+$/, /^\w+@\w+\.\w+$/, /\w+@\w+\.\w+$/].map(longestSafe);
    expect(lengths).toEqual([1000, 99, 20]);
  });
});
