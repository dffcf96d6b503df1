import { expect, test } from '@jest/globals';
import { generateDescription } from '../../../src/compile/strategies/generate-description.ts';
import { booksTool, fields, makeAction, makeTool, officeTool } from './make-facts.ts';

const string = { type: 'string' };

test('gives the flat worked example exactly', () => {
  expect(generateDescription(booksTool())).toBe(
    [
      'Manage books. Actions: find, add, edit, drop, ping',
      '',
      'Workflow:',
      "- 'find': Search the catalogue. Requires: text",
      "- 'add': Add a copy. Requires: isbn",
      "- 'edit': Requires: isbn",
      "- 'drop': Requires: isbn ⚠️ DESTRUCTIVE",
    ].join('\n'),
  );
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
