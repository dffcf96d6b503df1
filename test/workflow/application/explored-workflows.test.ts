import { describe, expect, test } from '@jest/globals';
import { describeWorkflow, sayCondition } from '../../../src/workflow/application/explored-workflows.ts';
import { loadWorkflow } from '../../../src/workflow/domain/document/load-workflow.ts';

const definition = loadWorkflow({
  id: 'release',
  name: 'Release',
  description: 'Releases a version',
  version: '1.0.0',
  steps: [
    {
      id: 'notes',
      title: 'Write notes',
      prompt: 'Write them.',
      validationCriteria: { type: 'length', min: 5, message: 'more' },
    },
    {
      id: 'each',
      type: 'loop',
      title: 'Each package',
      loop: { type: 'forEach', items: 'packages', maxIterations: 9 },
      body: 'publish',
    },
    { id: 'publish', title: 'Publish it', prompt: 'Publish.', requireConfirmation: true },
    {
      id: 'tell',
      title: 'Announce',
      prompt: 'Tell people.',
      runCondition: { var: 'external', equals: true },
      requireConfirmation: { var: 'loud' },
    },
  ],
});

describe('a workflow for the explorer', () => {
  test('has its steps in order, and a step of a loop in the loop alone', () => {
    const { id, hash, steps } = describeWorkflow(definition);
    expect([id, hash]).toEqual(['release', definition.hash]);
    expect(steps.map((step) => [step.id, step.body.map((each) => each.id)])).toEqual([
      ['notes', []],
      ['each', ['publish']],
      ['tell', []],
    ]);
  });

  test('says when a step runs, how often, who confirms it, and whether its output is checked', () => {
    const [notes, each, tell] = describeWorkflow(definition).steps;
    expect(notes).toEqual({
      id: 'notes',
      title: 'Write notes',
      prompt: 'Write them.',
      body: [],
      isChecked: true,
    });
    expect(each?.loop).toBe('for each of packages, at most 9 times');
    expect(each?.body[0]?.confirmation).toBe('always');
    expect(tell).toMatchObject({
      condition: 'external = true',
      confirmation: 'loud is set',
      isChecked: false,
    });
  });

  test.each([
    [{}, 'always'],
    [{ var: 'files', gt: 3, lte: 9 }, 'files > 3 and files ≤ 9'],
    [{ not: { var: 'draft', equals: true } }, 'not (draft = true)'],
    [{ or: [{ var: 'a' }, { var: 'b', not_equals: 'x' }] }, '(a is set) or (b ≠ "x")'],
    [{ var: 'a', and: [{ var: 'b' }] }, 'a is set and (b is set)'],
  ])('says the condition %j', (condition, words) => {
    expect(sayCondition(condition)).toBe(words);
  });
});
