import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action } from 'toolwright';
import { Action as InSource } from '../../src/decorators/members.ts';
import { classesCalled, counter, OfOneSuite } from './own-state.ts';

test('a suite has helpers and validated classes of its own; those of the sources stay', async () => {
  expect(counter.add()).toBe(1);
  expect(classesCalled('OfOneSuite')).toEqual([OfOneSuite]);
  const { StartInput } = await import('../../src/workflow/module/tool-schemas.ts');
  expect(classesCalled('StartInput')).toEqual([StartInput]);
});

test('sources are loaded once, by whichever name, and so are packages', async () => {
  expect(Action).toBe(InSource);
  expect(((await import('class-validator')) as { IsString: unknown }).IsString).toBe(IsString);
});

interface Erased {
  readonly line: number;
}

test('a stack leads to the lines of the sources, not to those of compiled code', () => {
  const erased: Erased = { line: 25 };
  expect(new Error('here').stack).toContain(`own-helpers.test.ts:${erased.line}:`);
});
