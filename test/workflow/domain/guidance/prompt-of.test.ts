import { expect, test } from '@jest/globals';
import { promptOf } from '../../../../src/workflow/domain/guidance/next-step.ts';

const step = { id: 'one', title: 'One', prompt: 'P' };

test('gives the prompt as it is where there is nothing else', () => {
  expect(promptOf(step)).toBe('P');
  expect(promptOf({ ...step, agentRole: '', guidance: [] })).toBe('P');
});

test('puts role and guidance before the prompt', () => {
  expect(promptOf({ ...step, agentRole: 'R', guidance: ['g'] })).toBe(
    '## Agent Role Instructions\nR\n\n## Step Guidance\n- g\n\nP',
  );
  expect(promptOf({ ...step, agentRole: 'R' })).toBe('## Agent Role Instructions\nR\n\nP');
  expect(promptOf({ ...step, guidance: ['g1', 'g2'] })).toBe('## Step Guidance\n- g1\n- g2\n\nP');
});

test('puts the loop before everything', () => {
  expect(promptOf(step, { iteration: 2 })).toBe('## Loop Context\n- Iteration: 2\n\nP');
  expect(promptOf({ ...step, agentRole: 'R' }, { iteration: 1, total: 3 })).toBe(
    '## Loop Context\n- Iteration: 1 of 3\n\n## Agent Role Instructions\nR\n\nP',
  );
});
