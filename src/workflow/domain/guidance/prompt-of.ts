import type { PlainStep } from '../document/workflow-document.ts';

/** Where in a loop a step stands. */
export interface LoopPosition {
  /** From 1. */
  readonly iteration: number;
  /** Known for `for` and `forEach` only. */
  readonly total?: number;
}

/** What the agent is told: the loop, its role and the guidance, as far as there are any, and the prompt itself. */
export function promptOf(
  { agentRole = '', guidance = [], prompt }: PlainStep,
  position?: LoopPosition,
): string {
  const parts = [
    position === undefined ? '' : `## Loop Context\n- Iteration: ${numberOf(position)}\n\n`,
    agentRole === '' ? '' : `## Agent Role Instructions\n${agentRole}\n\n`,
    guidance.length === 0 ? '' : `## Step Guidance\n${guidance.map((line) => `- ${line}\n`).join('')}\n`,
    prompt,
  ];
  return parts.join('');
}

function numberOf({ iteration, total }: LoopPosition): string {
  return total === undefined ? String(iteration) : `${iteration} of ${total}`;
}
