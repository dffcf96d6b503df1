import { changeRun } from './change-run.ts';
import { checkInteger } from './check-request.ts';
import type { RunParts } from './run-parts.ts';

const PAGE = 100;

/**
 * Records what time did to runs that nobody went on with: confirmations that nobody gave, and runs that expired.
 * One that cannot be changed is logged, and does not keep the others waiting.
 *
 * @param options.limit how many runs are changed at most, the oldest first; default all that are due
 * @returns how many were changed
 */
export async function expireRuns(
  parts: RunParts,
  { limit = Number.MAX_SAFE_INTEGER }: { readonly limit?: number } = {},
): Promise<number> {
  checkInteger('limit', limit, 1, Number.MAX_SAFE_INTEGER);
  // What expires right now counts, too
  const before = new Date(parts.clock() + 1).toISOString();
  // They stay due, the oldest of all, so the others are behind them
  const stuck = new Set<string>();
  for (let changed = 0; ;) {
    const wanted = Math.min(PAGE, limit - changed) + stuck.size;
    const due = await parts.store.findExpired(before, wanted);
    for (const runId of due.filter((each) => !stuck.has(each))) {
      if (await expireRun(parts, runId)) changed += 1;
      else stuck.add(runId);
      if (changed >= limit) return changed;
    }
    if (due.length < wanted) return changed;
  }
}

/** Whether time did anything to the run. */
async function expireRun(parts: RunParts, runId: string): Promise<boolean> {
  let seqBefore = 0;
  try {
    const { seq } = await changeRun(parts, {
      runId,
      actor: { kind: 'system' },
      identity: undefined,
      command: (facts, { state }) => {
        seqBefore = state.seq;
        return { ...facts, type: 'expire' };
      },
    });
    return seq > seqBefore;
  } catch (cause) {
    const message = 'A run that is due to expire could not be changed.';
    parts.logger.log({ level: 'error', event: 'workflow.run.expiry-failed', message, runId, cause });
    return false;
  }
}
