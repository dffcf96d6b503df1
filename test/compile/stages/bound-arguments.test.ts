import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  argumentsDigest,
  canonicalArguments,
  freezeArguments,
} from '../../../src/compile/stages/bound-arguments.ts';

class Money {
  amount = 5;
  currency?: string;
  toJSON(): unknown {
    return '[redacted]';
  }
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, shuffled(item)]),
  );
}

describe('canonicalArguments', () => {
  test('is the same for members in any order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        expect(canonicalArguments({ input: shuffled(input) })).toBe(canonicalArguments({ input }));
      }),
    );
  });

  test('differs where JSON differs', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue());
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(json, json, (left, right) => {
        const isSame = canonicalArguments({ input: left }) === canonicalArguments({ input: right });
        let isEqual = true;
        try {
          expect(plain(left)).toEqual(plain(right));
        } catch {
          isEqual = false;
        }
        expect(isSame).toBe(isEqual);
      }),
    );
  });

  test('differs for a number without an end and for a text, whatever the text is', () => {
    const [beyond] = JSON.parse('[1e400]') as readonly unknown[];
    const values = [beyond, -Infinity, NaN, 1n, new Date(NaN)];
    const texts = values.map(String).flatMap((text) => [text, `#${text}`, `##${text}`]);
    const written = [...values, ...texts].map((data) => canonicalArguments({ input: { data } }));
    expect(new Set(written).size).toBe(written.length);
    expect(canonicalArguments({ input: { data: 'of # no number' } })).toBe('{"data":"of # no number"}');
  });

  test('leaves out undefined, writes dates as ISO text, and sees what toJSON hides', () => {
    const input = Object.assign(new Money(), { at: new Date(0), note: undefined });
    expect(canonicalArguments({ input })).toBe('{"amount":5,"at":"1970-01-01T00:00:00.000Z"}');
  });

  test.each([
    ['maps', new Map([['b', 1]]), new Map([['b', 2]])],
    ['sets', new Set([1]), new Set([2])],
    ['bytes', Buffer.from('a'), Buffer.from('b')],
    ['URLs', new URL('https://a.example'), new URL('https://b.example')],
    ['expressions', /a/, /b/],
    ['big integers', 1n, 2n],
    ['numbers that JSON has not', NaN, Infinity],
  ])('distinguishes %s', (_what, left, right) => {
    expect(canonicalArguments({ input: { left } })).not.toBe(canonicalArguments({ input: { left: right } }));
  });

  test('is the same for maps in any order', () => {
    const [left, right] = [
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
      new Map([
        ['b', 2],
        ['a', 1],
      ]),
    ];
    expect(canonicalArguments({ input: left })).toBe(canonicalArguments({ input: right }));
  });

  test('is hashed with SHA-256', () => {
    // printf '{"a":1}' | openssl dgst -sha256 -binary | base64
    expect(argumentsDigest({ input: { a: 1 } })).toBe('AVq9f1zFei3ZS3WQ8ErYCEJzkF7jPsXOvq5iJ2qX-GI');
  });
});

describe('freezeArguments', () => {
  const inside = () => ({
    money: new Money(),
    at: new Date(0),
    map: new Map([['a', { b: 1 }]]),
    set: new Set([{ c: 1 }]),
    bytes: Buffer.from('a'),
    list: [{ d: 1 }],
  });

  test.each<[string, (value: ReturnType<typeof inside>) => unknown]>([
    ['a member', (value) => (value.money = new Money())],
    ['a member of an instance', (value) => (value.money.amount = 6)],
    ['a date', (value) => value.at.setFullYear(2030)],
    ['a map', (value) => value.map.set('b', { b: 2 })],
    ['a value in a map', (value) => ((value.map.get('a') as { b: number }).b = 2)],
    ['a set', (value) => value.set.clear()],
    ['a value in a set', (value) => ([...value.set][0] as { c: number }).c++],
    ['a list', (value) => value.list.push({ d: 2 })],
  ])('forbids to change %s', (_what, change) => {
    const value = inside();
    freezeArguments(value);
    expect(() => change(value)).toThrow(TypeError);
  });

  test('changes nothing that can be read', () => {
    const value = inside();
    const before = canonicalArguments({ input: value });
    freezeArguments(value);
    expect(canonicalArguments({ input: value })).toBe(before);
    expect(Object.keys(value.at)).toEqual([]);
  });
});
