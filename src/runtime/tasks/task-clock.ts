import { LONGEST_TIMER } from '../../shared/option-rules.ts';

/** The time, and how to wait for it. */
export interface TaskClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after some milliseconds; the returned function prevents that. */
  after(milliseconds: number, run: () => void): () => void;
}

/** Its timers do not keep the process alive: what is worth waiting for does so by itself. */
export const systemClock: TaskClock = Object.freeze({
  now: () => Date.now(),
  after: (milliseconds: number, run: () => void) => {
    const timer = setTimeout(run, Math.min(milliseconds, LONGEST_TIMER));
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
});
