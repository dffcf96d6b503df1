import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action } from 'toolwright';
import { Action as InSource } from '../../src/decorators/members.ts';
import { counter } from './own-state.ts';

test('a suite has helpers of its own', () => {
  expect(counter.add()).toBe(1);
});

test('sources are loaded once, by whichever name, and so are packages', async () => {
  expect(Action).toBe(InSource);
  expect(((await import('class-validator')) as { IsString: unknown }).IsString).toBe(IsString);
});
