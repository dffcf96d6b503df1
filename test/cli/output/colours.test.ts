import { expect, test } from '@jest/globals';
import { isColoured } from '../../../src/cli/output/colours.ts';

test.each([
  [{ isTerminal: true, env: {} }, true],
  [{ isTerminal: false, env: {} }, false],
  [{ isTerminal: true, env: { TERM: 'dumb' } }, false],
  [{ isTerminal: true, env: { NO_COLOR: '' } }, true],
  [{ isTerminal: true, env: { NO_COLOR: '0' } }, false],
  [{ isTerminal: false, env: { FORCE_COLOR: '1', TERM: 'dumb' } }, true],
  [{ isTerminal: true, env: { FORCE_COLOR: 'false' } }, false],
  [{ isTerminal: false, env: { CI: '1' } }, false],
  [{ isTerminal: true, env: { NO_COLOR: '1' }, chosen: true }, true],
  [{ isTerminal: true, env: { FORCE_COLOR: '1' }, chosen: false }, false],
])('%j', (facts, expected) => {
  expect(isColoured({ chosen: undefined, ...facts })).toBe(expected);
});
