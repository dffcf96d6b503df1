import { changeRun } from './change-run.ts';
import type { RunParts } from './run-parts.ts';

const MOST_RUNS = 100;

/**
 * Records what time did to runs that nobody went on with: confirmations that nobody gave, and runs that expired.
 * One that cannot be changed is logged, and does not keep the others waiting.
 *
 * @param options.limit how many runs are looked at; default 100
 * @returns how many of them were changed
 */
export async function expireRuns(
  parts: RunParts,
  { limit = MOST_RUNS }: { readonly limit?: number } = {},
): Promise<number> {
  // What expires right now counts, too
  const before = new Date(parts.clock() + 1).toISOString();
  let changed = 0;
  for (const runId of await parts.store.findExpired(before, limit)) {
    if (await expireRun(parts, runId)) changed += 1;
  }
  return changed;
}

async function expireRun(parts: RunParts, runId: string): Promise<boolean> {
  try {
    await changeRun(parts, {
      runId,
      actor: { kind: 'system' },
      identity: undefined,
      command: (facts) => ({ ...facts, type: 'expire' }),
    });
    return true;
  } catch (cause) {
    const message = 'A run that is due to expire could not be changed.';
    parts.logger.log({ level: 'error', event: 'workflow.run.expiry-failed', message, runId, cause });
    return false;
  }
}
