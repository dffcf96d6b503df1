import { boundPattern } from '../../../schema/patterns/bounded-pattern.ts';
import type { AskOriginal, BoundRule, InlineRule } from './inline-rule.ts';

/** Rules for strings. */
export const STRING_RULES: Readonly<Record<string, InlineRule>> = {
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
  const isSurely = (x: string): boolean => x.length >= 3 * least && (most === undefined || x.length <= most);
  return {
    code: (x, use) => {
      const above = most === undefined ? '' : ` && ${x}.length <= ${use(most)}`;
      const surely = `${x}.length >= ${use(3 * least)}${above}`;
      const plain = `${x}.length >= ${use(least)}${above}`;
      return `(typeof ${x} === "string" && (${surely} || (${use(COUNTED_OTHERWISE)}.test(${x}) ? ${use(ask)}(${x}) : ${plain})))`;
    },
    test: (x) => {
      if (typeof x !== 'string') return false;
      return isSurely(x) || (COUNTED_OTHERWISE.test(x) ? ask(x) : isWithin(x));
    },
    probes: [least, most ?? least + 1].flatMap((length) => lengthProbes(length)),
  };
}

function isBound(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

const LONGEST_PROBE = 1000;

function lengthProbes(length: number): readonly string[] {
  return [length - 1, length, length + 1]
    .filter((count) => count >= 0 && count <= LONGEST_PROBE)
    .map((count) => 'a'.repeat(count));
}

/** The original splits the string: an empty seed is found only in strings of two units and more. */
function bindSeed(seed: unknown, isFound: boolean): BoundRule | undefined {
  if (typeof seed !== 'string' || seed === '') return undefined;
  return {
    code: (x, use) => `(typeof ${x} === "string" && ${isFound ? '' : '!'}${x}.includes(${use(seed)}))`,
    test: (x) => typeof x === 'string' && x.includes(seed) === isFound,
    probes: [seed, `a${seed}b`, seed.slice(1), seed.toUpperCase(), seed.toLowerCase()],
  };
}

/** With the flags `g` and `y` an answer depends on the one before. */
function bindPattern(pattern: unknown, modifiers: unknown): BoundRule | undefined {
  const expression = readPattern(pattern, modifiers);
  if (expression === undefined || expression.global || expression.sticky) return undefined;
  const bounded = boundPattern(expression);
  return {
    code: (x, use) => `(typeof ${x} === "string" && ${use(bounded.test)}(${x}))`,
    test: (x) => typeof x === 'string' && bounded.test(x),
    probes: [' ', 'ab', 'A', '1', 'a1', 'a-b', 'é', 'a\nb', expression.source],
  };
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
