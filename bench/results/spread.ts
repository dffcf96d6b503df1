/** What several rounds gave. */
export interface Spread {
  readonly median: number;
  readonly minimum: number;
  readonly maximum: number;
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
