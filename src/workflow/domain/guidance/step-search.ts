import type { WorkflowContext } from '../conditions/condition.ts';
import { evaluateIn } from '../conditions/evaluate-condition.ts';
import type { Scope } from '../conditions/scope.ts';
import { WorkflowError } from '../errors/workflow-error.ts';
import { completedIterations, type CompletedIterations } from './begun-iterations.ts';

/** More are tested for loops that go round without anything to do only. */
export const MOST_CONDITIONS = 100_000;

/** What the search for the next step goes by; it ends, however often loops go round. */
export class StepSearch {
  readonly completed: ReadonlySet<string>;
  readonly iterations: CompletedIterations;
  readonly context: WorkflowContext;
  #tested = 0;

  constructor(completedSteps: readonly string[], context: WorkflowContext) {
    this.completed = new Set(completedSteps);
    this.iterations = completedIterations(this.completed);
    this.context = context;
  }

  /** Whether the condition holds. @throws WorkflowError `STATE_ERROR` for a search that takes too long */
  holds(condition: unknown, scope: Scope = [this.context]): boolean {
    this.#tested += 1;
    if (this.#tested > MOST_CONDITIONS) throw endless();
    return evaluateIn(condition, scope);
  }
}

function endless(): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: 'the next step',
    message: `Finding it would take more than ${MOST_CONDITIONS} conditions: loops go round with all of their steps skipped.`,
    details: { limit: MOST_CONDITIONS },
    suggestions: ['give context by which the loops have something to do, or have the workflow corrected'],
  });
}
