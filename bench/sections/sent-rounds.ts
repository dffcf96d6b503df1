import type { Rounds } from '../results/rounds.ts';

/** Rounds in the form in which a program sends them. */
export type SentRounds = readonly Readonly<Record<string, readonly number[]>>[];

export function roundsOf(sent: SentRounds): Rounds {
  return sent.map((take) => new Map(Object.entries(take)));
}
