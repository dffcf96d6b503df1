import { expect, test } from '@jest/globals';
import { PARTS, readOptions } from './options.ts';
import { NODE_VERSIONS } from './versions.ts';

test('everything is checked unless told otherwise', () => {
  expect(readOptions([])).toEqual({ parts: PARTS, core: NODE_VERSIONS, writes: false });
});

test('parts and versions are chosen by name and keep their order', () => {
  expect(readOptions(['--only', 'size,servers', '--core', '24.21.0', '--write'])).toEqual({
    parts: ['servers', 'size'],
    core: ['24.21.0'],
    writes: true,
  });
});

test.each([[['--quick']], [['--only', 'server']], [['--only']], [['--core', '21']]])(
  '%j is refused',
  (args) => {
    expect(() => readOptions(args)).toThrow(RangeError);
  },
);
