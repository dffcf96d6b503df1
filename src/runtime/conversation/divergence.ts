import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { JournalEntry } from './journal.ts';
import type { ReadQuestion } from './read-question.ts';

/** A question as it came, named or not. */
export interface CameQuestion extends ReadQuestion {
  readonly name: string | undefined;
}

/** The error of a question in the place of another one that is answered. */
export function diverged(expected: JournalEntry, came: CameQuestion): ToolwrightError {
  const name = came.name === undefined ? '' : ` "${came.name}"`;
  return divergence(
    `asked ${came.kind}${name} (${quoted(came.label)}) where it had asked ${describe(expected)}.`,
  );
}

/** The error of a handler that came to its end without what it did or asked before. */
export function unused(rest: readonly JournalEntry[]): ToolwrightError {
  return divergence(`came to its end without ${rest.map(describe).join(', ')}, as in its earlier run.`);
}

/** The error of a handler that never stops asking. */
export function endless(rounds: number): ToolwrightError {
  return divergence(`asked something new in each of ${String(rounds)} runs.`);
}

function divergence(what: string): ToolwrightError {
  return new ToolwrightError('TW_REPLAY_DIVERGED', {
    where: 'the handler',
    what: `took another way when it was run again: it ${what}`,
    why: 'it runs from its start with each answer, and an answer counts for the words that were asked.',
    fix: "take what may change with ctx.step('name', () => …): times, random values, what others may write",
  });
}

function describe(entry: JournalEntry): string {
  if (entry.kind === 'step') return `the step "${entry.name}"`;
  return `${entry.kind} "${entry.name}" (${quoted(entry.label)})`;
}

function quoted(label: string): string {
  return JSON.stringify(label);
}
