import type { Actor } from '../../domain/run/run-event.ts';
import { changeRun } from './change-run.ts';
import { checkInteger, checkOptionalText, invalid } from './check-request.ts';
import { identify } from './request-identity.ts';
import type { RunParts } from './run-parts.ts';
import type { Decision } from './run-requests.ts';
import type { RunView } from './run-view.ts';

/** A person. Agents confirm nothing, whatever they claim. */
export interface UserActor extends Actor {
  readonly kind: 'user';
}

const LONGEST_COMMENT = 10_000;

/**
 * Records what a user decided. One that says which view it is about can be repeated.
 *
 * @throws WorkflowError `CONFIRMATION_EXPIRED` when it comes too late, `STALE_SEQUENCE` when that question does not wait for an answer any more.
 */
export async function resolveRun(
  parts: RunParts,
  runId: string,
  decision: Decision,
  { kind, id }: UserActor,
): Promise<RunView> {
  if ((kind as string) !== 'user') throw invalid('actor', 'Only a user can confirm a step.');
  const approved = decision.approved as unknown;
  if (typeof approved !== 'boolean') throw invalid('approved', 'It is neither true nor false.');
  const comment = checkOptionalText('comment', decision.comment, { max: LONGEST_COMMENT });
  const shownSeq =
    decision.expectedSeq === undefined
      ? undefined
      : checkInteger('expectedSeq', decision.expectedSeq, 0, Number.MAX_SAFE_INTEGER);
  const asked = { resolve: { runId, shownSeq, approved, comment } };
  const userId = checkOptionalText('actor', id);
  return changeRun(parts, {
    runId,
    actor: { kind, ...(userId !== undefined && { id: userId }) },
    identity: shownSeq === undefined ? undefined : identify(runId, asked, undefined),
    command: (facts) => ({
      ...facts,
      type: 'resolve',
      approved,
      ...(comment !== undefined && { comment }),
      ...(shownSeq !== undefined && { shownSeq }),
    }),
  });
}
