import { boundPattern } from '../../../schema/patterns/linear-pattern.ts';
import { countCharacters } from '../published-values.ts';
import { plainRule, type AskOriginal, type BoundRule, type InlineRule } from '../check-plan.ts';

/** Rules for strings, and for arrays as a whole. */
export const SEQUENCE_RULES: Readonly<Record<string, InlineRule>> = {
  minLength: {
    says: 'must be longer than or equal to',
    bind: ([least], ask) => bindLength(least, undefined, ask),
  },
  maxLength: {
    says: 'must be shorter than or equal to',
    bind: ([most], ask) => (most === undefined ? undefined : bindLength(0, most, ask)),
  },
  isLength: {
    says: 'must be longer than or equal to',
    bind: ([least, most], ask) => bindLength(least, most, ask),
  },
  contains: { says: 'must contain a', bind: ([seed]) => bindSeed(seed, true) },
  notContains: { says: 'should not contain a', bind: ([seed]) => bindSeed(seed, false) },
  matches: { says: 'must match', bind: ([pattern, modifiers]) => bindPattern(pattern, modifiers) },
  arrayContains: { says: 'must contain', bind: ([values]) => bindValues(values, true) },
  arrayNotContains: { says: 'should not contain', bind: ([values]) => bindValues(values, false) },
  arrayNotEmpty: plainRule('should not be empty', (x) => Array.isArray(x) && x.length > 0),
  arrayMinSize: { says: 'must contain at least', bind: ([least]) => bindSize(least, '>=') },
  arrayMaxSize: { says: 'must contain no more than', bind: ([most]) => bindSize(most, '<=') },
  arrayUnique: {
    says: "All 's elements must be unique",
    // the metadata does not contain the function that identifies an item, but the validator maps arrays with it
    bind: (_, ask) => ({
      test: isUnique,
      probes: [['a', 'a'], [1, '1'], [0, -0], [Number.NaN], [{}, {}], [null, undefined]],
      isOriginal: () => !isMapped(ask),
    }),
  },
};

/** Surrogate halves, and the selectors that choose how the character before them is shown. */
const COUNTED_OTHERWISE = /[\uD800-\uDFFF\uFE0E\uFE0F]/;

/**
 * The original counts a surrogate pair once and a selector not at all: a character takes one to three units.
 * So a length may be as short as a third of `length`, and only the original knows it exactly.
 */
function bindLength(least: unknown, most: unknown, ask: AskOriginal): BoundRule | undefined {
  if (!isBound(least) || !(most === undefined || isBound(most))) return undefined;
  const isWithin = (x: string): boolean => x.length >= least && (most === undefined || x.length <= most);
  // JSON Schema counts a selector as a character
  const exact = most === undefined ? ask : (x: string) => ask(x) && countCharacters(x) <= most;
  const isSurely = (x: string): boolean => x.length >= 3 * least && (most === undefined || x.length <= most);
  return {
    code: (x, use) => {
      const above = most === undefined ? '' : ` && ${x}.length <= ${use(most)}`;
      const surely = `${x}.length >= ${use(3 * least)}${above}`;
      const plain = `${x}.length >= ${use(least)}${above}`;
      return `(typeof ${x} === "string" && (${surely} || (${use(COUNTED_OTHERWISE)}.test(${x}) ? ${use(exact)}(${x}) : ${plain})))`;
    },
    test: (x) => {
      if (typeof x !== 'string') return false;
      return isSurely(x) || (COUNTED_OTHERWISE.test(x) ? exact(x) : isWithin(x));
    },
    probes: [least, most ?? least + 1].flatMap((length) => lengthProbes(length)),
  };
}

function isBound(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

const LONGEST_TEXT = 1000;

function lengthProbes(length: number): readonly string[] {
  return [length - 1, length, length + 1]
    .filter((count) => count >= 0 && count <= LONGEST_TEXT)
    .map((count) => 'a'.repeat(count));
}

/** The original splits the string: an empty seed is found only in strings of two units and more. */
function bindSeed(seed: unknown, isFound: boolean): BoundRule | undefined {
  if (typeof seed !== 'string' || seed === '') return undefined;
  return {
    test: (x) => typeof x === 'string' && x.includes(seed) === isFound,
    probes: [seed, `a${seed}b`, seed.slice(1), seed.toUpperCase(), seed.toLowerCase()],
  };
}

/** With the flags `g` and `y` an answer depends on the one before. */
function bindPattern(pattern: unknown, modifiers: unknown): BoundRule | undefined {
  const expression = readPattern(pattern, modifiers);
  if (expression === undefined || expression.global || expression.sticky) return undefined;
  const bounded = boundPattern(expression);
  const published = publishedPattern(expression);
  const unicode = published === undefined ? undefined : boundPattern(published);
  return {
    test: (x) =>
      typeof x === 'string' &&
      bounded.test(x) &&
      (unicode === undefined || !HALVES.test(x) || unicode.test(x)),
    probes: [' ', 'ab', 'A', '1', 'a1', 'a-b', 'é', 'a\nb', expression.source],
  };
}

const HALVES = /[\uD800-\uDFFF]/;

/** The expression as JSON Schema reads it, with characters in the place of their halves. */
function publishedPattern({ source, flags }: RegExp): RegExp | undefined {
  if (flags !== '' && flags !== 'd') return undefined;
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}

function readPattern(pattern: unknown, modifiers: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) {
    const isPlain = Object.getPrototypeOf(pattern) === RegExp.prototype && !Object.hasOwn(pattern, 'exec');
    return isPlain ? pattern : undefined;
  }
  if (typeof pattern !== 'string' || !(modifiers === undefined || typeof modifiers === 'string'))
    return undefined;
  try {
    return new RegExp(pattern, modifiers);
  } catch {
    // the original throws for every value, which class-validator has to report
    return undefined;
  }
}

const LONGEST_LIST = 100;

function bindSize(size: unknown, operator: '>=' | '<='): BoundRule | undefined {
  if (typeof size !== 'number') return undefined;
  return {
    test: (x) => Array.isArray(x) && (operator === '>=' ? x.length >= size : x.length <= size),
    probes: arraysAround(size),
  };
}

function arraysAround(size: number): readonly (readonly number[])[] {
  return [size - 1, size, size + 1]
    .filter((length) => length >= 0 && length <= LONGEST_LIST)
    .map((length) => Array.from({ length: Math.ceil(length) }, () => 0));
}

/** Reads the values as they are at that moment, like the original. */
function bindValues(values: unknown, isFound: boolean): BoundRule | undefined {
  if (!Array.isArray(values)) return undefined;
  const wanted: readonly unknown[] = values;
  const test = (x: unknown): boolean => {
    if (!Array.isArray(x)) return false;
    return wanted.every((value) => (x.indexOf(value) !== -1) === isFound);
  };
  return {
    test,
    probes: [wanted, [...wanted, 'more'], wanted.slice(1), wanted.slice(0, 1)],
  };
}

/** The original finds items with `indexOf`, which never finds NaN: an array with one is not unique. */
function isUnique(x: unknown): boolean {
  if (!Array.isArray(x)) return false;
  const items: readonly unknown[] = x;
  const seen = new Set<unknown>();
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (Number.isNaN(item) || seen.has(item) || !Object.hasOwn(items, index)) return false;
    seen.add(item);
  }
  return true;
}

function isMapped(ask: (value: unknown) => boolean): boolean {
  let isUsed = false;
  const watched: unknown[] = ['a', 'b'];
  Object.defineProperty(watched, 'map', {
    value: () => {
      isUsed = true;
      return [];
    },
  });
  ask(watched);
  return isUsed;
}
