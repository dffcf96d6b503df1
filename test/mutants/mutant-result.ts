import type { Place, Spot } from './place.ts';

/** `timed out` counts as killed: the same suites ended within the limit without the mutation. */
export type Outcome = 'killed' | 'timed out' | 'survived' | 'gone' | 'ambiguous' | 'not run';

export interface MutantResult {
  readonly place: Place;
  readonly spot?: Spot | undefined;
  readonly outcome: Outcome;
  /** The suite that failed, or `the build`. */
  readonly by?: string | undefined;
  /** The first test that failed in it. */
  readonly test?: string | undefined;
  /** What the outcome leaves open. */
  readonly note?: string | undefined;
  readonly seconds: number;
}

export interface Totals {
  readonly places: number;
  readonly killed: number;
  readonly survived: number;
  /** Gone, ambiguous or not run: nothing is known about the tests. */
  readonly unknown: number;
}

export function countResults(results: readonly MutantResult[]): Totals {
  const count = (...outcomes: readonly Outcome[]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    places: results.length,
    killed: count('killed', 'timed out'),
    survived: count('survived'),
    unknown: count('gone', 'ambiguous', 'not run'),
  };
}

/** One line: where, what, and how it ended. */
export function resultLine({ place, spot, outcome, by, note, seconds }: MutantResult): string {
  const where = spot === undefined ? place.line : `${spot.path}:${String(spot.line)}`;
  const more = [by, note].filter((part) => part !== undefined).join('; ');
  return `${outcome.padEnd(9)} ${String(Math.round(seconds)).padStart(4)} s  ${where}  ${place.mutation}${more && `  (${more})`}`;
}

/** A row for each place, then what remains of the code of those that no test noticed. */
export function printResults(results: readonly MutantResult[]): void {
  console.log('\nRESULTS');
  for (const result of results) console.log(resultLine(result));
  const survivors = results.filter(({ outcome }) => outcome === 'survived');
  if (survivors.length > 0) console.log('\nSURVIVORS');
  for (const { place, spot } of survivors) {
    const where = spot === undefined ? '' : `${spot.path}:${String(spot.line)}`;
    console.log(`${where}  ${place.mutation}\n  - ${place.line}\n  + ${place.becomes}`);
  }
  const { places, killed, survived, unknown } = countResults(results);
  const counts = (['gone', 'ambiguous', 'not run'] as const)
    .map((each) => `${String(results.filter(({ outcome }) => outcome === each).length)} ${each}`)
    .join(', ');
  console.log(
    `\n${String(killed)} of ${String(places - unknown)} killed, ${String(survived)} survived; besides ${counts}`,
  );
}
