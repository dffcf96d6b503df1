import { expect, test } from '@jest/globals';
import type { Loop } from '../../../../src/workflow/domain/document/workflow-document.ts';
import {
  beginsIteration,
  loopVariables,
  planLoop,
} from '../../../../src/workflow/domain/guidance/loop-plan.ts';

const count = (value: number | string): Loop => ({ type: 'for', count: value, maxIterations: 3 });
const each: Loop = { type: 'forEach', items: 'files', maxIterations: 3 };
const whileOpen: Loop = { type: 'while', condition: { var: 'open' }, maxIterations: 3 };
const untilDone: Loop = { type: 'until', condition: { var: 'done' }, maxIterations: 3 };

test('reads the count, or the variable that holds it', () => {
  expect(planLoop(count(2), {})).toEqual({ total: 2 });
  expect(planLoop(count('n'), { n: 7 })).toEqual({ total: 7 });
  expect(planLoop(count('n'), { n: -0 })).toEqual({ total: 0 });
  expect(planLoop(count('a.b'), { 'a.b': 1 })).toEqual({ total: 1 });
});

test.each([[undefined], [null], ['2'], [1.5], [-1], [Number.NaN], [Infinity], [[2]]])(
  'takes the count %p for invalid',
  (n) => {
    expect(planLoop(count('n'), { n })).toEqual({ reason: 'LOOP_INPUT_INVALID' });
  },
);

test('takes nothing that is inherited', () => {
  expect(planLoop(count('toString'), {})).toEqual({ reason: 'LOOP_INPUT_INVALID' });
  expect(planLoop(count('n'), null as unknown as object as never)).toEqual({ reason: 'LOOP_INPUT_INVALID' });
});

test('reads the items', () => {
  expect(planLoop(each, { files: ['a', 'b'] })).toEqual({ total: 2, items: ['a', 'b'] });
  expect(planLoop(each, { files: [] })).toEqual({ total: 0, items: [] });
  expect(planLoop(each, { files: 'ab' })).toEqual({ reason: 'LOOP_INPUT_INVALID' });
  expect(planLoop(each, {})).toEqual({ reason: 'LOOP_INPUT_INVALID' });
});

test('knows no total of while and until', () => {
  expect(planLoop(whileOpen, { open: true })).toEqual({});
  expect(planLoop(untilDone, {})).toEqual({});
});

test('counts iterations from 1 and items from 0', () => {
  expect(loopVariables(each, 2, ['a', 'b'])).toEqual({
    currentIteration: 2,
    currentIndex: 1,
    currentItem: 'b',
  });
  expect(loopVariables(whileOpen, 1)).toEqual({ currentIteration: 1, currentIndex: 0 });
});

test('gives the variables the names that the loop wants', () => {
  const named: Loop = { ...each, iterationVar: 'n', indexVar: 'i', itemVar: '__proto__' };
  const variables = loopVariables(named, 1, ['a']);
  expect(Object.entries(variables)).toEqual([
    ['n', 1],
    ['i', 0],
    ['__proto__', 'a'],
  ]);
});

test('runs as often as the plan says', () => {
  const begins = (iteration: number): unknown => beginsIteration(count(2), iteration, { total: 2 }, {});
  expect([1, 2, 3].map(begins)).toEqual([true, true, 'LOOP_DONE']);
  expect(beginsIteration(count('n'), 1, planLoop(count('n'), {}), {})).toBe('LOOP_DONE');
});

test('reports the limit only where the loop would go on', () => {
  const begins = (total: number): unknown => beginsIteration(count(total), 4, { total }, {});
  expect([3, 4].map(begins)).toEqual(['LOOP_DONE', 'LOOP_LIMIT']);
  expect(beginsIteration(whileOpen, 4, {}, { open: true })).toBe('LOOP_LIMIT');
  expect(beginsIteration(whileOpen, 4, {}, { open: false })).toBe('LOOP_DONE');
  expect(beginsIteration(untilDone, 4, {}, {})).toBe('LOOP_LIMIT');
});

test('asks while and until before every iteration', () => {
  expect(beginsIteration(whileOpen, 1, {}, { open: true })).toBe(true);
  expect(beginsIteration(whileOpen, 1, {}, {})).toBe('LOOP_DONE');
  expect(beginsIteration(untilDone, 1, {}, {})).toBe(true);
  expect(beginsIteration(untilDone, 2, {}, { done: 1 })).toBe('LOOP_DONE');
});
