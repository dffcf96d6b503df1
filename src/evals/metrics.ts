/** A share of runs, with the interval in which it lies by a confidence of 95 % (Wilson). */
export interface EvalShare {
  /** How many passed. */
  readonly passed: number;
  /** How many there were. */
  readonly of: number;
  /** From 0 to 1; 0 where there were none. */
  readonly share: number;
  /** The lower end of the interval. */
  readonly low: number;
  /** The upper end of the interval. */
  readonly high: number;
}

const DEVIATIONS = 1.96;

/** The share of passed ones. @param results undefined where a run says nothing of it */
export function measureShare(results: readonly (boolean | undefined)[]): EvalShare {
  const counted = results.filter((result) => result !== undefined);
  const of = counted.length;
  const passed = counted.filter(Boolean).length;
  if (of === 0) return { passed, of, share: 0, low: 0, high: 1 };
  const share = passed / of;
  const square = DEVIATIONS ** 2;
  const middle = share + square / (2 * of);
  const reach = DEVIATIONS * Math.sqrt((share * (1 - share)) / of + square / (4 * of ** 2));
  const whole = 1 + square / of;
  return {
    passed,
    of,
    share: round(share),
    low: round(Math.max(0, (middle - reach) / whole)),
    high: round(Math.min(1, (middle + reach) / whole)),
  };
}

/** Four places, so that reports are equal on each machine. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
