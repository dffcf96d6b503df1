import type { RunEventOf } from './run-event.ts';
import type { LoopWarning, RunState } from './run-state.ts';

/** A state in the making. Only its context and its lists are changed in place; they are never shared. */
export type RunDraft = { -readonly [Member in keyof RunState]: RunState[Member] } & {
  context: Record<string, unknown>;
  notes: string[];
  warnings: LoopWarning[];
};

export function draftOf(state: RunState): RunDraft {
  return {
    ...state,
    context: { ...state.context },
    notes: [...state.notes],
    warnings: [...state.warnings],
  };
}

/** A run at its first event. */
export function startedDraft({ seq, at, data }: RunEventOf<'RunStarted'>): RunDraft {
  const { workflowId, definitionHash, goal, principal, tenant, ttl } = data;
  return {
    seq,
    status: 'running',
    workflowId,
    definitionHash,
    ...(goal !== undefined && { goal }),
    principal,
    tenant,
    ttl,
    createdAt: at,
    updatedAt: at,
    context: {},
    current: null,
    submitted: null,
    blocked: null,
    confirmation: null,
    loop: null,
    settled: null,
    completed: 0,
    skipped: 0,
    notes: [],
    olderNotes: 0,
    warnings: [],
  };
}
