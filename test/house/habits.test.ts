import { expect, test } from '@jest/globals';
import { countHabits } from './habits.ts';

test('counts names of functions that end in Of, superlatives, and comments that are half a sentence', () => {
  const text = `
    export function nameOf() {}
    const textOf = () => '';
    class Shelf { #placeOf() {} static of() {} readonly keysOf = function () {}; keyOf = 1 }
    const listOf = 3;
    const MOST_BOOKS = 3, LONGEST = 4, MAX_BOOKS = 5;
    nameOf();
    /** Of a shelf. */ // The same of a book
    // A book of those
  `;
  expect(countHabits([text, 'function pagesOf() {}'])).toEqual({
    functionsOf: 5,
    superlatives: 1,
    fragments: 2,
  });
});
