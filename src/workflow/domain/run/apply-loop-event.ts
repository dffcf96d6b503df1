import type { RunDraft } from './run-draft.ts';
import type { RunEventData } from './run-event.ts';

type LoopEventType = 'LoopStarted' | 'LoopIterationStarted' | 'LoopEnded';

/** What the events of loops do to a run. */
export const applyLoopEvent: {
  readonly [Type in LoopEventType]: (draft: RunDraft, data: RunEventData[Type]) => void;
} = {
  LoopStarted: (draft, { stepId, total, items }) => {
    draft.loop = {
      stepId,
      iteration: 0,
      ...(total !== undefined && { total }),
      ...(items !== undefined && { items }),
      settled: null,
    };
  },
  LoopIterationStarted: (draft, { iteration }) => {
    leaveQuestion(draft);
    if (draft.loop !== null) draft.loop = { ...draft.loop, iteration, settled: null };
  },
  LoopEnded: (draft, { stepId, reason, iterations }) => {
    leaveQuestion(draft);
    draft.loop = null;
    draft.settled = stepId;
    draft.completed += 1;
    if (reason !== 'LOOP_DONE') draft.warnings.push({ stepId, reason, iterations });
  },
};

/** A loop that was asked about is open until it goes on. */
function leaveQuestion(draft: RunDraft): void {
  draft.status = 'running';
  draft.current = null;
  draft.submitted = null;
  draft.blocked = null;
}
