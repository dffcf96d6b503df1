import type { Rounds } from '../results/take-turns.ts';

/** Rounds in the form in which a program sends them. */
export type SentRounds = Readonly<Record<string, readonly number[]>>;

export function roundsOf(sent: SentRounds): Rounds {
  return new Map(Object.entries(sent));
}
