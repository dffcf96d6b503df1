import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { summarizeTools } from '../../src/shared/tool-summary.ts';

function tool(root: string, keys: readonly string[], description?: string) {
  return { name: root, summary: () => ({ root, keys, description, isForModels: true, isPinned: false }) };
}

const APP = { name: 'desk' };
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `group${String(index)}`);

test('names all of 40 groups in the first 512 characters, and has 2,048 at most', () => {
  const actions = ['find', 'get', 'create', 'remove', 'archive', 'contacts.add', 'contacts.list'];
  const groups = names(40);
  const text = summarizeTools(
    APP,
    groups.map((name) => tool(name, actions, `All about ${name} of the company`)),
  );
  expect(text?.length).toBeLessThanOrEqual(2048);
  expect(groups.filter((name) => text?.slice(0, 512).includes(name) !== true)).toEqual([]);
  expect(text?.split('\n').slice(0, 2)).toEqual(['Desk.', `${groups.join(', ')}.`]);
});

test('leaves out the actions of the largest group first, then the longest description', () => {
  const many = Array.from({ length: 400 }, (_, index) => `action${String(index)}`);
  expect(summarizeTools(APP, [tool('a', ['go'], 'Small'), tool('b', many, 'Large')])).toBe(
    'Desk.\na: Small (go)\nb: Large',
  );
  expect(summarizeTools(APP, [tool('a', ['go'], 'x'.repeat(3000)), tool('b', ['go'], 'Short')])).toBe(
    'Desk.\na\nb: Short',
  );
});

test('counts the names that do not fit', () => {
  const text = summarizeTools(
    APP,
    names(400).map((name) => tool(name, ['go'])),
  );
  expect(text?.length).toBeLessThanOrEqual(2048);
  expect(text).toMatch(/^Desk\.\ngroup0, .*, … and \d+ more\.$/);
});

test.each([
  [
    '20,000 groups',
    names(20_000).map((name) => tool(name, ['go'], `All about ${name}`)),
    /^Desk\.\ngroup0, .*, … and 19,\d+ more\.$/,
  ],
  [
    '20,000 listed actions of one group',
    names(20_000).map((name) => tool('crm', [name], 'Customers')),
    /^Desk\.\ncrm: Customers\nhelp \(go\)$/,
  ],
])('sums up %s in one pass', (_, list, expected) => {
  // One that compares all with all takes hours
  expect(summarizeTools(APP, [...list, tool('help', ['go'])])).toMatch(expected);
});

test('says nothing of tools without a summary, and of one alone', () => {
  expect(summarizeTools(APP, [{ name: 'a' }, { name: 'b' }])).toBeUndefined();
  expect(summarizeTools(APP, [tool('a', ['go'])])).toBeUndefined();
});

test('is within its limit, whatever it sums up', () => {
  const roots = fc.uniqueArray(
    fc.record({
      root: fc.string({ minLength: 1, maxLength: 128 }),
      keys: fc.array(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 60 }),
      description: fc.option(fc.string({ unit: 'binary', maxLength: 4000 }), { nil: undefined }),
    }),
    { minLength: 2, maxLength: 60, selector: ({ root }) => root },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), roots, (title, all) => {
      const text = summarizeTools(
        { name: 'desk', title },
        all.map(({ root, keys, description }) => tool(root, keys, description)),
      );
      expect(text?.length).toBeLessThanOrEqual(2048);
    }),
    { numRuns: 200 },
  );
});
