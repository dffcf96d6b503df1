import { setTimeout as sleep } from 'node:timers/promises';

const RETRIES = 3;
const STEP = 25;

/** Repeats work, at growing and random distances, that failed for what others did at the same time. */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  isTransient: (error: unknown) => boolean,
): Promise<Result> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (retry > RETRIES || !isTransient(error)) throw error;
      await sleep(STEP * retry * (0.5 + Math.random()));
    }
  }
}
