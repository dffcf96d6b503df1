import type { Side } from '../results/take-turns.ts';

export interface Workload {
  readonly name: string;
  readonly run: () => unknown;
  /** How often it runs between two looks at the clock. */
  readonly batch: number;
}

/** Runs per millisecond, of what answers at once. */
export function synchronousSide({ name, run, batch }: Workload, window: number): Side {
  return {
    name,
    measure: () => {
      const start = performance.now();
      let runs = 0;
      for (let passed = 0; passed < window; passed = performance.now() - start) {
        for (let left = batch; left > 0; left -= 1) run();
        runs += batch;
      }
      return runs / (performance.now() - start);
    },
  };
}

/** Runs per millisecond, one after the other, of what gives a promise. */
export function asynchronousSide({ name, run, batch }: Workload, window: number): Side {
  return {
    name,
    measure: async () => {
      const start = performance.now();
      let runs = 0;
      for (let passed = 0; passed < window; passed = performance.now() - start) {
        for (let left = batch; left > 0; left -= 1) await run();
        runs += batch;
      }
      return runs / (performance.now() - start);
    },
  };
}
