import type { PendingStep } from '../../application/runs/run-view.ts';

const MOST_SHOWN = 2000;

/** What a user has to see to decide: what the agent handed in, and what it wants to be kept. */
export function consentQuestion({ title, workflowId, goal, output, context }: PendingStep): string {
  const subject = `Do you approve "${title}" of the workflow ${workflowId}?`;
  const parts = [
    ...(goal === undefined ? [] : [`Goal: ${shorten(goal)}`]),
    ...(output === undefined ? [] : [`The agent hands in:\n${shorten(output)}`]),
    ...(context === undefined ? [] : [`and wants to keep:\n${shorten(JSON.stringify(context))}`]),
  ];
  return [subject, ...parts].join('\n\n');
}

function shorten(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  return `${text.slice(0, MOST_SHOWN)}… (${String(text.length - MOST_SHOWN)} more characters)`;
}
