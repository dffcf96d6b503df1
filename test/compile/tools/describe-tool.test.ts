import { expect, test } from '@jest/globals';
import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { generateDescription, generateToonDescription } from '../../../src/compile/tools/describe-tool.ts';
import { booksTool, fields, makeAction, makeTool, officeTool } from './make-facts.ts';
import { BOOKS_DESCRIPTION } from '../../support/books-example.ts';
import { tries } from '../../support/thorough.ts';

const string = { type: 'string' };

test('gives the flat worked example exactly', () => {
  expect(generateDescription(booksTool())).toBe(BOOKS_DESCRIPTION);
});

test('gives the hierarchical worked example exactly', () => {
  expect(generateDescription(officeTool())).toBe(
    [
      'Run the office. Modules: rooms (list,book,close) | desks (free,assign)',
      '',
      'Groups:',
      "- 'rooms': Meeting rooms on all floors",
      '',
      'Workflow:',
      "- 'rooms.book': Reserve a room. Requires: room, day",
      "- 'rooms.close': Requires: room ⚠️ DESTRUCTIVE",
      "- 'desks.assign': Give a desk to a person. Requires: desk, person",
    ].join('\n'),
  );
});

test.each([undefined, '', '  ', '\n'])(
  'opens with the name of the tool when the description is %j',
  (description) => {
    expect(generateDescription(makeTool([makeAction('a'), makeAction('b')], { description }))).toBe(
      'books. Actions: a, b',
    );
  },
);

test.each(['Done!', 'Done?', 'Done.'])('puts no second mark behind %s', (description) => {
  expect(generateDescription(makeTool([makeAction('a')], { description }))).toBe(`${description} Actions: a`);
  const [, line] = generateDescription(
    makeTool([makeAction('a', { description, own: fields({ x: string }) })]),
  ).split('Workflow:\n');
  expect(line).toBe(`- 'a': ${description} Requires: x`);
});

test('leaves the workflow out when no action qualifies', () => {
  expect(generateDescription(makeTool([makeAction('a', { own: fields({ 'x?': string }) })]))).not.toContain(
    'Workflow',
  );
});

test('has exactly one space before the marker, whatever stands before it', () => {
  const lines = generateDescription(
    makeTool([
      makeAction('a', { isDestructive: true }),
      makeAction('b', { isDestructive: true, description: 'Burn. ' }),
      makeAction('c', { isDestructive: true, description: '' }),
    ]),
  ).split('\n');
  expect(lines.slice(-3)).toEqual([
    "- 'a': ⚠️ DESTRUCTIVE",
    "- 'b': Burn. ⚠️ DESTRUCTIVE",
    "- 'c': ⚠️ DESTRUCTIVE",
  ]);
});

test('keeps every entry on its line', () => {
  const tool = makeTool([makeAction('g.a', { description: 'One\r\n  two\n\nthree' })], {
    description: 'Line\none',
    groups: [{ path: 'g', description: 'A\ngroup' }],
  });
  expect(generateDescription(tool)).toBe(
    "Line one. Modules: g (a)\n\nGroups:\n- 'g': A group\n\nWorkflow:\n- 'g.a': One two three",
  );
});

test('does not repeat common fields, even when an action declares them again', () => {
  const tool = makeTool([makeAction('a', { own: fields({ branch: string, x: string }) }), makeAction('b')], {
    common: fields({ branch: string }),
  });
  expect(generateDescription(tool)).toContain("- 'a': Requires: x");
  expect(generateDescription(tool)).not.toContain('branch');
});

test('does not list fields with a default as required', () => {
  const own = fields({ x: { ...string, default: 'y' }, z: string });
  expect(generateDescription(makeTool([makeAction('a', { own })]))).toContain("- 'a': Requires: z");
});

test('lists groups in order of first appearance, by their whole path', () => {
  const tool = makeTool([
    makeAction('eu.rooms.book'),
    makeAction('us.desks.free'),
    makeAction('eu.rooms.list'),
  ]);
  expect(generateDescription(tool)).toBe('books. Modules: eu.rooms (book,list) | us.desks (free)');
});

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
    { numRuns: tries(50, 200) },
  );
});
