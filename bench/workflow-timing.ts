const REPEATS = 30;

/** The median time of some work, in milliseconds. */
export async function median(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((left, right) => left - right)[REPEATS / 2] ?? Number.NaN;
}

export function print(what: string, milliseconds: number): void {
  console.log(`${what.padEnd(48)} ${milliseconds.toFixed(2)} ms`);
}
