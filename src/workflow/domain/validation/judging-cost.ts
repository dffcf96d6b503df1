import type { CriteriaPlan } from './criteria-plan.ts';
import type { Failure } from './failure-result.ts';

// Instructions, each on one character: some ten seconds of the worst patterns, far less of any other.
const MOST_INSTRUCTIONS = 250_000_000;

/** The instructions that every character of an output may cost. */
export function costOf(plan: CriteriaPlan): number {
  if (plan.kind === 'rule') return plan.cost;
  if (plan.kind === 'not') return costOf(plan.child);
  return plan.children.reduce((sum, child) => sum + costOf(child), 0);
}

/** What is wrong with an output that is too long for its regular expressions to be searched. */
export function excessOf(plan: CriteriaPlan, output: string): Failure | undefined {
  const max = Math.floor(MOST_INSTRUCTIONS / costOf(plan));
  if (output.length <= max) return undefined;
  return {
    detail: {
      code: 'TOO_LONG',
      path: '',
      message: `output is longer than ${max} characters, too long for its regular expressions`,
      info: { length: output.length, max },
    },
    suggestions: [
      `Give at most ${max} characters, or have the regular expressions of this step made simpler.`,
    ],
  };
}
