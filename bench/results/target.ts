import { noiseNote, noiseOf, type Spread } from './spread.ts';

export type Comparison = '>=' | '>' | '<=' | 'between';

/** A promise that the benchmarks check. */
export interface Target {
  readonly name: string;
  readonly comparison: Comparison;
  /** `between` has both ends. */
  readonly limit: number | readonly [number, number];
  /** `ratio` unless it says otherwise. */
  readonly unit?: 'ms' | 'MB';
  /** Its rounds are above and below nothing, so that they have no noise to speak of. */
  readonly isDifference?: boolean;
}

/** Why there is no figure. */
export interface Unmeasured {
  readonly reason: string;
}

export type Measurement = Spread | Unmeasured;

/** A row of `results.json`. */
export interface TargetResult {
  readonly name: string;
  /** As text, such as `>= 0.8`. */
  readonly target: string;
  readonly comparison: Comparison;
  readonly limit: Target['limit'];
  readonly unit: 'ratio' | 'ms' | 'MB';
  /** The median of the rounds; null where nothing was measured. */
  readonly measured: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** How far the rounds are apart, as a share of the median. */
  readonly noise: number | null;
  /** Null where nothing was measured. */
  readonly ok: boolean | null;
  /** Why nothing was measured, or why it means little. */
  readonly reason?: string;
}

export function evaluateTarget(target: Target, measurement: Measurement): TargetResult {
  const { name, comparison, limit } = target;
  const unit: TargetResult['unit'] = target.unit ?? 'ratio';
  const row = { name, target: describeTarget(target), comparison, limit, unit } as const;
  if ('reason' in measurement) {
    const { reason } = measurement;
    return { ...row, measured: null, minimum: null, maximum: null, noise: null, ok: null, reason };
  }
  const { median, minimum, maximum } = measurement;
  const figures = { measured: median, minimum, maximum, ok: isMet(target, median) };
  if (target.isDifference === true) return { ...row, ...figures, noise: null };
  const reason = noiseNote(measurement);
  const noise = noiseOf(measurement);
  return { ...row, ...figures, noise, ...(reason === undefined ? {} : { reason }) };
}

/** Against the figure itself: what is rounded for the table may look as if it were met. */
function isMet({ comparison, limit }: Target, value: number): boolean {
  const [low, high] = typeof limit === 'number' ? [limit, limit] : limit;
  const outcomes: Readonly<Record<Comparison, boolean>> = {
    '>=': value >= low,
    '>': value > low,
    '<=': value <= high,
    between: value >= low && value <= high,
  };
  return outcomes[comparison];
}

function describeTarget({ comparison, limit, unit }: Target): string {
  const suffix = unit === undefined ? '' : ` ${unit}`;
  if (typeof limit === 'number') return `${comparison} ${limit}${suffix}`;
  return `${limit[0]} to ${limit[1]}${suffix}`;
}
