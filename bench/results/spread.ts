/** What several rounds gave. */
export interface Spread {
  readonly median: number;
  readonly minimum: number;
  readonly maximum: number;
  /** How often all rounds were taken, where once was too noisy. */
  readonly takes?: number;
}

// Rounds that are further apart than this share of their median mean little
const NOISY = 1 / 3;

/** How far the rounds are apart, as a share of their median. */
export function noiseOf({ median, minimum, maximum }: Spread): number {
  return maximum === minimum ? 0 : (maximum - minimum) / Math.abs(median);
}

/** Whether the rounds differ by more than a third. */
export function isNoisy(spread: Spread): boolean {
  return noiseOf(spread) > NOISY;
}

/** What to say about rounds that stayed too far apart. */
export function noiseNote(spread: Spread): string | undefined {
  if (!isNoisy(spread)) return undefined;
  const { takes = 1 } = spread;
  const often = takes === 1 ? '' : `, also when taken ${takes} times`;
  return `noisy: the rounds differ by ${Math.round(noiseOf(spread) * 100)} %${often}`;
}

/** @throws RangeError for no values at all. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('There is no median of nothing');
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), minimum: Math.min(...values), maximum: Math.max(...values) };
}

/** How many times as much as the other side, round by round, so that a slow moment of the machine meets both. */
export function ratioSpread(values: readonly number[], others: readonly number[]): Spread {
  if (values.length !== others.length) throw new RangeError('Both sides need the same rounds');
  return spreadOf(values.map((value, round) => value / (others[round] as number)));
}
