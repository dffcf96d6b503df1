import { LEVELS, type Change, type Level } from './changes.ts';
import type { AcceptedChange } from './lock-file.ts';

/** The lowest level at which a difference counts as a failure. */
export const FAIL_ON = Object.freeze(['breaking', 'risky', 'any', 'none'] as const);

export type FailOn = (typeof FAIL_ON)[number];

/** A difference, and what follows from it. */
export interface Verdict {
  /** What nobody has accepted, the most serious first. */
  readonly changes: readonly Change[];
  readonly accepted: readonly (Change & { readonly reason: string })[];
  /** Entries that accept what did not happen. */
  readonly unmatched: readonly AcceptedChange[];
  /** The most serious level; undefined where nothing is left. */
  readonly level: Level | undefined;
  readonly isFailure: boolean;
}

/** Takes out what was accepted, and says whether the rest is a failure. */
export function decideOn(
  changes: readonly Change[],
  accept: readonly AcceptedChange[],
  failOn: FailOn,
): Verdict {
  const reasonFor = (change: Change): AcceptedChange | undefined =>
    accept.find(({ rule, where }) => rule === change.rule && where === change.where);
  const accepted = changes.flatMap((change) => {
    const reason = reasonFor(change)?.reason;
    return reason === undefined ? [] : [{ ...change, reason }];
  });
  const left = changes.filter((change) => reasonFor(change) === undefined);
  const unmatched = accept.filter(
    ({ rule, where }) => !changes.some((change) => change.rule === rule && change.where === where),
  );
  const isFailure = unmatched.length > 0 || left.some(({ level }) => isAtLeast(level, failOn));
  return { changes: left, accepted, unmatched, level: left[0]?.level, isFailure };
}

function isAtLeast(level: Level, failOn: FailOn): boolean {
  if (failOn === 'none') return false;
  return failOn === 'any' || LEVELS.indexOf(level) <= LEVELS.indexOf(failOn);
}
