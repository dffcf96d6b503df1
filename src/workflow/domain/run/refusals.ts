import type { Rejection, CommandLimits } from './run-command.ts';
import { MOST_EVENTS, type RunChanges } from './run-changes.ts';
import type { RunState } from './run-state.ts';
import type { WorkflowContext } from '../conditions/condition.ts';

/** Why nothing can happen to a run any more. */
export function refuseFinished({ status }: RunState): Rejection | undefined {
  if (status === 'expired') return { code: 'RUN_EXPIRED', message: 'The run is expired.' };
  if (status !== 'completed' && status !== 'cancelled') return undefined;
  return { code: 'RUN_FINISHED', message: `The run is ${status}.`, details: { status } };
}

/** Why an answer to another view does not count. */
export function refuseStale(
  { startSeq, state: { seq } }: RunChanges,
  expectedSeq: number | undefined,
): Rejection | undefined {
  if (expectedSeq === undefined || expectedSeq === startSeq) return undefined;
  return {
    code: 'STALE_SEQUENCE',
    message: `The run is at seq ${seq}, not ${expectedSeq}.`,
    details: { actualSeq: seq },
  };
}

/** Why nothing of a decision is recorded that seems to have no end. */
export function refuseLong({ isTooLong, mostItemBytes }: RunChanges): Rejection | undefined {
  if (!isTooLong) return undefined;
  return {
    code: 'STATE_ERROR',
    message: `Going on would take more than ${MOST_EVENTS} events, or ${mostItemBytes} bytes of items: loops go round with all of their steps skipped.`,
    details: { events: MOST_EVENTS, itemBytes: mostItemBytes },
    suggestions: ['give context by which the loops have something to do, or have the workflow corrected'],
  };
}

/** Why the open step takes nothing. */
export function refuseClosedStep({ confirmation, current }: RunState): Rejection | undefined {
  if (confirmation === null) return undefined;
  return {
    code: 'AWAITING_CONFIRMATION',
    message: `Step "${current?.stepId ?? ''}" waits for a user to confirm it.`,
    details: { stepId: current?.stepId, expiresAt: confirmation.expiresAt },
  };
}

/** Why a context cannot become part of another: the whole would be too large. */
export function refuseContext(
  context: WorkflowContext,
  added: WorkflowContext | undefined,
  { contextBytes }: CommandLimits,
): Rejection | undefined {
  if (added === undefined) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify({ ...context, ...added }));
  if (bytes <= contextBytes) return undefined;
  return {
    code: 'CONTEXT_TOO_LARGE',
    message: `The context would have ${bytes} bytes of JSON; ${contextBytes} are the most.`,
    details: { bytes, limit: contextBytes },
  };
}

/** Whether there is anything to merge. */
export function hasMembers(context: WorkflowContext | undefined | null): context is WorkflowContext {
  return context !== undefined && context !== null && Object.keys(context).length > 0;
}
