import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import {
  createPagination,
  pageOf,
  type CursorSeal,
  type Pagination,
} from '../../../src/runtime/lists/pagination.ts';

interface Entry {
  readonly name: string;
}

const entriesOf = (count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ name: `entry ${String(index)}` }));

function walk(pagination: Pagination, entries: readonly Entry[]): Entry[][] {
  const pages: Entry[][] = [];
  let cursor: string | undefined;
  do {
    const page = pagination.page('tools', entries, cursor);
    pages.push([...page.entries]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

function refusal(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    if (ProtocolError.is(error)) return { code: error.code, message: error.message };
  }
  return 'not refused';
}

const INVALID_CURSOR = {
  code: -32602,
  message: expect.stringMatching(/^Invalid cursor: .*start again without a cursor$/),
};

describe('walking all pages', () => {
  test('gives every entry once and in order, for any page size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: fc.string() }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 70 }),
        fc.boolean(),
        (entries, pageSize, isFrozen) => {
          const list = isFrozen ? Object.freeze(entries.map((entry) => Object.freeze(entry))) : entries;
          const pages = walk(createPagination(pageSize), list);
          expect(pages.flat()).toEqual(entries);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(entries.length / pageSize)));
        },
      ),
    );
  });

  test('gives the same cursors to instances with the same secret', () => {
    const seal = { secrets: [new Uint8Array(32).fill(7)] };
    const { nextCursor } = createPagination(2, seal).page('tools', entriesOf(5), undefined);
    const page = createPagination(2, seal).page('tools', entriesOf(5), nextCursor);
    expect(page.entries.map(({ name }) => name)).toEqual(['entry 2', 'entry 3']);
  });
});

describe('a cursor', () => {
  const pagination = createPagination(2);
  const cursor = pagination.page('tools', entriesOf(5), undefined).nextCursor ?? '';

  test('is opaque: neither the offset nor an entry can be read from it', () => {
    expect(cursor).toMatch(/^[\w-]{27}$/);
  });

  test('is refused when one character of it differs', () => {
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const tampered = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(refusal(() => pagination.page('tools', entriesOf(5), tampered))).toEqual(INVALID_CURSOR);
    }
  });

  test.each([
    ['is empty', ''],
    ['is not a string', 7],
    ['is null', null],
    ['is an object', {}],
    ['is not base64', '§§§'],
    ['has a character more', `${cursor}A`],
    ['has padding', `${cursor}=`],
    ['has a line break', `${cursor}\n`],
    ['is shorter', cursor.slice(0, -1)],
    ['is very long', 'A'.repeat(100_000)],
  ])('is refused when it %s', (_name, given) => {
    expect(refusal(() => pagination.page('tools', entriesOf(5), given))).toEqual(INVALID_CURSOR);
  });

  test('is refused for another list, after a change, and under another key', () => {
    expect(refusal(() => pagination.page('prompts', entriesOf(5), cursor))).toEqual(INVALID_CURSOR);
    expect(refusal(() => pagination.page('tools', entriesOf(6), cursor))).toEqual(INVALID_CURSOR);
    expect(refusal(() => pagination.page('tools', entriesOf(0), cursor))).toEqual(INVALID_CURSOR);
    expect(refusal(() => createPagination(2).page('tools', entriesOf(5), cursor))).toEqual(INVALID_CURSOR);
  });

  test('of an old secret is taken next to the new one, and that of another server never', () => {
    const [old, recent] = ['o'.repeat(32), 'r'.repeat(32)];
    const cursorOf = (seal: CursorSeal) =>
      createPagination(2, seal).page('tools', entriesOf(5), undefined).nextCursor;
    const rotated = createPagination(2, { secrets: [recent, old] });
    const taken = rotated.page('tools', entriesOf(5), cursorOf({ secrets: [old] }));
    expect(taken.nextCursor).toBe(
      createPagination(2, { secrets: [recent] }).page('tools', entriesOf(5), cursorOf({ secrets: [recent] }))
        .nextCursor,
    );
    for (const seal of [{ secrets: ['x'.repeat(32)] }, { server: 'other', secrets: [recent] }]) {
      expect(refusal(() => rotated.page('tools', entriesOf(5), cursorOf(seal)))).toEqual(INVALID_CURSOR);
    }
  });

  test('notices a change within a list that is kept', () => {
    const entries = entriesOf(5);
    const { nextCursor } = pagination.page('tools', entries, undefined);
    entries[4] = { name: 'changed' };
    expect(refusal(() => pagination.page('tools', entries, nextCursor))).toEqual(INVALID_CURSOR);
  });

  test('is refused where lists are not paged', () => {
    expect(refusal(() => pageOf(undefined, 'tools', entriesOf(5), cursor))).toEqual(INVALID_CURSOR);
    expect(pageOf(undefined, 'tools', entriesOf(3), undefined)).toEqual({
      entries: entriesOf(3),
      nextCursor: undefined,
    });
  });
});
