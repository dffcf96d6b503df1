import type { Random } from '../support/random.ts';

class Stranger {
  secret = 1;
}

const SCALARS: readonly unknown[] = [
  ...[undefined, null, true, false],
  ...['', 'a', 'b', 'ab', 'aab', 'A', 'abc', 'a.b', ' ', '\n', '0', '12', '-1', '1e3', '90', 'red', 'low'],
  ...[
    'a'.repeat(6),
    'a'.repeat(7),
    'a'.repeat(50),
    'x'.repeat(121),
    '2020-01-01',
    '2020-01-01T00:00:00Z',
    '2020-01-01T00:00:00Z',
    'a@b.de',
  ],
  ...[
    '😀',
    'a😀',
    '😀😀😀',
    '\uD83D',
    '\uDE00',
    '\uDE00\uD83D',
    'a\uFE0F',
    'a\uFE0E',
    '\uFE0F',
    '😀\uFE0F',
    '\uFE0F\uFE0F',
  ],
  ...['\u2028', '\u0000', 'é', 'e\u0301', '__proto__', 'constructor', 'undefined', 'NaN'],
  ...[0, -0, 1, 2, 3, 4, 5, 7, 12, 40, 89.9, 90, 90.1, 180, 181, -1, -2, -90, -180.5, 1.5, 2.5, 0.5, -0.5],
  ...[1e-6, 1e-7, -1e-7, 5e-324, 1e21, -1e21, 2 ** 53, NaN, Infinity, -Infinity, 10n, Symbol.iterator],
];

const OBJECTS: readonly (() => unknown)[] = [
  () => [],
  () => [[]],
  () => [undefined],
  () => [null],
  () => ['a'],
  () => ['a', 'a'],
  () => ['a', 'b', 'red'],
  () => [1, 2, 2.5],
  () => [0, -0],
  () => [NaN],
  () => [[1], ['a', {}]],
  () => [{}, { a: 1 }],
  () => ['a', , 'b'],
  () => Array.from({ length: 41 }, (_, index) => index),
  () => ({}),
  () => ({ a: 1 }),
  () => ({ a: null }),
  () => ({ a: undefined, b: [{ c: 'd' }] }),
  () => ({ then: 1 }),
  () => ({ then: () => undefined }),
  () => Object.assign(Object.create(null), { a: 1 }) as unknown,
  () => Object.create(null) as unknown,
  () => JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as unknown,
  () => JSON.parse('{"constructor": "a", "toString": 1, "hasOwnProperty": 0}') as unknown,
  () => Object.create({ inherited: 1 }) as unknown,
  () => new Date(0),
  () => new Date('2021-06-01T00:00:00Z'),
  () => new Date(NaN),
  () => new Stranger(),
  () => new Map([['a', 1]]),
  () => new Set(['a']),
  () => new String('a'),
  () => new Boolean(true),
  () => new Number(2),
  () => /a/,
  () => () => 1,
  () => Buffer.from('a'),
  () => Promise.resolve(1),
];

/** Values that JSON or a caller inside the process may hand in, and that checks are known to fall over. */
export function anyValue(random: Random): unknown {
  return random.chance(0.65) ? random.pick(SCALARS) : random.pick(OBJECTS)();
}

/** Each of them once. */
export function allValues(): readonly unknown[] {
  return [...SCALARS, ...OBJECTS.map((make) => make())];
}

/** Names that nobody declared, some of them those of every object. */
export const STRANGE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'extra',
  '',
  'then',
  '0',
  'a.b',
] as const;
