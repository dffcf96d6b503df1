import { Buffer } from 'node:buffer';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeBySignatures } from '../../../src/compile/tools/describe-signatures.ts';
import { joinObjectSchemas, generateSchema } from './first-problem.ts';
import type { ActionFacts, ToolFacts } from '../../../src/compile/tools/prepared-tool.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';
import { booksTool, descriptionsOf, fields, makeAction, makeTool, officeTool } from './make-facts.ts';
import { parseSignatures } from '../../support/parse-signatures.ts';
import { tries } from '../../support/thorough.ts';

const string = { type: 'string' };

function signed(tool: ToolFacts): ToolFacts {
  return { ...tool, describe: 'signatures' };
}

function describeTool(tool: ToolFacts): string {
  return describeBySignatures(signed(tool), generateSchema(signed(tool))).text;
}

/** The line of one action; the first without a key. */
function lineOf(tool: ToolFacts, key?: string): string {
  const lines = describeTool(tool).split('\n').slice(1);
  return lines.find((line) => key === undefined || line.startsWith(`${key}(`)) ?? '';
}

function toolOf(...own: readonly JsonSchema[]): ToolFacts {
  return makeTool(own.map((schema, index) => makeAction(`a${String(index)}`, factsOf(schema))));
}

/** What prepare makes of the input of an action. */
function factsOf(schema: JsonSchema): Partial<ActionFacts> {
  const joined = joinObjectSchemas([schema]);
  const lists = (schema.anyOf ?? schema.oneOf ?? []).map(({ required = [] }) => required);
  const isChoice = lists.length > 1 && lists.every((list) => list.length > 0);
  return { own: joined?.schema, branches: joined?.branches, alternatives: isChoice ? lists : undefined };
}

describe('the lines', () => {
  test('of a flat tool: what all need and take, then one for each action', () => {
    expect(describeTool(booksTool())).toBe(
      [
        'Manage books. Actions:',
        'All need: branch.',
        'All take: verbose.',
        'find(text, max?: integer): Search the catalogue',
        'add(isbn, state: "new"|"used"="new"): Add a copy',
        'edit(isbn, text?, max?, state?: "used"|"lost")',
        'drop(isbn) [destructive]',
        'ping()',
      ].join('\n'),
    );
  });

  test('of a tool with groups: whole keys, and a line before the first action of a described group', () => {
    expect(describeTool(officeTool())).toBe(
      [
        'Run the office. Actions:',
        '# rooms: Meeting rooms on all floors',
        'rooms.list()',
        'rooms.book(room, day): Reserve a room',
        'rooms.close(room) [destructive]',
        'desks.free()',
        'desks.assign(desk, person): Give a desk to a person',
      ].join('\n'),
    );
  });

  test('name the group above and the group itself', () => {
    const tool = makeTool([makeAction('eu.rooms.list', { group: 'eu.rooms' })], {
      groups: [
        { path: 'eu', description: 'Europe' },
        { path: 'eu.rooms', description: 'Its rooms' },
      ],
    });
    expect(describeTool(tool)).toBe('books. Actions:\n# eu: Europe\n# eu.rooms: Its rooms\neu.rooms.list()');
  });

  test('67: have no colon and no blank at the end where nothing is described', () => {
    const tool = makeTool([makeAction('a'), makeAction('b', { own: fields({ x: string }) })]);
    expect(describeTool(tool)).toBe('books. Actions:\na()\nb(x)');
  });

  test('66: quote what is not an identifier, and keep a description on its line', () => {
    const own = fields({ 'x-y': string, größe: string, 'a\u2028"b?': string });
    const tool = makeTool([makeAction('a', { own, description: 'First)\n  second: (x\r\nthird ' })]);
    expect(lineOf(tool)).toBe(String.raw`a("x-y", größe, "a\u2028\"b"?): First) second: (x third`);
    expect(lineOf(makeTool([makeAction('to do')]))).toBe('"to do"()');
  });

  test('carry marks in their order', () => {
    const deprecated = { since: '1.0.0', use: 'b' };
    const all = makeTool([
      makeAction('a', { isDestructive: true, isConfirmed: true, deprecated, description: 'Remove' }),
      makeAction('b', { isReadOnly: true }),
      makeAction('c', { deprecated: { since: '1.0.0' } }),
    ]);
    expect(describeTool(all).split('\n').slice(1)).toEqual([
      'a(): Remove [destructive] [asks first] [deprecated: use b]',
      'b()',
      'c() [deprecated]',
    ]);
  });

  test('carry no mark that the hints of the whole tool say', () => {
    const remove = makeAction('remove', { isDestructive: true });
    expect(lineOf(makeTool([remove]))).toBe('remove()');
    const denied = makeTool([remove], { annotations: { destructiveHint: false } });
    expect(lineOf(denied)).toBe('remove() [destructive]');
  });
});

