import { plainRule, type BoundRule, type InlineRule } from './inline-rule.ts';

/** Rules for arrays as a whole. */
export const ARRAY_RULES: Readonly<Record<string, InlineRule>> = {
  arrayContains: { says: 'must contain', bind: ([values]) => bindValues(values, true) },
  arrayNotContains: { says: 'should not contain', bind: ([values]) => bindValues(values, false) },
  arrayNotEmpty: plainRule('should not be empty', {
    code: (x) => `(Array.isArray(${x}) && ${x}.length > 0)`,
    test: (x) => Array.isArray(x) && x.length > 0,
  }),
  arrayMinSize: {
    says: 'must contain at least',
    bind: ([least]) => {
      if (typeof least !== 'number') return undefined;
      return {
        code: (x, use) => `(Array.isArray(${x}) && ${x}.length >= ${use(least)})`,
        test: (x) => Array.isArray(x) && x.length >= least,
        probes: arraysAround(least),
      };
    },
  },
  arrayMaxSize: {
    says: 'must contain no more than',
    bind: ([most]) => {
      if (typeof most !== 'number') return undefined;
      return {
        code: (x, use) => `(Array.isArray(${x}) && ${x}.length <= ${use(most)})`,
        test: (x) => Array.isArray(x) && x.length <= most,
        probes: arraysAround(most),
      };
    },
  },
  arrayUnique: {
    says: "All 's elements must be unique",
    // the function that identifies an item is nowhere in the metadata, but an array is mapped with it
    bind: (_, ask) => ({
      code: (x, use) => `${use(isUnique)}(${x})`,
      test: isUnique,
      probes: [['a', 'a'], [1, '1'], [0, -0], [Number.NaN], [{}, {}], [null, undefined]],
      isOriginal: () => !isMapped(ask),
    }),
  },
};

const LONGEST_PROBE = 100;

function arraysAround(size: number): readonly (readonly number[])[] {
  return [size - 1, size, size + 1]
    .filter((length) => length >= 0 && length <= LONGEST_PROBE)
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
    code: (x, use) => `${use(test)}(${x})`,
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
