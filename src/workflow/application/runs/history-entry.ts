import type { Actor, RunEvent } from '../../domain/run/run-event.ts';
import type { RunHistoryEntry } from './run-view.ts';

/** What a history tells of an event: neither prompts, nor outputs, nor context. */
export function historyEntry(event: RunEvent): RunHistoryEntry {
  const { seq, at, type, actor } = event;
  const { stepId, iteration } = event.data as { readonly stepId?: string; readonly iteration?: number };
  const reason = reasonOf(event);
  return {
    seq,
    at,
    type,
    actor: actorText(actor),
    ...(stepId !== undefined && { stepId }),
    ...(iteration !== undefined && { iteration }),
    ...(reason !== undefined && { reason }),
  };
}

function actorText({ kind, id }: Actor): string {
  return id === undefined ? kind : `${kind}:${id}`;
}

function reasonOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'StepSkipped':
    case 'LoopEnded':
    case 'RunCancelled':
      return event.data.reason;
    case 'StepBlocked':
      return event.data.details.map(({ code }) => code).join(', ');
    case 'ConfirmationResolved':
      return event.data.approved ? 'approved' : 'rejected';
    default:
      return undefined;
  }
}
