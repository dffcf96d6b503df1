import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  Loop,
  PlainStep,
  WorkflowDocument,
  WorkflowStep,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import { nextStep, MOST_CONDITIONS, promptOf } from '../../../../src/workflow/domain/guidance/next-step.ts';

const plain = (id: string, more: Partial<PlainStep> = {}): PlainStep => ({
  id,
  title: id,
  prompt: `Do ${id}.`,
  ...more,
});
const loop = (loopOf: Loop, body: string | PlainStep[], more: object = {}): WorkflowStep => ({
  id: 'loop',
  type: 'loop',
  title: 'Loop',
  loop: loopOf,
  body,
  ...more,
});
const workflow = (...steps: WorkflowStep[]): WorkflowDocument => ({
  id: 'flow',
  name: 'Flow',
  description: 'Flows.',
  version: '1.0.0',
  steps,
});

/** `<id>` or `<id>@<iteration>`, as the caller would say that it is completed. */
function offered(
  definition: WorkflowDocument,
  completed: readonly string[],
  context: object = {},
): string | null {
  const { step, isComplete } = nextStep(definition, completed, context as Record<string, unknown>);
  expect(isComplete).toBe(step === null);
  if (step === null) return null;
  return step.iteration === undefined ? step.id : `${step.id}@${step.iteration}`;
}

/** What is offered one after the other, when everything is done. */
function walk(definition: WorkflowDocument, context: object = {}): string[] {
  const done: string[] = [];
  for (
    let next = offered(definition, done, context);
    next !== null;
    next = offered(definition, done, context)
  ) {
    done.push(next);
    if (done.length > 50) throw new Error('It does not end');
  }
  return done;
}

const three = workflow(plain('one'), plain('two', { runCondition: { var: 'large' } }), plain('three'));
const whileOpen: Loop = { type: 'while', condition: { var: 'open' }, maxIterations: 3 };

test('offers the first step, unchanged, when nothing is completed', () => {
  const { step, guidance, isComplete } = nextStep(three, [], {});
  expect(step).toBe(three.steps[0]);
  expect(guidance).toEqual({ prompt: 'Do one.' });
  expect(isComplete).toBe(false);
});

test('puts role and guidance into the prompt, not into the step', () => {
  const step = plain('one', { agentRole: 'R', guidance: ['g'], prompt: 'P' });
  const next = nextStep(workflow(step), [], {});
  expect(next.step).toBe(step);
  expect(next.guidance.prompt).toBe('## Agent Role Instructions\nR\n\n## Step Guidance\n- g\n\nP');
});

test('takes no notice of unknown ids, of order, and of duplicates', () => {
  expect(offered(three, ['nope', 'nope'])).toBe('one');
  expect(offered(three, ['three', 'one', 'one'], { large: true })).toBe('two');
});

test('passes over steps whose condition does not hold', () => {
  expect(offered(three, ['one'])).toBe('three');
  expect(offered(three, ['one'], { large: true })).toBe('two');
});

test('says when all is done', () => {
  expect(nextStep(three, ['one', 'three'], {})).toEqual({
    step: null,
    guidance: { prompt: 'All steps of this workflow are complete.' },
    isComplete: true,
  });
});

test('counts through the body of a for loop', () => {
  const definition = workflow(
    plain('a'),
    loop({ type: 'for', count: 2, maxIterations: 5 }, [plain('b'), plain('c')]),
    plain('d'),
  );
  expect(walk(definition)).toEqual(['a', 'b@1', 'c@1', 'b@2', 'c@2', 'd']);
  const { guidance, step } = nextStep(definition, ['a', 'b@1', 'c@1'], {});
  expect(guidance).toEqual({ prompt: '## Loop Context\n- Iteration: 2 of 2\n\nDo b.' });
  expect(step).toEqual({ ...plain('b'), iteration: 2 });
});

test('runs a top-level body in its loop only', () => {
  const definition = workflow(plain('b'), loop({ type: 'for', count: 2, maxIterations: 5 }, 'b'), plain('d'));
  expect(walk(definition)).toEqual(['b@1', 'b@2', 'd']);
});

test('lets the conditions of body steps see the variables of the iteration', () => {
  const isB = { var: 'currentItem', equals: 'B' };
  const second = { var: 'currentIndex', gte: 1 };
  const body = [plain('x', { runCondition: isB }), plain('y', { runCondition: second })];
  const definition = workflow(loop({ type: 'forEach', items: 'all', maxIterations: 9 }, body));
  expect(walk(definition, { all: ['A', 'B', 'C'], currentItem: 'B' })).toEqual(['x@2', 'y@2', 'y@3']);
});

test('finishes a begun iteration before the condition is tested again', () => {
  const definition = workflow(
    loop(whileOpen, [plain('b'), plain('c')], { runCondition: { var: 'open' } }),
    plain('d'),
  );
  expect(offered(definition, [], { open: true })).toBe('b@1');
  expect(offered(definition, ['b@1'], { open: false })).toBe('c@1');
  expect(offered(definition, ['b@1', 'c@1'], { open: false })).toBe('d');
  expect(offered(definition, ['c@1', 'b@1', 'c@2'], { open: false })).toBe('b@2');
});

