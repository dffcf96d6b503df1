/** One side of a comparison. */
export interface Side {
  readonly name: string;
  readonly run: () => unknown;
  /** Runs per round: enough for some ten milliseconds. */
  readonly times: number;
}

export interface Ratio {
  readonly name: string;
  /** How many times as fast as the first side. */
  readonly speed: number;
}

const ROUNDS = 5;

/**
 * Compares sides within one process: each is warmed up, then they take turns, and the median of the rounds counts.
 * Only ratios come out, because times say more about the machine than about the code.
 */
export function compare(sides: readonly Side[]): readonly Ratio[] {
  for (const { run, times } of sides) timeOf(run, times);
  const rounds = Array.from({ length: ROUNDS }, () =>
    sides.map(({ run, times }) => timeOf(run, times) / times),
  );
  return sides.map(({ name }, index) => ({
    name,
    speed: median(rounds.map((round) => (round[0] as number) / (round[index] as number))),
  }));
}

function timeOf(run: () => unknown, times: number): number {
  const start = process.hrtime.bigint();
  for (let left = times; left > 0; left -= 1) run();
  return Number(process.hrtime.bigint() - start);
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number;
}
