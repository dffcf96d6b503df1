import { expect, test } from '@jest/globals';
import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { generateToonDescription } from '../../../src/compile/strategies/generate-toon-description.ts';
import { booksTool, fields, makeAction, makeTool, officeTool } from './make-facts.ts';

const string = { type: 'string' };

function blockOf(description: string): string {
  return description.slice(description.lastIndexOf('\n\n') + 2);
}

test('puts the description alone on line 1 and a flat table behind the last blank line', () => {
  const text = generateToonDescription(booksTool());
  expect(text.split('\n\n')).toHaveLength(2);
  expect(text.split('\n')[0]).toBe('Manage books.');
  expect(decode(blockOf(text))).toEqual([
    { action: 'find', desc: 'Search the catalogue', required: 'text', destructive: false },
    { action: 'add', desc: 'Add a copy', required: 'isbn', destructive: false },
    { action: 'edit', desc: '', required: 'isbn', destructive: false },
    { action: 'drop', desc: '', required: 'isbn', destructive: true },
    { action: 'ping', desc: '', required: '', destructive: false },
  ]);
  expect(blockOf(text)).toMatch(/^\[5\|\]\{action\|desc\|required\|destructive\}:\n/);
});

test('gives an object from group to rows with short names, behind the groups section', () => {
  const text = generateToonDescription(officeTool());
  expect(text.startsWith("Run the office\n\nGroups:\n- 'rooms': Meeting rooms on all floors\n\n")).toBe(true);
  expect(decode(blockOf(text))).toEqual({
    rooms: [
      { action: 'list', desc: '', required: '', destructive: false },
      { action: 'book', desc: 'Reserve a room', required: 'room,day', destructive: false },
      { action: 'close', desc: '', required: 'room', destructive: true },
    ],
    desks: [
      { action: 'free', desc: '', required: '', destructive: false },
      { action: 'assign', desc: 'Give a desk to a person', required: 'desk,person', destructive: false },
    ],
  });
});

test('leaves the destructive column out when no action is destructive', () => {
  const text = generateToonDescription(
    makeTool([makeAction('a', { own: fields({ x: string, y: string }) })]),
  );
  expect(text).toBe('books\n\n[1|]{action|desc|required}:\n  a|""|x,y');
});

test('stays tabular when flags differ between groups', () => {
  const block = blockOf(
    generateToonDescription(makeTool([makeAction('g.a', { isDestructive: true }), makeAction('h.b')])),
  );
  expect(block.match(/\{action\|desc\|required\|destructive\}:/g)).toHaveLength(2);
});

test('carries odd texts through encode and decode, in tables only', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'a|b',
      '"',
      'x, y',
      '42',
      '-1e5',
      'true',
      'null',
      '- item',
      ' padded ',
      'a: b',
      '[2]',
      'é\\n',
      '\n\n',
      '#',
    ),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(odd, fc.boolean()), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (entries, nested) => {
        const actions = entries.map(([description, isDestructive], index) =>
          makeAction(`${nested ? 'g.' : ''}k${String(index)}`, { description, isDestructive }),
        );
        const block = blockOf(generateToonDescription(makeTool(actions)));
        const decoded = decode(block) as unknown;
        const rows = (nested ? (decoded as { g: unknown }).g : decoded) as { desc: string }[];
        expect(rows.map(({ desc }) => desc)).toEqual(entries.map(([description]) => description));
        expect(block.split('\n')).toHaveLength(entries.length + 1);
      },
    ),
    { numRuns: 200 },
  );
});
