import type { Rejection } from './rejection.ts';
import type { RunState } from './run-state.ts';

/** Why nothing can happen to a run any more. */
export function refuseFinished({ status }: RunState): Rejection | undefined {
  if (status === 'expired') return { code: 'RUN_EXPIRED', message: 'The run is expired.' };
  if (status !== 'completed' && status !== 'cancelled') return undefined;
  return { code: 'RUN_FINISHED', message: `The run is ${status}.`, details: { status } };
}

/** Why an answer to an earlier view does not count. */
export function refuseStale({ seq }: RunState, expectedSeq: number | undefined): Rejection | undefined {
  if (expectedSeq === undefined || expectedSeq === seq) return undefined;
  return {
    code: 'STALE_SEQUENCE',
    message: `The run is at seq ${seq}, not ${expectedSeq}.`,
    details: { actualSeq: seq },
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
