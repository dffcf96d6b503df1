import { timeOf, type LimitBy, type LimitedCall } from '../../metadata/rate-options.ts';
import type { Use } from '../../scanner/scan-facet.ts';
import type { CountedLimits, LimitDeclaration, QueueOptions, QuotaOptions } from './counted-limits.ts';

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
  return limitsOf(limits, APPLICATION);
}

const APPLICATION = 'application';

/** Whether a limit counts the calls that name no action as well. */
export function isOfApplication({ id }: ScannedLimit): boolean {
  return id.startsWith(`${APPLICATION}#`);
}

/** The limits that options name. @param owner whose they are, in their ids */
export function limitsOf(limits: CountedLimits, owner: string): readonly ScannedLimit[] {
  return listDeclarations(limits).map((declaration, index) =>
    scanLimit(declaration, `${owner}#${String(index)}`),
  );
}

/** What one decorator says, or the `limits` of the plain API. */
export type SaidLimits = CountedLimits | LimitDeclaration['options'];

/**
 * The limits of a method: those of the application, of the groups from the outermost to its own, and its own. All of
 * them count.
 */
export function readLimits(
  uses: readonly Use<SaidLimits>[],
  around: readonly ScannedLimit[] = [],
): readonly ScannedLimit[] | undefined {
  const counts = new Map<string, number>();
  // A group may extend its own parent, whose limits count once
  const own = [...new Set(uses.toReversed())].flatMap((use) =>
    declarationsIn(use).map((declaration) => {
      const index = counts.get(use.place) ?? 0;
      counts.set(use.place, index + 1);
      return scanLimit(declaration, `${use.place}#${String(index)}`);
    }),
  );
  const all = [...around, ...own];
  return all.length === 0 ? undefined : Object.freeze(all);
}

function declarationsIn({ decorator, options }: Use<SaidLimits>): readonly LimitDeclaration[] {
  const kind = KINDS[decorator];
  return kind === undefined
    ? listDeclarations(options as CountedLimits)
    : [{ kind, options } as LimitDeclaration];
}

const KINDS: Readonly<Record<string, LimitDeclaration['kind']>> = {
  '@RateLimit': 'rate',
  '@Quota': 'quota',
  '@Concurrency': 'concurrency',
};

function listDeclarations({ rate, quota, concurrency }: CountedLimits): readonly LimitDeclaration[] {
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

/** A limit in words. */
export function sayLimit(limit: ScannedLimit): string {
  const whose = limit.by === 'subject' ? 'for each caller' : `by ${describeBy(limit.by)}`;
  switch (limit.kind) {
    case 'rate':
      return `at most ${String(limit.limit)} calls in ${String(limit.per)} ms ${whose}`;
    case 'quota':
      return `at most ${String(limit.limit)} calls a ${limit.per} ${whose}`;
    case 'concurrency':
      return `at most ${String(limit.limit)} calls at the same time ${whose}`;
  }
}

function describeBy(by: LimitBy): string {
  return typeof by === 'function' ? 'a function' : by;
}
