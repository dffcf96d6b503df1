import { expect, test } from '@jest/globals';
import { aggregateAnnotations } from '../../../src/compile/tools/list-tools.ts';
import { booksTool, makeAction, makeTool } from './make-facts.ts';

test('gives the worked example', () => {
  expect(aggregateAnnotations(booksTool())).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
  });
});

test('is read-only and idempotent only when every action is', () => {
  const both = { isReadOnly: true, isIdempotent: true };
  expect(aggregateAnnotations(makeTool([makeAction('a', both), makeAction('b', both)]))).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
  });
  expect(aggregateAnnotations(makeTool([makeAction('a', both), makeAction('b')]))).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
  });
});

test.each([
  [[true, undefined], true],
  [[true, false], true],
  [[false, false], false],
  [[false, undefined], undefined],
  [[undefined], undefined],
])('open world of %j is %j', (marks, hint) => {
  const actions = marks.map((isOpenWorld, index) => makeAction(String(index), { isOpenWorld }));
  const hints = aggregateAnnotations(makeTool(actions));
  expect(hints.openWorldHint).toBe(hint);
  expect('openWorldHint' in hints).toBe(hint !== undefined);
});

test('lets explicit values win, false included, and ignores an explicit undefined', () => {
  const annotations = {
    destructiveHint: false,
    readOnlyHint: undefined,
    openWorldHint: false,
    title: 'Books',
    returnDirect: true,
  };
  const hints = aggregateAnnotations(makeTool([makeAction('a', { isDestructive: true })], { annotations }));
  expect(hints).toStrictEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
    title: 'Books',
    returnDirect: true,
  });
  expect(Object.isFrozen(hints)).toBe(true);
  expect(Object.isFrozen(annotations)).toBe(false);
});

test('always says of a single action whether it is destructive', () => {
  expect(aggregateAnnotations(makeTool([makeAction('a', { isReadOnly: true })]))).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
  });
  const annotations = { destructiveHint: true };
  expect(aggregateAnnotations(makeTool([makeAction('a')], { annotations }))).toMatchObject(annotations);
});