describe('the parameters', () => {
  test('64: say a default, a type and values that the published schema does not', () => {
    const tool = toolOf(
      fields({ 'limit?': { type: 'integer', default: 10 }, 'same?': { ...string, default: 'x' } }),
      fields({ 'limit?': { type: 'number', default: 20 }, 'same?': { ...string, default: 'x' } }),
      fields({ limit: { type: 'number' } }),
    );
    expect(lineOf(tool, 'a0')).toBe('a0(limit: integer=10, same?)');
    expect(lineOf(tool, 'a1')).toBe('a1(limit=20, same?)');
    expect(lineOf(tool, 'a2')).toBe('a2(limit)');
    const { properties } = generateSchema(signed(tool));
    expect(properties).toMatchObject({ limit: { type: 'number' }, same: { default: 'x' } });
    expect(properties?.['limit']).not.toHaveProperty('default');
  });

  test('64: say defaults that the schema has as well, where a client drops them', () => {
    const limited = fields({ limit: { type: 'integer', default: 10 } });
    const tool = { ...toolOf(fields({ tier: { ...string, default: 'free' } }), fields({})), common: limited };
    expect(describeTool(tool)).toMatch(/\nAll take: limit\.\na0\(tier\?\)\na1\(\)$/);
    const inline = { ...tool, defaults: 'inline' } as const;
    expect(describeTool(inline)).toMatch(/\nAll take: limit=10\.\na0\(tier="free"\)\na1\(\)$/);
  });

  test('64: list up to six values', () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const tool = toolOf(
      fields({ x: { ...string, enum: letters.slice(0, 6) } }),
      fields({ x: { ...string, enum: letters.slice(0, 7) } }),
      fields({ x: { ...string, enum: letters } }),
      fields({ x: { ...string, enum: [...letters, 'i'] } }),
    );
    expect(lineOf(tool, 'a0')).toBe('a0(x: "a"|"b"|"c"|"d"|"e"|"f")');
    expect(lineOf(tool, 'a1')).toBe('a1(x: "a"|"b"|"c"|"d"|"e"|"f"|… 1 more)');
    expect(lineOf(tool, 'a3')).toBe('a3(x)');
  });

  test('say the type of each action where types exclude each other', () => {
    const list = (items: JsonSchema): JsonSchema => fields({ labels: { type: 'array', items } });
    const tool = toolOf(list(string), list({ type: 'object' }), fields({ labels: string }));
    expect(describeTool(tool).split('\n').slice(1)).toEqual([
      'a0(labels: string[])',
      'a1(labels: object[])',
      'a2(labels: string)',
    ]);
  });

  test('say the rule of an action for a field that all have', () => {
    const tool = makeTool(
      [
        makeAction('a', { own: fields({ mode: { ...string, enum: ['fast'] } }) }),
        makeAction('b', { own: fields({ 'zone?': string }) }),
        makeAction('c'),
      ],
      { common: fields({ mode: string, zone: string, 'trace?': string }) },
    );
    expect(describeTool(tool).split('\n').slice(1)).toEqual([
      'All need: mode.',
      'All take: trace.',
      'a(zone, mode: "fast")',
      'b(zone?)',
      'c(zone)',
    ]);
  });

  test('say which action requires what others may leave out', () => {
    const tool = makeTool([makeAction('a', { own: fields({ trace: string }) }), makeAction('b')], {
      common: fields({ 'trace?': string }),
    });
    expect(describeTool(tool).split('\n').slice(1)).toEqual(['a(trace)', 'b(trace?)']);
  });

  test('65: name the condition of a field', () => {
    const branch = (kind: string, field: string): ObjectSchema =>
      fields({ kind: { const: kind }, [field]: string });
    const oneOf = [branch('phone', 'number'), branch('fax', 'number'), branch('email', 'email')];
    const tool = toolOf({ ...fields({ customer: string }), oneOf });
    expect(lineOf(tool)).toBe('a0(customer, kind, number (if kind="phone"|"fax"), email (if kind="email"))');
  });

  test('65: write two shapes, and count six', () => {
    const shapes = (...lists: readonly (readonly string[])[]): JsonSchema => ({
      ...fields(Object.fromEntries(lists.flat().map((name) => [`${name}?`, string])), {}),
      anyOf: lists.map((required) => ({ required: [...required] })),
    });
    const two = shapes(['card', 'cvc'], ['iban']);
    const pay = {
      ...two,
      properties: { ...two.properties, amount: string, note: string },
      required: ['amount'],
    };
    expect(lineOf(toolOf(pay))).toBe('a0(amount, (card, cvc) | iban, note?)');
    const six = shapes(['a'], ['b'], ['c'], ['d'], ['e'], ['f']);
    expect(lineOf(toolOf(six))).toBe('a0(one of 6 shapes)');
  });

  test('count what is optional beyond twelve', () => {
    const own = fields(
      Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`f${String(index)}?`, string])),
    );
    const line = lineOf(toolOf(own));
    expect(line).toContain('f11?, … 5 more)');
    expect(line).not.toContain('f12');
  });

  test('leave out a long default', () => {
    const long = (letter: string): JsonSchema => fields({ 'x?': { ...string, default: letter.repeat(60) } });
    expect(lineOf(toolOf(long('a'), long('b')))).toBe('a0(x?)');
  });

  // Names without `=` and such are no easier: all of them are quoted
  const name = fc.oneof(
    fc.constantFrom(
      'text',
      'limit',
      'größe',
      '$ref',
      '__proto__',
      'constructor',
      'x-y',
      'a, b',
      'a)',
      '"',
      '# a',
    ),
    fc.string({ minLength: 1, maxLength: 6 }),
  );
  const value = fc.oneof(
    fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'object') }),
    fc.record({
      type: fc.constant('string'),
      enum: fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 8 }),
    }),
    fc.record({ type: fc.constant('string'), default: fc.string({ maxLength: 12 }) }),
    fc.record({
      type: fc.constant('array'),
      items: fc.record({ type: fc.constantFrom('string', 'number') }),
    }),
  );
  const field = fc.record({ name, schema: value, isRequired: fc.boolean() });
  const input = fc.uniqueArray(field, { selector: (each) => each.name, maxLength: 8 }).map(
    (list) =>
      JSON.parse(
        JSON.stringify({
          type: 'object',
          properties: { ...Object.fromEntries(list.map((each) => [each.name, each.schema])) },
          required: list
            .filter((each) => each.isRequired && !('default' in each.schema))
            .map((each) => each.name),
        }),
      ) as ObjectSchema,
  );
  const action = fc.record({ key: name, own: input, description: fc.string({ maxLength: 30 }) });
  const tool = fc.record({
    common: input,
    actions: fc.uniqueArray(action, { selector: ({ key }) => key, minLength: 1, maxLength: 12 }),
  });

  test('63: parse back to the fields of each action', () => {
    fc.assert(
      fc.property(tool, ({ common, actions }) => {
        const facts = signed(
          makeTool(
            actions.map(({ key, ...own }) => makeAction(key, { name: key, group: undefined, ...own })),
            { common, mode: 'flat', discriminator: 'which action' },
          ),
        );
        const read = parseSignatures(describeBySignatures(facts, generateSchema(facts)).text);
        expect(read.actions.map(({ key }) => key)).toEqual(actions.map(({ key }) => key));
        for (const [index, { own }] of actions.entries()) {
          const said = [...read.shared, ...(read.actions[index]?.parameters ?? [])];
          const names = new Set([
            ...Object.keys(common.properties ?? {}),
            ...Object.keys(own.properties ?? {}),
          ]);
          expect(new Set(said.map((each) => each.name))).toEqual(names);
          for (const each of said.slice(read.shared.length)) {
            const rule = Object.hasOwn(own.properties ?? {}, each.name) ? own : common;
            expect(each.isOptional).toBe(rule.required?.includes(each.name) !== true);
          }
        }
      }),
      { numRuns: tries(150, 3000) },
    );
  });
});

