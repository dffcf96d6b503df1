import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  WorkflowDocument,
  WorkflowStep,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import { nextStep } from '../../../../src/workflow/domain/guidance/next-step.ts';
import { flow, flowContext } from './arbitrary-flow.ts';
import { DecidedRun, definitionOf } from './decided-run.ts';

const MOST_STEPS = 1000;

/** The steps as the stateless tools give them, each done before the next is asked for. */
function classicOrder(definition: WorkflowDocument, context: object): readonly string[] {
  const done: string[] = [];
  while (done.length < MOST_STEPS) {
    const { step } = nextStep(definition, done, { ...context });
    if (step === null) return done;
    done.push(step.iteration === undefined ? step.id : `${step.id}@${step.iteration}`);
  }
  throw new Error('It does not end.');
}

function durableOrder(
  steps: readonly WorkflowStep[],
  context: Readonly<Record<string, unknown>>,
): readonly string[] {
  const run = new DecidedRun(steps, context);
  for (let steps = 0; run.state.status !== 'completed'; steps += 1) {
    if (steps > MOST_STEPS) throw new Error('It does not end.');
    if (run.state.status === 'awaiting_confirmation') run.do('resolve', { approved: true });
    else run.submit();
  }
  return run
    .story()
    .flatMap((line) => (line.startsWith('StepOffered ') ? [line.slice('StepOffered '.length)] : []));
}

test('goes through a workflow in the order of the stateless tools while the context stays the same', () => {
  fc.assert(
    fc.property(flow, flowContext, (steps, context) => {
      expect(durableOrder(steps, context)).toEqual(classicOrder(definitionOf(steps), context));
    }),
    { numRuns: 300 },
  );
});
