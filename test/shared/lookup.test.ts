import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createLookup } from '../../src/shared/lookup.ts';

const OBJECT = {};
const value = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.constantFrom<unknown>(NaN, -0, '1', null, undefined, OBJECT),
);

test('a look-up says what a comparison with each one says, also when the list has grown', () => {
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 80 }),
      fc.array(value),
      fc.array(value),
      (list, asked, added) => {
        const isIn = createLookup(list);
        const agrees = (): void => {
          for (const one of asked) expect(isIn(one)).toBe(list.some((each) => each === one));
        };
        agrees();
        list.push(...added);
        agrees();
      },
    ),
    { numRuns: 60 },
  );
});
