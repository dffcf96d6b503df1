import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  Loop,
  PlainStep,
  WorkflowStep,
  WorkflowDocument,
} from '../../../../src/workflow/domain/document/workflow-document.ts';
import { mergedScope } from '../../../../src/workflow/domain/conditions/condition.ts';
import { conditionScope } from '../../../../src/workflow/domain/run/advance.ts';
import { DecidedRun, definitionOf, limits, plain } from './decided-run.ts';
import { nextStep } from '../../../../src/workflow/domain/guidance/next-step.ts';
import { flow, flowContext } from './arbitrary-flow.ts';
import { tries } from '../../../support/thorough.ts';

const loopOf = (
  loop: Loop,
  body: string | PlainStep[] = [plain('body')],
  more: object = {},
): WorkflowStep => ({
  id: 'loop',
  type: 'loop',
  title: 'Loop',
  loop,
  body,
  ...more,
});
const forTwo: Loop = { type: 'for', count: 2, maxIterations: 5 };
const each: Loop = { type: 'forEach', items: 'files', maxIterations: 5 };

test('goes through the body once for each item, and on to the next step', () => {
  const run = new DecidedRun([loopOf(each), plain('end')], { files: ['a', 'b'] });
  run.submit();
  run.submit();
  expect(run.story(3)).toEqual([
    'LoopStarted loop',
    'LoopIterationStarted loop@1',
    'StepOffered body@1',
    'OutputSubmitted body@1',
    'ValidationPerformed body@1',
    'StepCompleted body@1',
    'LoopIterationStarted loop@2',
    'StepOffered body@2',
    'OutputSubmitted body@2',
    'ValidationPerformed body@2',
    'StepCompleted body@2',
    'LoopEnded loop LOOP_DONE',
    'StepOffered end',
  ]);
  expect(run.state).toMatchObject({ completed: 1, loop: null, warnings: [] });
});

test('reads the items once, when the loop is reached', () => {
  const run = new DecidedRun([loopOf(each)], { files: ['a', 'b'] });
  run.submit({ files: [] });
  expect(run.state.loop).toMatchObject({ iteration: 2, total: 2, items: ['a', 'b'] });
  run.submit();
  expect(run.state.status).toBe('completed');
});

test('tests the condition of a while before each iteration, and of an until the other way round', () => {
  const isOpen = { var: 'open' };
  const during = new DecidedRun([loopOf({ type: 'while', condition: isOpen, maxIterations: 9 })], {
    open: true,
  });
  during.submit();
  expect(during.state.loop).toMatchObject({ iteration: 2 });
  during.submit({ open: false });
  expect(during.events.at(-2)).toMatchObject({ data: { reason: 'LOOP_DONE', iterations: 2 } });
  const until = new DecidedRun([loopOf({ type: 'until', condition: isOpen, maxIterations: 9 })], {
    open: true,
  });
  expect(until.story(3)).toEqual(['LoopStarted loop', 'LoopEnded loop LOOP_DONE', 'RunCompleted']);
});

test('ends at its limit, and the workflow goes on with a warning', () => {
  const run = new DecidedRun([loopOf({ type: 'for', count: 3, maxIterations: 2 }), plain('end')]);
  run.submit();
  run.submit();
  expect(run.state).toMatchObject({
    current: { stepId: 'end' },
    warnings: [{ stepId: 'loop', reason: 'LOOP_LIMIT', iterations: 2 }],
  });
});

test('has no iteration for an input that is neither a count nor an array', () => {
  const run = new DecidedRun([loopOf(each), plain('end')], { files: 'a' });
  expect(run.story(3)).toEqual(['LoopStarted loop', 'LoopEnded loop LOOP_INPUT_INVALID', 'StepOffered end']);
  expect(run.state.warnings).toEqual([{ stepId: 'loop', reason: 'LOOP_INPUT_INVALID', iterations: 0 }]);
});

test('lays its variables over the context, and stores none of them', () => {
  const last = plain('last', { runCondition: { var: 'currentIndex', equals: 1 } });
  const big = plain('big', { runCondition: { var: 'currentItem', equals: 'b' } });
  const run = new DecidedRun([loopOf(each, [last, big])], { files: ['a', 'b'], currentItem: 'x' });
  expect(run.story(4)).toEqual([
    'LoopIterationStarted loop@1',
    'StepSkipped last@1 CONDITION_FALSE',
    'StepSkipped big@1 CONDITION_FALSE',
    'LoopIterationStarted loop@2',
    'StepOffered last@2',
  ]);
  run.submit();
  expect(run.state).toMatchObject({ current: { stepId: 'big', iteration: 2 }, skipped: 0 });
  expect(run.state.context).toEqual({ files: ['a', 'b'], currentItem: 'x' });
});

test('ends a loop whose steps are all skipped', () => {
  const never = plain('body', { runCondition: { var: 'missing' } });
  const forever: Loop = { type: 'while', condition: {}, maxIterations: 1000 };
  const run = new DecidedRun([loopOf(forever, [never])]);
  expect(run.state).toMatchObject({
    status: 'completed',
    warnings: [{ reason: 'LOOP_LIMIT', iterations: 1000 }],
  });
});

test('runs a step that a loop names in the loop only', () => {
  const run = new DecidedRun([plain('work'), loopOf(forTwo, 'work'), plain('end')]);
  expect(run.state.current).toEqual({ stepId: 'work', iteration: 1, attempts: 0 });
  run.submit();
  run.submit();
  expect(run.state.current).toEqual({ stepId: 'end', attempts: 0 });
});

