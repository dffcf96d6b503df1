import { rowsAgainst, takeUntilCalm, type Repetition, type Rounds, type Take } from './rounds.ts';

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  /** One round: more is better for a rate, worse for a time. */
  readonly measure: () => number | Promise<number>;
}

/** How often the sides take turns. */
export interface Turns extends Repetition {
  readonly rounds: number;
}

/**
 * Lets the sides take turns. Every other round goes backwards, so that what drifts during a round favours nobody.
 * What is noisy beside one of the references is taken again; without a reference each side counts alone.
 */
export function takeTurns(
  sides: readonly Side[],
  references: readonly string[],
  turns: Turns,
): Promise<Rounds> {
  const names = sides.map(({ name }) => name);
  const take = (wanted: readonly string[]): Promise<Take> =>
    takeOnce(
      sides.filter(({ name }) => wanted.includes(name)),
      turns,
    );
  return takeUntilCalm(names, rowsAgainst(names, references), take, turns);
}

async function takeOnce(
  sides: readonly Side[],
  { rounds, progress }: Pick<Turns, 'rounds' | 'progress'>,
): Promise<Take> {
  const taken = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    const order = round % 2 === 1 ? sides : [...sides].reverse();
    for (const { name, measure } of order) taken.get(name)?.push(await measure());
  }
  return taken;
}