test('goes on with an iteration that is begun where the ones before had nothing to do', () => {
  const isSecond = { runCondition: { var: 'currentIteration', equals: 2 } };
  const definition = workflow(loop(whileOpen, [plain('b', isSecond), plain('c', isSecond)]), plain('d'));
  expect(offered(definition, [], { open: true })).toBe('b@2');
  expect(offered(definition, ['b@2'], { open: false })).toBe('c@2');
  expect(offered(definition, ['b@2', 'c@2'], { open: false })).toBe('d');
  for (const odd of ['b@02', 'b@4', 'b@2 ', 'x@2', 'b@', '@2', 'b@-2'])
    expect(offered(definition, [odd], { open: false })).toBe('d');
});

test('runs until a condition holds', () => {
  const definition = workflow(
    loop({ type: 'until', condition: { var: 'ok' }, maxIterations: 3 }, [plain('b')]),
  );
  expect(offered(definition, ['b@1'])).toBe('b@2');
  expect(offered(definition, ['b@1'], { ok: true })).toBeNull();
});

test('leaves out a loop whose condition does not hold, without a word', () => {
  const definition = workflow(
    loop({ type: 'for', count: 'n', maxIterations: 3 }, [plain('b')], { runCondition: { var: 'x' } }),
    plain('d'),
  );
  expect(nextStep(definition, [], {}).guidance).toEqual({ prompt: 'Do d.' });
});

test('takes a loop for done whose own id is completed', () => {
  expect(offered(workflow(loop(whileOpen, [plain('b')]), plain('d')), ['loop'], { open: true })).toBe('d');
});

test('ends a loop at its limit, and says so', () => {
  const definition = workflow(loop(whileOpen, [plain('b')]), plain('d'));
  expect(walk(definition, { open: true })).toEqual(['b@1', 'b@2', 'b@3', 'd']);
  const { guidance, step } = nextStep(definition, ['b@1', 'b@2', 'b@3', 'b@4'], { open: true });
  expect(step?.id).toBe('d');
  expect(guidance.warnings).toEqual([expect.stringMatching(/^LOOP_LIMIT: .*"loop".* 3 /)]);
});

test('ends a loop at its limit whose iterations have nothing to do', () => {
  const definition = workflow(loop(whileOpen, [plain('b', { runCondition: { var: 'never' } })]));
  const { step, guidance } = nextStep(definition, [], { open: true });
  expect(step).toBeNull();
  expect(guidance.warnings).toEqual([expect.stringMatching(/^LOOP_LIMIT/)]);
});

test.each<[Loop, object]>([
  [{ type: 'for', count: 'n', maxIterations: 3 }, { n: 1.5 }],
  [{ type: 'for', count: 'n', maxIterations: 3 }, {}],
  [{ type: 'forEach', items: 'n', maxIterations: 3 }, { n: 'abc' }],
])('does not begin the loop %j with %j, and says why', (loopOf, context) => {
  const definition = workflow(loop(loopOf, [plain('b')]), plain('d'));
  const { step, guidance } = nextStep(definition, [], context as Record<string, unknown>);
  expect(step?.id).toBe('d');
  expect(guidance.warnings).toEqual([expect.stringMatching(/^LOOP_INPUT_INVALID: .*"loop".*"n"/)]);
});

test('begins no iteration of an empty list, and has nothing to warn of', () => {
  const definition = workflow(loop({ type: 'forEach', items: 'n', maxIterations: 3 }, [plain('b')]));
  expect(nextStep(definition, [], { n: [] }).guidance).not.toHaveProperty('warnings');
});

test('offers nothing twice, whatever is completed, and always ends', () => {
  const definition = workflow(
    plain('a'),
    loop({ type: 'for', count: 'n', maxIterations: 3 }, [
      plain('b'),
      plain('c', { runCondition: { var: 'x' } }),
    ]),
    plain('d', { runCondition: { var: 'y' } }),
  );
  const ids = fc.constantFrom('a', 'b@1', 'b@2', 'b@3', 'b@4', 'c@1', 'c@2', 'b', 'loop', 'd', 'z@9');
  const context = fc.record({ n: fc.integer({ min: -1, max: 5 }), x: fc.boolean(), y: fc.boolean() });
  fc.assert(
    fc.property(fc.array(ids), context, (completed, variables) => {
      const done: string[] = [...completed];
      for (let left = 12; left > 0; left -= 1) {
        const next = offered(definition, done, variables);
        if (next === null) return;
        expect(done).not.toContain(next);
        done.push(next);
      }
      throw new Error('It does not end');
    }),
  );
});

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

const ruled = { id: 'one', title: 'One', prompt: 'P' };

test('gives the prompt as it is where there is nothing else', () => {
  expect(promptOf(ruled)).toBe('P');
  expect(promptOf({ ...ruled, agentRole: '', guidance: [] })).toBe('P');
});

test('puts role and guidance before the prompt', () => {
  expect(promptOf({ ...ruled, agentRole: 'R', guidance: ['g'] })).toBe(
    '## Agent Role Instructions\nR\n\n## Step Guidance\n- g\n\nP',
  );
  expect(promptOf({ ...ruled, agentRole: 'R' })).toBe('## Agent Role Instructions\nR\n\nP');
  expect(promptOf({ ...ruled, guidance: ['g1', 'g2'] })).toBe('## Step Guidance\n- g1\n- g2\n\nP');
});

test('puts the loop before everything', () => {
  expect(promptOf(ruled, { iteration: 2 })).toBe('## Loop Context\n- Iteration: 2\n\nP');
  expect(promptOf({ ...ruled, agentRole: 'R' }, { iteration: 1, total: 3 })).toBe(
    '## Loop Context\n- Iteration: 1 of 3\n\n## Agent Role Instructions\nR\n\nP',
  );
});
