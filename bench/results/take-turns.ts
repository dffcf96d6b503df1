import { ratioSpread, type Spread } from './spread.ts';

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  /** One round: more is better for a rate, worse for a time. */
  readonly measure: () => number | Promise<number>;
}

/** The rounds of every side, in order. */
export type Rounds = ReadonlyMap<string, readonly number[]>;

/**
 * Lets the sides take turns. Every other round goes backwards, so that what drifts during a round favours nobody.
 */
export async function takeTurns(
  sides: readonly Side[],
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<Rounds> {
  const taken = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    onRound(round);
    const order = round % 2 === 1 ? sides : [...sides].reverse();
    for (const { name, measure } of order) taken.get(name)?.push(await measure());
  }
  return taken;
}

/** @throws RangeError when one of the sides took no turn. */
export function compareSides(rounds: Rounds, name: string, other: string): Spread {
  const values = rounds.get(name);
  const others = rounds.get(other);
  if (values === undefined || others === undefined) {
    throw new RangeError(`${values === undefined ? name : other} took no turn`);
  }
  return ratioSpread(values, others);
}
