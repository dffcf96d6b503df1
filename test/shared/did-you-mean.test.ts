import { expect, test } from '@jest/globals';
import { didYouMean, didYouMeanToken, nearestName, suggestionFor } from '../../src/shared/did-you-mean.ts';

class TaskStore {}

test('the nearest name is at most two edits away, and the first of equals', () => {
  expect(nearestName('tasjs', ['notes', 'tasks'])).toBe('tasks');
  expect(nearestName('TASKS', ['tasks'])).toBe('tasks');
  expect(nearestName('ab', ['ac', 'ad'])).toBe('ac');
  expect(nearestName('tasks', ['jobs'])).toBeUndefined();
  expect(nearestName('x', ['y'])).toBeUndefined();
});

test('a name is suggested in quotes, and a class as it is written', () => {
  expect(didYouMean('tasjs', ['tasks'])).toBe('did you mean "tasks"?');
  expect(didYouMean('other', ['tasks'])).toBeUndefined();
  expect(didYouMeanToken('TaskStor', ['DATABASE', TaskStore])).toBe('did you mean TaskStore?');
  expect(didYouMeanToken('"DATABAS"', ['DATABASE', TaskStore])).toBe('did you mean "DATABASE"?');
});

test('an issue gets a suggestion only where there is one', () => {
  expect(suggestionFor('tasjs', ['tasks'])).toEqual({ suggestion: 'tasks' });
  expect(suggestionFor('other', ['tasks'])).toEqual({});
  expect(suggestionFor(7, ['7a'])).toEqual({});
});
