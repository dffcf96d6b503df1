import type { Repetition } from '../results/rounds.ts';
import type { SentRounds } from '../sections/sent-rounds.ts';
import { takeTurns, type Side } from '../results/take-turns.ts';
import { sendProgress } from './program.ts';

export interface RaceSettings extends Omit<Repetition, 'progress'> {
  readonly rounds: number;
  /** Milliseconds for each side in each round. */
  readonly window: number;
}

/** Warms every side up, then measures it; what a program sends as its result. */
export async function race(
  sides: readonly Side[],
  references: readonly string[],
  settings: RaceSettings,
): Promise<SentRounds> {
  const warmUp = { rounds: 1, repeats: 0, repeatUntil: 0, progress: () => sendProgress('warm-up') };
  await takeTurns(sides, references, warmUp);
  const taken = await takeTurns(sides, references, { ...settings, progress: sendProgress });
  return taken.map((take) => Object.fromEntries(take));
}