test('skips a loop whose condition does not hold', () => {
  const run = new DecidedRun([
    loopOf(forTwo, [plain('body')], { runCondition: { var: 'open' } }),
    plain('end'),
  ]);
  expect(run.story(2)).toEqual(['StepSkipped loop CONDITION_FALSE', 'StepOffered end']);
});

test('asks once, before the first iteration, and not where there is none', () => {
  const confirmed = { requireConfirmation: true };
  const run = new DecidedRun([loopOf(forTwo, [plain('body')], confirmed)]);
  expect(run.story(2)).toEqual(['LoopStarted loop', 'ConfirmationRequested loop']);
  expect(run.state).toMatchObject({ status: 'awaiting_confirmation', current: { stepId: 'loop' } });
  run.do('resolve', { approved: true });
  expect(run.state.current).toEqual({ stepId: 'body', iteration: 1, attempts: 0 });
  run.submit();
  run.submit();
  expect(run.types.filter((type) => type === 'ConfirmationRequested')).toHaveLength(1);
  expect(run.state).toMatchObject({ status: 'completed', completed: 1 });
  const empty = new DecidedRun([loopOf({ ...forTwo, count: 0 }, [plain('body')], confirmed)]);
  expect(empty.state.status).toBe('completed');
});

test('asks about a rejected loop again when something is handed in', () => {
  const run = new DecidedRun([
    loopOf(forTwo, [plain('body')], { requireConfirmation: { not: { var: 'sure' } } }),
  ]);
  run.do('resolve', { approved: false });
  expect(run.state).toMatchObject({ status: 'blocked', current: { stepId: 'loop' } });
  run.do('submit', { output: 'please', validation: null });
  expect(run.state.status).toBe('awaiting_confirmation');
  run.do('resolve', { approved: false });
  run.do('submit', { output: 'sure now', context: { sure: true }, validation: null });
  expect(run.state.status).toBe('awaiting_confirmation');
  run.do('resolve', { approved: false });
  run.do('inform', { context: { sure: true } });
  run.do('submit', { output: 'known by now', validation: null });
  expect(run.state).toMatchObject({
    status: 'running',
    current: { stepId: 'body' },
    context: { sure: true },
  });
});

const idle = (steps: number): WorkflowStep =>
  loopOf(
    { type: 'while', condition: { var: 'busy' }, maxIterations: 1000 },
    Array.from({ length: steps }, (_, index) => plain(`step-${index}`, { runCondition: { var: 'missing' } })),
  );

test('does not start a run that would go round in a loop for thousands of events', () => {
  const run = new DecidedRun([idle(10)], { busy: true });
  expect(run.events).toEqual([]);
  const { rejection } = run.do('start', { principal: 'p', tenant: 't', context: { busy: true } });
  expect(rejection).toMatchObject({ code: 'STATE_ERROR', details: { events: 10_000 } });
  expect(run.do('start', { principal: 'p', tenant: 't', context: { busy: false } })).toHaveProperty('events');
});

test('does not start a run that would write the same items down over and over', () => {
  const loops = Array.from({ length: 41 }, (_, index) => ({
    ...loopOf(each, [plain(`body-${index}`, { runCondition: { var: 'missing' } })]),
    id: `loop-${index}`,
  }));
  const run = new DecidedRun(loops.slice(0, 1), { files: [] });
  const start = { principal: 'p', tenant: 't', limits: { ...limits, contextBytes: 262_144 } };
  const context = { files: ['x'.repeat(210_000)] };
  run.events.length = 0;
  const refused = run.do('start', { ...start, context, definition: definitionOf(loops) });
  expect(refused.rejection).toMatchObject({ code: 'STATE_ERROR', details: { itemBytes: 8_388_608 } });
  const definition = definitionOf(loops.slice(2));
  expect(run.do('start', { ...start, context, definition }).rejection).toBeUndefined();
});

test('refuses an output that would lead to thousands of events, and stays where it is', () => {
  const run = new DecidedRun([plain('one'), idle(10)]);
  const { seq } = run.state;
  expect(run.submit({ busy: true })).toBe('STATE_ERROR');
  expect(run.state).toMatchObject({ seq, current: { stepId: 'one' }, status: 'running' });
  expect(run.submit({ busy: false })).toBeUndefined();
  expect(run.state.status).toBe('completed');
});

test('looks variables up where they are, without a copy of the context', () => {
  const definition = definitionOf([loopOf(each)]);
  const run = new DecidedRun([loopOf(each)], { files: ['a', 'b'], a: 1, b: 1 });
  const submitted = { a: 2, currentItem: 3 };
  const { state } = run;
  expect(conditionScope(state, definition, submitted)).toEqual([
    { currentIteration: 1, currentIndex: 0, currentItem: 'a' },
    submitted,
    state.context,
  ]);
  expect(conditionScope(state, definition).at(-1)).toBe(state.context);
  expect(mergedScope(conditionScope(state, definition, submitted))).toEqual({
    ...{ files: ['a', 'b'], a: 2, b: 1 },
    ...{ currentIteration: 1, currentIndex: 0, currentItem: 'a' },
  });
});

test('blocks and confirms steps within a loop like others', () => {
  const run = new DecidedRun([loopOf(forTwo, [plain('body', { requireConfirmation: true })])]);
  run.submit({ a: 1 });
  expect(run.story().at(-1)).toBe('ConfirmationRequested body@1');
  run.do('resolve', { approved: true });
  expect(run.state).toMatchObject({ context: { a: 1 }, current: { stepId: 'body', iteration: 2 } });
});

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
    { numRuns: tries(50, 300) },
  );
});
