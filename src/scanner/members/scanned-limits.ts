import type {
  CountedLimits,
  LimitBy,
  LimitDeclaration,
  LimitedCall,
  QueueOptions,
  QuotaOptions,
  RateLimitOptions,
} from '../../metadata/limit-options.ts';

interface Counted {
  /** Unique in the application, and the same in each of its processes. */
  readonly id: string;
  readonly by: LimitBy;
}

/** So many calls, evenly spread over a time. */
export interface ScannedRate extends Counted {
  readonly kind: 'rate';
  readonly limit: number;
  /** Milliseconds. */
  readonly per: number;
  readonly burst: number;
  readonly cost: number | ((call: LimitedCall) => number);
}

/** So many calls in a window of the calendar. */
export interface ScannedQuota extends Counted {
  readonly kind: 'quota';
  readonly limit: number;
  readonly per: QuotaOptions['per'];
  readonly cost: number | ((call: LimitedCall) => number);
}

/** So many calls at the same time. */
export interface ScannedConcurrency extends Counted {
  readonly kind: 'concurrency';
  readonly limit: number;
  readonly queue: QueueOptions | undefined;
}

export type ScannedLimit = ScannedRate | ScannedQuota | ScannedConcurrency;

/** The limits of all calls of an application or registry. */
export function defaultLimits(limits: CountedLimits): readonly ScannedLimit[] {
  return scanDeclarations(declarationsOf(limits), 'application');
}

/** The limits that options name. @param owner whose they are, in their ids */
export function limitsOf(limits: CountedLimits | undefined, owner: string): readonly ScannedLimit[] {
  return limits === undefined ? [] : scanDeclarations(declarationsOf(limits), owner);
}

function declarationsOf({ rate, quota, concurrency }: CountedLimits): readonly LimitDeclaration[] {
  return [
    ...listed(rate).map((options) => ({ kind: 'rate', options }) as const),
    ...listed(quota).map((options) => ({ kind: 'quota', options }) as const),
    ...listed(concurrency).map((options) => ({ kind: 'concurrency', options }) as const),
  ];
}

function listed<Options>(given: Options | readonly Options[] | undefined): readonly Options[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? (given as readonly Options[]) : [given as Options];
}

export function scanDeclarations(
  declarations: readonly LimitDeclaration[],
  owner: string,
): readonly ScannedLimit[] {
  return declarations.map((declaration, index) => scanLimit(declaration, `${owner}#${String(index)}`));
}

const TIMES = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** In milliseconds. */
export function timeOf(per: RateLimitOptions['per']): number {
  return typeof per === 'number' ? per : TIMES[per];
}

function scanLimit({ kind, options }: LimitDeclaration, id: string): ScannedLimit {
  const { by = 'subject', limit } = options;
  if (kind === 'concurrency') {
    return Object.freeze({
      kind,
      id,
      by,
      limit,
      queue: options.queue && Object.freeze({ ...options.queue }),
    });
  }
  const { cost = 1 } = options;
  if (kind === 'quota') return Object.freeze({ kind, id, by, limit, per: options.per, cost });
  return Object.freeze({
    kind,
    id,
    by,
    limit,
    per: timeOf(options.per),
    burst: options.burst ?? limit,
    cost,
  });
}
