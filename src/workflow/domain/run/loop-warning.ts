import type { LoopWarning } from './run-state.ts';

/** What to tell of a loop that did not end as it was meant to; begins with the reason. */
export function loopWarning({ stepId, reason, iterations }: LoopWarning): string {
  return reason === 'LOOP_INPUT_INVALID'
    ? `${reason}: the loop "${stepId}" had no iteration: what it was to go through is no array, or no whole number from 0 on.`
    : `${reason}: the loop "${stepId}" ended after ${iterations} iterations, its most, and would have gone on.`;
}
