import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

export interface Wakefulness {
  /** Gets everything that is done in the meantime. */
  readonly worked: () => void;
  /** Lets the process sleep again; gives the share of the time that it was busy. */
  end(): number;
}

/**
 * Keeps the event loop turning. An answer to a process that sleeps has to wake it, which takes longer than writing
 * the answer, and only a server that is slower than its clients has to: it would pay for that twice. On one processor
 * the turns would take the time of the server instead.
 */
export function keepAwake(): Wakefulness {
  return availableParallelism() < 2 ? asItComes() : turning();
}

function asItComes(): Wakefulness {
  const before = performance.eventLoopUtilization();
  return {
    worked: () => undefined,
    end: () => performance.eventLoopUtilization(before).utilization,
  };
}

function turning(): Wakefulness {
  const start = performance.now();
  let last = start;
  let idle = 0;
  let hasWorked = false;
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    if (!hasWorked) idle += now - last;
    last = now;
    hasWorked = false;
    if (!isOver) setImmediate(turn);
  };
  turn();
  return {
    worked: () => {
      hasWorked = true;
    },
    end: () => {
      isOver = true;
      return 1 - idle / (performance.now() - start);
    },
  };
}
