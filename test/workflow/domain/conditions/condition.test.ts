import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonEqual } from '../../../../src/workflow/domain/conditions/condition.ts';

function chain(levels: number, innermost: unknown): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

describe('jsonEqual', () => {
  test.each([
    [1, '1'],
    [0, false],
    [null, undefined],
    [null, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: [1] } }, { a: { b: [2] } }],
    [{}, JSON.parse('{"__proto__": 1}')],
  ])('distinguishes %j and %j', (left, right) => {
    expect(jsonEqual(left, right)).toBe(false);
    expect(jsonEqual(right, left)).toBe(false);
  });

  test.each([
    ['x', 'x'],
    [
      { a: 1, b: [null] },
      { b: [null], a: 1 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [0, -0],
    [JSON.parse('{"__proto__": [1]}'), JSON.parse('{"__proto__": [1]}')],
  ])('takes %j and %j for equal', (left, right) => {
    expect(jsonEqual(left, right)).toBe(true);
  });

  test('goes down 100 000 levels', () => {
    expect(jsonEqual(chain(100_000, 1), chain(100_000, 1))).toBe(true);
    expect(jsonEqual(chain(100_000, 1), chain(100_000, 2))).toBe(false);
  });

  test('ends for values that contain themselves, and for parts that are shared on every level', () => {
    const ring = (): unknown[] => {
      const made: unknown[] = [];
      made.push(made, made);
      return made;
    };
    expect(jsonEqual(ring(), ring())).toBe(true);
    const lattice = (end: unknown): unknown => Array.from({ length: 60 }).reduce((part) => [part, part], end);
    expect(jsonEqual(lattice(1), lattice(1))).toBe(true);
    expect(jsonEqual(lattice(1), lattice(2))).toBe(false);
  });

  test('agrees with the canonical text of JSON values', () => {
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
      return entries.map(([name, member]) => [`:${name}`, sorted(member)]);
    };
    const small = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(small, small, (left, right) => {
        const isEqual = JSON.stringify([sorted(left)]) === JSON.stringify([sorted(right)]);
        // An empty object and an empty array are the same here
        fc.pre(!/\[\]/.test(JSON.stringify([sorted(left), sorted(right)])));
        expect(jsonEqual(left, right)).toBe(isEqual);
        expect(jsonEqual(left, JSON.parse(JSON.stringify(left)))).toBe(true);
      }),
    );
  });
});
