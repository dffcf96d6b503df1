import { expect, test } from '@jest/globals';
import { describeParts, partsOf } from './size.ts';

const OUTPUT = [
  '12\tnode_modules/.bin',
  '300\tnode_modules/ajv/dist',
  '400\tnode_modules/ajv',
  '6000\tnode_modules/@scope/large',
  '6100\tnode_modules/@scope',
  '6600\tnode_modules',
].join('\n');

test('the whole comes first, then the packages by size, those of scopes apart', () => {
  expect(partsOf(OUTPUT)).toEqual([6600, [6000, '@scope/large'], [400, 'ajv']]);
});

test('the largest parts are shown in MiB', () => {
  const [, ...parts] = partsOf(OUTPUT);
  expect(describeParts(parts, 1)).toEqual(['   5.9 MiB  @scope/large']);
});
