import { changeRun } from './change-run.ts';
import { checkKey, checkOptionalText } from './check-request.ts';
import { checkVisible } from './load-run.ts';
import { identify } from './request-identity.ts';
import type { RunCaller } from './run-caller.ts';
import type { RunParts } from './run-parts.ts';
import type { CancelRequest } from './run-requests.ts';
import type { RunView } from './run-view.ts';
import { checkRunId } from './view-ref.ts';

const LONGEST_REASON = 10_000;

/** Ends a run wherever it stands. One that is cancelled already stays as it is. */
export async function cancelRun(
  parts: RunParts,
  caller: RunCaller,
  request: CancelRequest,
): Promise<RunView> {
  const runId = checkRunId(request.runId);
  const reason = checkOptionalText('reason', request.reason, { max: LONGEST_REASON });
  const idempotencyKey = checkKey(request.idempotencyKey);
  await checkVisible(parts, runId, caller);
  return changeRun(parts, {
    runId,
    actor: { kind: 'agent' },
    identity: identify(runId, { cancel: { runId, reason } }, idempotencyKey),
    command: (facts) => ({ ...facts, type: 'cancel', ...(reason !== undefined && { reason }) }),
  });
}
