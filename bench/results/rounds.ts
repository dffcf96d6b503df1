import { isNoisy, noiseOf, ratioSpread, spreadOf, type Spread } from './spread.ts';

/** The rounds of every side, in order. */
export type Take = ReadonlyMap<string, readonly number[]>;

/** The first take has all sides, a later one those that were taken again. Ratios are made within a take. */
export type Rounds = readonly Take[];

/** A side, and the one that it is compared with, if there is one. */
export type Row = readonly [name: string, other?: string];

/** When to stop taking noisy rows again. */
export interface Repetition {
  /** How often at most. */
  readonly repeats: number;
  /** Nothing is taken again after it; milliseconds of the clock. */
  readonly repeatUntil: number;
  readonly progress: (text: string) => void;
}

/** Takes all sides, and again those of the rows that are noisy. */
export async function takeUntilCalm(
  names: readonly string[],
  rows: readonly Row[],
  take: (names: readonly string[]) => Promise<Take>,
  { repeats, repeatUntil, progress }: Repetition,
): Promise<Rounds> {
  const rounds = [await take(names)];
  for (let left = repeats; left > 0 && Date.now() < repeatUntil; left -= 1) {
    const noisy = sidesToRepeat(rounds, rows);
    if (noisy.length === 0) break;
    progress(`again, because their rounds differ by more than a third: ${noisy.join(', ')}`);
    rounds.push(await take(names.filter((name) => noisy.includes(name))));
  }
  return rounds;
}

/** The sides of all rows that are noisy in every take. */
export function sidesToRepeat(rounds: Rounds, rows: readonly Row[]): readonly string[] {
  const noisy = rows.filter(([name, other]) =>
    isNoisy(other === undefined ? spreadOfSide(rounds, name) : compareSides(rounds, name, other)),
  );
  return [...new Set(noisy.flatMap((row) => row.filter((name) => name !== undefined)))];
}

/** Every side beside each of those that are compared with, or alone where there are none. */
export function rowsAgainst(names: readonly string[], references: readonly string[]): readonly Row[] {
  if (references.length === 0) return names.map((name) => [name]);
  return names.flatMap((name) =>
    references.filter((other) => other !== name).map((other): Row => [name, other]),
  );
}

/** How much more one side gave than the other. @throws RangeError when one of them took no turn. */
export function compareSides(rounds: Rounds, name: string, other: string): Spread {
  return calmest(rounds, [name, other], ([values, others]) => ratioSpread(values ?? [], others ?? []));
}

/** What one side gave. @throws RangeError when it took no turn. */
export function spreadOfSide(rounds: Rounds, name: string): Spread {
  return calmest(rounds, [name], ([values]) => spreadOf(values ?? []));
}

/** A figure made of the rounds of several sides, from the take where it is calmest. */
export function calmest(
  rounds: Rounds,
  names: readonly string[],
  figure: (values: readonly (readonly number[])[]) => Spread,
): Spread {
  const missing = names.find((name) => !rounds.some((take) => take.has(name)));
  if (missing !== undefined) throw new RangeError(`${missing} took no turn`);
  const whole = rounds.filter((take) => names.every((name) => take.has(name)));
  const spreads = whole.map((take) => figure(names.map((name) => take.get(name) ?? [])));
  const [best] = [...spreads].sort((left, right) => noiseOf(left) - noiseOf(right));
  if (best === undefined) throw new RangeError(`${names.join(', ')} were never taken together`);
  return spreads.length === 1 ? best : { ...best, takes: spreads.length };
}

/** All sides that took a turn. */
export function sidesOf(rounds: Rounds): readonly string[] {
  return [...(rounds[0]?.keys() ?? [])];
}
