import { takeTurns, type Rounds, type Side } from '../results/take-turns.ts';
import { sendProgress } from './program.ts';

export interface RaceSettings {
  readonly rounds: number;
  /** Milliseconds for each side in each round. */
  readonly window: number;
}

/** Warms every side up, then measures it; what a program sends as its result. */
export async function race(
  sides: readonly Side[],
  rounds: number,
): Promise<Record<string, readonly number[]>> {
  sendProgress('warm-up');
  await takeTurns(sides, 1);
  const taken: Rounds = await takeTurns(sides, rounds, (round) =>
    sendProgress(`round ${round} of ${rounds}`),
  );
  return Object.fromEntries(taken);
}
