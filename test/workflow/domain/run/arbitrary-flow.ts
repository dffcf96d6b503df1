import fc from 'fast-check';
import type { Condition } from '../../../../src/workflow/domain/conditions/condition.ts';
import type {
  Loop,
  PlainStep,
  WorkflowStep,
} from '../../../../src/workflow/domain/document/workflow-document.ts';

const variable = fc.constantFrom('a', 'b', 'currentIteration', 'currentIndex', 'currentItem');
const scalar = fc.constantFrom<unknown>(0, 1, 2, true, false, null, 'x');

const comparison: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant({}),
  fc.record({ var: variable }),
  fc.record({ var: variable, equals: scalar }),
  fc.record({ var: variable, lt: fc.integer({ min: 0, max: 3 }) }),
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  comparison,
  fc.record({ not: comparison }),
  fc.record({ or: fc.tuple(comparison, comparison) }),
);

const maxIterations = fc.integer({ min: 1, max: 4 });
const loop: fc.Arbitrary<Loop> = fc.oneof(
  fc.record({ type: fc.constantFrom('while', 'until'), condition, maxIterations }),
  fc.record({
    type: fc.constant('for'),
    count: fc.constantFrom<number | string>(0, 1, 3, 'a'),
    maxIterations,
  }),
  fc.record({ type: fc.constant('forEach'), items: fc.constantFrom('list', 'a'), maxIterations }),
);

const options = fc.record(
  {
    runCondition: condition,
    requireConfirmation: fc.oneof(fc.boolean(), condition),
  },
  { requiredKeys: [] },
);

const plainStep = options.map((more) => ({ ...more, title: 'T', prompt: 'P' }));
const loopStep = fc
  .tuple(options, loop, fc.array(plainStep, { minLength: 1, maxLength: 3 }))
  .map(([more, repeated, body]) => ({
    ...more,
    type: 'loop' as const,
    title: 'L',
    loop: repeated,
    body: body.map((step, index): PlainStep => ({ ...step, id: `body-${index}` })),
  }));

/** Steps of every kind, with ids of their own. */
export const flow: fc.Arbitrary<readonly WorkflowStep[]> = fc
  .array(fc.oneof(plainStep, loopStep), { minLength: 1, maxLength: 5 })
  .map((steps) => steps.map(withId));

function withId(
  step: Omit<PlainStep, 'id'> | Omit<WorkflowStep & { type: 'loop' }, 'id'>,
  index: number,
): WorkflowStep {
  const id = `step-${index}`;
  if (step.type !== 'loop') return { ...step, id };
  const body = step.body as readonly PlainStep[];
  return { ...step, id, body: body.map((each) => ({ ...each, id: `${id}-${each.id}` })) };
}

/** Context in which the conditions of flows are sometimes true. */
export const flowContext = fc.record(
  { a: scalar, b: scalar, list: fc.array(scalar, { maxLength: 4 }) },
  { requiredKeys: [] },
);
