import { expect, test } from '@jest/globals';
import { readOptions } from '../../bench/options.ts';
import { DEFAULT_SECTIONS } from '../../bench/results/section.ts';

test('everything is measured at length by default', () => {
  expect(readOptions([])).toEqual({ isQuick: false, sections: DEFAULT_SECTIONS });
});

test('sections are chosen by name and keep their order', () => {
  expect(readOptions(['--quick', '--only', 'stdio,http'])).toEqual({
    isQuick: true,
    sections: ['http', 'stdio'],
  });
});

test.each([[['--fast']], [['--only', 'http,htttp']], [['--only']]])('%j is refused', (args) => {
  expect(() => readOptions(args)).toThrow(RangeError);
});
