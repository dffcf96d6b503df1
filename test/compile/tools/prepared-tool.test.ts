import { expect, test } from '@jest/globals';
import { flatName } from '../../../src/compile/tools/prepared-tool.ts';

test('joins tool and action', () => {
  expect(flatName('books', 'find', '_')).toBe('books_find');
});

test('writes the dots of a compound key as separators', () => {
  expect(flatName('office', 'rooms.book', '_')).toBe('office_rooms_book');
  expect(flatName('office', 'eu.rooms.book', '-')).toBe('office-eu-rooms-book');
});

test('joins the names alone without a prefix', () => {
  expect(flatName('', 'find', '_')).toBe('find');
  expect(flatName('', 'rooms.book', '_')).toBe('rooms_book');
});

test('leaves underscores in names alone', () => {
  expect(flatName('my_books', 'find_all', '__')).toBe('my_books__find_all');
});
