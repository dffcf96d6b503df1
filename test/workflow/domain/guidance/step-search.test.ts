import { expect, test } from '@jest/globals';
import type {
  Loop,
  PlainStep,
  WorkflowDocument,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import { nextStep, MOST_CONDITIONS } from '../../../../src/workflow/domain/guidance/next-step.ts';

const looping = (loop: Loop, body: readonly PlainStep[]): WorkflowDocument => ({
  id: 'flow',
  name: 'Flow',
  description: 'Flows.',
  version: '1.0.0',
  steps: [{ id: 'loop', type: 'loop', title: 'Loop', loop, body }],
});
const step = (id: string, runCondition: object): PlainStep => ({
  id,
  title: id,
  prompt: 'Do.',
  runCondition,
});

test('looks variables up without going through the whole context', () => {
  const listed: string[] = [];
  const context = new Proxy(
    { all: ['A', 'B'], x: 2 },
    {
      ownKeys: (target) => {
        listed.push('all names');
        return Reflect.ownKeys(target);
      },
    },
  );
  const second = {
    and: [
      { var: 'x', equals: 2 },
      { var: 'currentIndex', equals: 1 },
    ],
  };
  const definition = looping({ type: 'forEach', items: 'all', maxIterations: 9 }, [step('b', second)]);
  expect(nextStep(definition, [], context).step).toMatchObject({ id: 'b', iteration: 2 });
  expect(listed).toEqual([]);
});

test('ends a search in which loops go round and round with nothing to do', () => {
  const body = Array.from({ length: 101 }, (_, index) => step(`b${index}`, { var: 'never' }));
  const definition = looping({ type: 'for', count: 'n', maxIterations: 1000 }, body);
  expect(nextStep(definition, [], { n: 900 }).isComplete).toBe(true);
  expect(() => nextStep(definition, [], { n: 1000 })).toThrow(
    expect.objectContaining({ code: 'STATE_ERROR', details: { limit: MOST_CONDITIONS } }),
  );
});
