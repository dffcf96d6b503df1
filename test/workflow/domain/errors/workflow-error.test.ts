import { describe, expect, test } from '@jest/globals';
import { ToolwrightError } from 'toolwright';
import {
  InvalidCriteriaError,
  workflowCodes,
  WorkflowError,
} from '../../../../src/workflow/domain/errors/workflow-error.ts';

describe('WorkflowError', () => {
  test('tells programs code, message, details, suggestions, and whether to try again', () => {
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
