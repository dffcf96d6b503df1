import type { Figure } from '../results/section.ts';
import { compareSides, sidesOf, type Rounds } from '../results/rounds.ts';
import type { Measurement } from '../results/target.ts';
import type { RaceOutcome } from './race-http.ts';

// Above it the clients may be what was measured
const BUSY = 0.85;

/** Every side as a ratio to one of them, fastest first; those that failed come last, with the reason. */
export function figuresOf(
  { rounds, failures, clientShare }: RaceOutcome,
  reference: string,
): readonly Figure[] {
  const isBusy = clientShare > BUSY;
  const note = `the clients were busy for ${Math.round(clientShare * 100)} % of the time: the ratios may be too small`;
  const raced = figuresOfRounds(rounds, reference).map((figure) =>
    figure.name === reference && isBusy ? { ...figure, note } : figure,
  );
  const failed = [...failures].map(([name, reason]): Figure => ({ name, ratio: undefined, note: reason }));
  return [...raced, ...failed];
}

export function figuresOfRounds(rounds: Rounds, reference: string): readonly Figure[] {
  return sidesOf(rounds)
    .map((name) => ({ name, ratio: compareSides(rounds, name, reference) }))
    .sort((left, right) => right.ratio.median - left.ratio.median);
}

/** How much faster one side is than another one, unless that one failed. */
export function ratioOrReason({ rounds, failures }: RaceOutcome, name: string, other: string): Measurement {
  const reason = failures.get(other);
  return reason === undefined ? compareSides(rounds, name, other) : { reason: `${other}: ${reason}` };
}

/** How much faster one side is than the fastest of the others. */
export function aheadOf(rounds: Rounds, name: string, others: readonly string[]): Measurement {
  const ratios = others
    .filter((other) => sidesOf(rounds).includes(other))
    .map((other) => compareSides(rounds, name, other))
    .sort((left, right) => left.median - right.median);
  return ratios[0] ?? { reason: 'None of the others runs here' };
}
