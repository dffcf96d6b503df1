import { checkInteger, checkText, invalid } from './check-request.ts';
import { checkVisible, isVisible } from './load-run.ts';
import type { RunCaller } from './run-caller.ts';
import { invalidToken, runNotFound } from './run-errors.ts';
import type { RunParts } from './run-parts.ts';
import type { ViewRef } from './run-requests.ts';
import { readToken } from './run-token.ts';

/** Which view of which run is meant. */
export interface KnownView {
  readonly runId: string;
  readonly expectedSeq: number;
}

const LONGEST = 1000;

/**
 * Reads the token, or the run and its seq, of a request.
 *
 * @throws WorkflowError `INVALID_TOKEN`, `RUN_NOT_FOUND`, or `INVALID_PARAMS` where both are missing.
 */
export async function readViewRef(parts: RunParts, caller: RunCaller, ref: ViewRef): Promise<KnownView> {
  if (ref.token !== undefined) return readTokenRef(parts, caller, ref, ref.token);
  if (ref.runId === undefined || ref.expectedSeq === undefined)
    throw invalid(
      'token',
      'It is missing, and so is the runId with its expectedSeq that could stand in for it.',
    );
  const runId = checkRunId(ref.runId);
  const expectedSeq = checkInteger('expectedSeq', ref.expectedSeq, 0, Number.MAX_SAFE_INTEGER);
  await checkVisible(parts, runId, caller);
  return { runId, expectedSeq };
}

export function checkRunId(runId: unknown): string {
  return checkText('runId', runId, { min: 1, max: LONGEST });
}

async function readTokenRef(
  { store, keys }: RunParts,
  caller: RunCaller,
  ref: ViewRef,
  token: string,
): Promise<KnownView> {
  if (typeof (token as unknown) !== 'string') throw invalid('token', 'It is not a string.');
  const claims = token.length > LONGEST ? undefined : readToken(await keys.all(), token);
  if (claims === undefined) throw invalidToken();
  const { runId, seq } = claims;
  if (ref.runId !== undefined && ref.runId !== runId) throw invalidToken();
  if (ref.expectedSeq !== undefined && ref.expectedSeq !== seq)
    throw invalid('expectedSeq', 'The token is of another seq.');
  const summary = await store.getSummary(runId);
  if (summary === null) throw runNotFound(runId);
  if (!isVisible(summary, caller)) throw invalidToken();
  return { runId, expectedSeq: seq };
}