describe('over the limit', () => {
  /** A desk with 40 actions and 40 descriptions. */
  const desk = (description = 'Look for requests that match a text. The newest come first', count = 40) =>
    makeTool(
      Array.from({ length: count }, (_, index) =>
        makeAction(`a${String(index % 4)}.s${String(index)}`, {
          description,
          own: fields({ request: string, 'note?': string }),
          isDestructive: index % 10 === 0,
        }),
      ),
      { groups: [{ path: 'a0', description: 'The first area. '.repeat(20) }] },
    );
  const fitted = (tool: ToolFacts) => describeBySignatures(signed(tool), generateSchema(signed(tool)));

  test('68: a desk of 40 actions keeps all keys and all marks', () => {
    const { text, shortened, isTooLong } = fitted(desk());
    expect(text.length).toBeLessThanOrEqual(2048);
    expect(isTooLong).toBe(false);
    expect(shortened).toBe('descriptions are cut at 24 characters');
    const { actions } = parseSignatures(text);
    expect(actions).toHaveLength(40);
    expect(actions.filter(({ rest }) => rest.endsWith('[destructive]'))).toHaveLength(4);
    expect(actions[0]?.rest).toBe(': Look for requests that… [destructive]');
  });

  const long = `${'Aaaa bbbb '.repeat(12)}ends. Then more.`;

  test('takes the steps in their order, and none before it is necessary', () => {
    const steps = Array.from({ length: 120 }, (_, count) => fitted(desk(long, count + 1)).shortened);
    expect([...new Set(steps)]).toEqual([
      undefined,
      'the lines of groups are left out',
      'of descriptions the first sentence is left',
      'descriptions are cut at 60 characters',
      'descriptions are cut at 40 characters',
      'descriptions are cut at 24 characters',
      'descriptions are left out',
    ]);
    const places = steps.map((step) => steps.indexOf(step));
    expect(places).toEqual([...places].sort((left, right) => left - right));
  });

  test.each([60, 40, 24])('descriptions end at a word before character %s', (length) => {
    const counts = Array.from({ length: 120 }, (_, count) => fitted(desk(long, count + 1)));
    const cut = counts.find(
      ({ shortened }) => shortened === `descriptions are cut at ${String(length)} characters`,
    );
    const { actions } = parseSignatures(cut?.text ?? '');
    expect(actions.length).toBeGreaterThan(10);
    for (const { rest } of actions) {
      const said = rest.slice(2).replace(/ \[destructive\]$/, '');
      expect(said).toMatch(/^(?:Aaaa bbbb ?)+(?:Aaaa)?…$/);
      expect(said.length).toBeLessThanOrEqual(length);
      expect(said.length).toBeGreaterThan(length - 6);
    }
  });

  test.each([
    ['Take e.g. this one, now. Never take that one, which is not there.', 'Take e.g. this one, now.'],
    ['Is it 2.5 or more? Then say so, as nobody else will ever do it.', 'Is it 2.5 or more?'],
    ['请求列表。最新的在前面，最早的在最后面，其余的按时间排列，没有例外', '请求列表。'],
    [
      'No mark ends this text which is long enough to be cut',
      'No mark ends this text which is long enough to be cut',
    ],
  ])('the first sentence of "%s"', (description, sentence) => {
    const counts = Array.from({ length: 60 }, (_, count) => fitted(desk(description, count + 1)));
    const first = counts.find(({ text }) => !text.includes(`: ${description}`));
    expect(first?.text).toContain(sentence === description ? ': No mark' : `: ${sentence}\n`);
  });

  test('the limit is 2,048 characters', () => {
    const named = (length: number) =>
      fitted(makeTool([makeAction('a', { description: 'Look here' })], { description: 'x'.repeat(length) }));
    const most = 2048 - '. Actions:\na(): Look here'.length;
    expect(named(most).text).toHaveLength(2048);
    expect(named(most).shortened).toBeUndefined();
    expect(named(most + 1).shortened).toBe('descriptions are left out');
  });

  test.each(['', 'a'])('71: a text of emoji alone is cut between two of them, after "%s"', (start) => {
    const counts = Array.from({ length: 60 }, (_, count) => fitted(desk(start + '🙂'.repeat(90), count + 1)));
    const cut = counts.filter(({ shortened }) => shortened?.startsWith('descriptions are cut'));
    expect(new Set(cut.map(({ shortened }) => shortened)).size).toBe(3);
    for (const { text } of cut) {
      expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
      expect(text).toMatch(/: a?🙂+…/u);
    }
  });

  test('71: no half of a pair is left, wherever the limit is', () => {
    const texts = fc.array(fc.constantFrom('🙂', 'a', ' ', '漢', 'é', '.', '🇩🇪'), { maxLength: 70 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 50 }), (letters, count) => {
        const { text, isTooLong } = fitted(desk(letters.join(''), count));
        expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
        expect(isTooLong).toBe(text.length > 2048);
      }),
      { numRuns: tries(60, 1500) },
    );
  });

  test('69: says when nothing helps', () => {
    const { isTooLong, shortened } = fitted(desk('Look', 300));
    expect(isTooLong).toBe(true);
    expect(shortened).toBe('descriptions are left out');
  });
});

test('properties keep the words of their author alone, and the discriminator refers to the lines', () => {
  const schema = generateSchema(signed(booksTool()));
  expect(descriptionsOf(schema)).toEqual({
    action: 'One of the actions above',
    branch: 'Branch code',
    verbose: undefined,
    text: 'Search text',
    max: 'Page size',
    isbn: undefined,
    state: undefined,
  });
  expect(schema.properties?.['isbn']).toEqual(string);
});
