import { changeRun } from './change-run.ts';
import { checkKey, checkText } from './check-request.ts';
import { identify } from './request-identity.ts';
import type { RunCaller } from './run-caller.ts';
import type { RunParts } from './run-parts.ts';
import type { CheckpointRequest } from './run-requests.ts';
import type { RunView } from './run-view.ts';
import { readViewRef } from './view-ref.ts';

const LONGEST_NOTES = 10_000;

/** Keeps notes with a run, which stays where it is. */
export async function checkpointRun(
  parts: RunParts,
  caller: RunCaller,
  request: CheckpointRequest,
): Promise<RunView> {
  const notes = checkText('notes', request.notes, { min: 1, max: LONGEST_NOTES });
  const idempotencyKey = checkKey(request.idempotencyKey);
  const { runId, expectedSeq } = await readViewRef(parts, caller, request);
  return changeRun(parts, {
    runId,
    expectedSeq,
    actor: { kind: 'agent' },
    identity: identify(runId, { checkpoint: { runId, expectedSeq, notes } }, idempotencyKey),
    command: (facts) => ({ ...facts, type: 'checkpoint', notes, expectedSeq }),
  });
}
