import { plainRule, type AskOriginal, type BoundRule, type InlineRule } from './inline-rule.ts';

/** Rules for numbers. */
export const NUMBER_RULES: Readonly<Record<string, InlineRule>> = {
  min: {
    says: 'must not be less than',
    bind: ([least]) => {
      if (typeof least !== 'number') return undefined;
      return {
        code: (x, use) => `(typeof ${x} === "number" && ${x} >= ${use(least)})`,
        test: (x) => typeof x === 'number' && x >= least,
        probes: around(least),
      };
    },
  },
  max: {
    says: 'must not be greater than',
    bind: ([most]) => {
      if (typeof most !== 'number') return undefined;
      return {
        code: (x, use) => `(typeof ${x} === "number" && ${x} <= ${use(most)})`,
        test: (x) => typeof x === 'number' && x <= most,
        probes: around(most),
      };
    },
  },
  isPositive: plainRule('must be a positive number', {
    code: (x) => `(typeof ${x} === "number" && ${x} > 0)`,
    test: (x) => typeof x === 'number' && x > 0,
  }),
  isNegative: plainRule('must be a negative number', {
    code: (x) => `(typeof ${x} === "number" && ${x} < 0)`,
    test: (x) => typeof x === 'number' && x < 0,
  }),
  isDivisibleBy: { says: 'must be divisible by', bind: ([divisor]) => bindDivisor(divisor) },
  isLatitude: { says: 'must be a latitude', bind: (_, ask) => bindDegrees(90, ask) },
  isLongitude: { says: 'must be a longitude', bind: (_, ask) => bindDegrees(180, ask) },
};

function around(bound: number): readonly number[] {
  return [bound, bound - 1, bound + 1];
}

/** The original reads its argument with `parseInt`: 2.5 divides by 2, and 1e21 by 1. */
function bindDivisor(argument: unknown): BoundRule | undefined {
  if (typeof argument !== 'number') return undefined;
  const divisor = Number.parseInt(String(argument), 10);
  return {
    code: (x, use) => `(Number.isFinite(${x}) && ${x} % ${use(divisor)} === 0)`,
    test: (x) => Number.isFinite(x) && (x as number) % divisor === 0,
    probes: [...around(divisor), 2 * divisor, divisor / 2, argument, 12, 1e21],
  };
}

// Below it a number is written with an exponent, which the original does not read.
const SMALLEST_WRITTEN_OUT = 1e-6;

function bindDegrees(most: number, ask: AskOriginal): BoundRule {
  return {
    code: (x, use) =>
      `(typeof ${x} === "number" ? ${x} >= ${-most} && ${x} <= ${most} && ` +
      `(${x} >= ${SMALLEST_WRITTEN_OUT} || ${x} <= ${-SMALLEST_WRITTEN_OUT} || ${x} === 0) : ${use(ask)}(${x}))`,
    test: (x) => {
      if (typeof x !== 'number') return ask(x);
      return Math.abs(x) <= most && (Math.abs(x) >= SMALLEST_WRITTEN_OUT || x === 0);
    },
    probes: [...around(most), ...around(-most), 1e-7, -1e-7, most + 0.1, 12.5, '12'],
  };
}
