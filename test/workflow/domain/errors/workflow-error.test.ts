import { describe, expect, test } from '@jest/globals';
import { ToolwrightError } from 'toolwright';
import {
  InvalidCriteriaError,
  workflowCodes,
  WorkflowError,
  redact,
} from '../../../../src/workflow/domain/errors/workflow-error.ts';

describe('WorkflowError', () => {
  test('gives programs code, message, details, suggestions, and whether to try again', () => {
    const error = new WorkflowError('STEP_NOT_FOUND', {
      where: 'workflow "release"',
      message: 'There is no step "x".',
      details: { stepId: 'x', workflowId: 'release' },
    });
    expect(ToolwrightError.is(error)).toBe(true);
    expect(error.toRecord()).toEqual({
      code: 'STEP_NOT_FOUND',
      message: expect.stringContaining('There is no step "x".'),
      details: { stepId: 'x', workflowId: 'release' },
      suggestions: [workflowCodes.STEP_NOT_FOUND.fix],
      retryable: true,
    });
  });

  test('takes the values of members that are named like secrets out of its details', () => {
    const details = {
      Token: 'a',
      nested: [{ PASSWORD: { x: 1 }, keys: 'stay', list: [{ secret: 'b', Authorization: 'c', key: null }] }],
    };
    const error = new WorkflowError('STATE_ERROR', { where: 'a run', message: 'No.', details });
    expect(error.details).toEqual({
      Token: '[REDACTED]',
      nested: [
        {
          PASSWORD: '[REDACTED]',
          keys: 'stay',
          list: [{ secret: '[REDACTED]', Authorization: '[REDACTED]', key: '[REDACTED]' }],
        },
      ],
    });
    expect(details.Token).toBe('a');
  });

  test('can be tried again for the codes that another try of the caller can help', () => {
    const retryable = Object.entries(workflowCodes).filter(([, facts]) => facts.retryable);
    expect(retryable.map(([code]) => code).sort()).toEqual([
      'INVALID_PARAMS',
      'STALE_SEQUENCE',
      'STEP_NOT_FOUND',
      'VALIDATION_ERROR',
      'WORKFLOW_NOT_FOUND',
    ]);
  });
});

describe('InvalidCriteriaError', () => {
  test('keeps where and why, and what it was caused by', () => {
    const cause = new Error('unclosed group');
    const error = new InvalidCriteriaError('/and/0', 'a pattern does not close.', cause);
    expect(error).toMatchObject({
      code: 'INVALID_CRITERIA',
      path: '/and/0',
      reason: 'a pattern does not close.',
      cause,
    });
    expect(error.details).toEqual({ path: '/and/0', reason: 'a pattern does not close.' });
  });
});

test('leaves a value as it is, and gives a copy', () => {
  const value = { keys: [1, null, 'a'], list: [[], {}], Token: 'x' };
  expect(redact(value)).toEqual({ keys: [1, null, 'a'], list: [[], {}], Token: '[REDACTED]' });
  expect(value.Token).toBe('x');
  expect(redact(5)).toBe(5);
  expect(redact(null)).toBeNull();
});

test('cuts what is nested a million times', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 1_000_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
  expect(JSON.stringify(redact({ deep }))).toContain('[…]');
});

test('ends for a value that contains itself twice', () => {
  const value: Record<string, unknown> = { secret: 'x' };
  Object.assign(value, { left: value, right: [value] });
  expect(redact(value)).toMatchObject({ secret: '[REDACTED]' });
});

test('keeps a member of the name __proto__ a member', () => {
  const copy = redact(JSON.parse('{"__proto__":{"token":1}}')) as object;
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"token":"[REDACTED]"}}');
});
