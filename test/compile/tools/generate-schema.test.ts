import { expect, test } from '@jest/globals';
import { generateSchema } from './first-problem.ts';
import { ProblemList, type Problem } from '../../../src/errors/problem-list.ts';
import type { ToolFacts } from '../../../src/compile/tools/prepared-tool.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import {
  booksTool,
  descriptionsOf,
  fields,
  makeAction,
  makeTool,
  officeTool,
  problemOf,
  toolOfFieldX,
} from './make-facts.ts';
import { BOOKS_SCHEMA } from '../../support/books-example.ts';

const string = { type: 'string' };
const number = { type: 'number' };

test('gives the worked example exactly', () => {
  const schema = generateSchema(booksTool());
  expect(schema).toEqual(BOOKS_SCHEMA);
});

test('orders properties: discriminator, common fields as declared, action fields as they first turn up', () => {
  expect(Object.keys(generateSchema(booksTool()).properties ?? {})).toEqual([
    'action',
    'branch',
    'verbose',
    'text',
    'max',
    'isbn',
    'state',
  ]);
});

test('names compound keys in a hierarchical tool', () => {
  const { properties } = generateSchema(officeTool());
  expect(properties?.['action']).toEqual({
    type: 'string',
    enum: ['rooms.list', 'rooms.book', 'rooms.close', 'desks.free', 'desks.assign'],
    description: 'The action to run, written group.action',
  });
  expect(properties?.['room']?.description).toBe('Required for: rooms.book, rooms.close');
});

test('uses the discriminator of the tool', () => {
  const schema = generateSchema(makeTool([makeAction('find')], { discriminator: 'operation' }));
  expect(Object.keys(schema.properties ?? {})).toEqual(['operation']);
  expect(schema.required).toEqual(['operation']);
});

test('puts only a space behind a description that ends a sentence', () => {
  const own = fields({
    a: { ...string, description: 'Ends.' },
    b: { ...string, description: 'Really?' },
    c: { ...string, description: 'Now! ' },
    d: { ...string, description: '' },
    e: { ...string, description: '  ' },
  });
  expect(descriptionsOf(generateSchema(makeTool([makeAction('x', { own })])))).toMatchObject({
    a: 'Ends. Required for: x',
    b: 'Really? Required for: x',
    c: 'Now! Required for: x',
    d: 'Required for: x',
    e: 'Required for: x',
  });
});

test('counts a field with a default as optional and a nullable one as required', () => {
  const own = fields({ a: { type: 'integer', default: 3 }, b: { type: ['string', 'null'] } });
  expect(descriptionsOf(generateSchema(makeTool([makeAction('x', { own })])))).toMatchObject({
    a: 'For: x',
    b: 'Required for: x',
  });
});

test('keeps a common field always required when an action declares it required again', () => {
  const schema = generateSchema(
    makeTool([makeAction('a', { own: fields({ branch: string }) }), makeAction('b')], {
      common: fields({ branch: string }),
    }),
  );
  expect(schema.required).toEqual(['action', 'branch']);
  expect(schema.properties?.['branch']?.description).toBe('(always required)');
  expect(Object.keys(schema.properties ?? {})).toEqual(['action', 'branch']);
});

test('takes a common field out of required when an action declares it optional', () => {
  const schema = generateSchema(
    makeTool([makeAction('a'), makeAction('b', { own: fields({ 'branch?': string }) }), makeAction('c')], {
      common: fields({ branch: string }),
    }),
  );
  expect(schema.required).toEqual(['action']);
  expect(schema.properties?.['branch']?.description).toBe('Required for: a, c. For: b');
});

test('says which action requires an optional common field', () => {
  const schema = generateSchema(
    makeTool([makeAction('a', { own: fields({ verbose: { type: 'boolean' } }) }), makeAction('b')], {
      common: fields({ 'verbose?': { type: 'boolean' } }),
    }),
  );
  expect(schema.required).toEqual(['action']);
  expect(schema.properties?.['verbose']?.description).toBe('Required for: a. For: b');
});

test('never requires at the root what only actions require', () => {
  const schema = generateSchema(makeTool([makeAction('a', { own: fields({ x: string }) })]));
  expect(schema.required).toEqual(['action']);
});

function noticeOf(tool: ToolFacts): Problem | undefined {
  const notices = new ProblemList();
  generateSchema(tool, undefined, notices);
  return notices.problems[0];
}

test('publishes types that exclude each other as anyOf, with the actions of each, and reports it', () => {
  const tool = toolOfFieldX(string, { ...string, description: 'Which' }, number);
  expect(generateSchema(tool).properties?.['x']).toEqual({
    anyOf: [
      { ...string, description: 'For: one, two' },
      { ...number, description: 'For: three' },
    ],
    description: 'Which. Required for: one, two, three',
  });
  expect(noticeOf(tool)).toMatchObject({
    code: 'TW_NOTE_FIELD_TYPES',
    where: 'tool "books"',
    what: 'declares the field "x" as string for one and as number for three.',
  });
});

test('names the other actions where a common field has another type', () => {
  const tool = makeTool(
    [
      makeAction('a', { own: fields({ x: { type: 'array', items: string } }) }),
      makeAction('b'),
      makeAction('c'),
    ],
    { common: fields({ x: { type: 'object' } }) },
  );
  expect(generateSchema(tool).properties?.['x']?.anyOf).toEqual([
    { type: 'object', description: 'For: b, c' },
    { type: 'array', items: string, description: 'For: a' },
  ]);
  expect(noticeOf(tool)?.what).toContain('"x" as object for b, c and as array for a');
});

test('names the actions inside nested objects and array items', () => {
  const nested = (port: JsonSchema): JsonSchema => ({ ...fields({ ports: { type: 'array', items: port } }) });
  const tool = toolOfFieldX(nested(string), nested(number));
  expect(generateSchema(tool).properties?.['x']?.properties?.['ports']).toEqual({
    type: 'array',
    items: {
      anyOf: [
        { ...string, description: 'For: one' },
        { ...number, description: 'For: two' },
      ],
    },
  });
  expect(noticeOf(tool)?.what).toContain('"x.ports[]" as string for one and as number for two');
});

test.each([
  ['an action', makeTool([makeAction('find', { own: fields({ 'action?': string }) })]), 'action "find"'],
  ['the common fields', makeTool([makeAction('find')], { common: fields({ action: string }) }), '"common"'],
])('refuses a field named like the discriminator in %s', (_, tool, owner) => {
  const { code, message } = problemOf(() => generateSchema(tool));
  expect(code).toBe('TW_COMPILE_FIELD_IS_DISCRIMINATOR');
  expect(message).toContain('"action"');
  expect(message).toContain(owner);
});

test('finds a field named like the discriminator inside a union, too', () => {
  const own = { type: 'object', anyOf: [fields({ kind: string }), fields({ a: string })] } as const;
  expect(() => generateSchema(makeTool([makeAction('x', { own })], { discriminator: 'kind' }))).toThrow(
    'kind',
  );
});

test('reports every mistake to a list, and every notice to another one', () => {
  const [problems, notices] = [new ProblemList(), new ProblemList()];
  const own = (x: JsonSchema, y: JsonSchema) => fields({ x, y, action: string });
  const tool = makeTool([
    makeAction('a', { own: own(string, string) }),
    makeAction('b', { own: own(number, { type: 'boolean' }) }),
  ]);
  generateSchema(tool, problems, notices);
  expect(notices.problems.map(({ what }) => what)).toEqual([
    'declares the field "x" as string for a and as number for b.',
    'declares the field "y" as string for a and as boolean for b.',
  ]);
  expect(problems.problems.map(({ code }) => code)).toEqual([
    'TW_COMPILE_FIELD_IS_DISCRIMINATOR',
    'TW_COMPILE_FIELD_IS_DISCRIMINATOR',
  ]);
});

test('handles fields named like members of every object', () => {
  const own = (type: string) =>
    ({
      type: 'object',
      properties: JSON.parse(
        `{"__proto__": {"type": "${type}"}, "constructor": {"type": "string"}}`,
      ) as Record<string, JsonSchema>,
      required: ['__proto__'],
    }) as const;
  const schema = generateSchema(
    makeTool([
      makeAction('a', { own: own('integer') }),
      makeAction('b', { own: own('number') }),
      makeAction('c'),
    ]),
  );
  const properties = new Map(Object.entries(schema.properties ?? {}));
  expect(properties.get('__proto__')).toEqual({ type: 'number', description: 'Required for: a, b' });
  expect(properties.get('constructor')?.description).toBe('For: a, b');
  expect(Object.getPrototypeOf(schema.properties)).toBe(Object.prototype);
});

test('advertises nothing but the discriminator for actions without schemas', () => {
  const schema = generateSchema(makeTool([makeAction('ping')]));
  expect(Object.keys(schema.properties ?? {})).toEqual(['action']);
});

test('never changes or freezes its input, and freezes its output deeply', () => {
  const tool = booksTool();
  const before = structuredClone(tool);
  const schema = generateSchema(tool);
  expect(tool).toEqual(before);
  expect(Object.isFrozen(tool.actions[1]?.own?.properties?.['state']?.enum)).toBe(false);
  expect(Object.isFrozen(schema.properties?.['state']?.enum)).toBe(true);
});

test('gives deep-equal schemas with the same key order for equal tools', () => {
  expect(JSON.stringify(generateSchema(booksTool()))).toBe(JSON.stringify(generateSchema(booksTool())));
});

test('flattens an action whose schema is a union: a field is required when every branch requires it', () => {
  const own = {
    type: 'object',
    oneOf: [
      fields({ kind: { const: 'city' }, name: string, 'zip?': string }),
      fields({ kind: { const: 'point' }, name: string, lat: number }),
    ],
  } as const;
  const schema = generateSchema(makeTool([makeAction('go', { own })]));
  expect(Object.keys(schema)).toEqual(['type', 'properties', 'required']);
  expect(schema.properties).toMatchObject({
    kind: { type: 'string', enum: ['city', 'point'], description: 'Required for: go' },
    name: { type: 'string', description: 'Required for: go' },
    zip: { type: 'string', description: 'For: go' },
    lat: { type: 'number', description: 'For: go' },
  });
});

test('flattens intersections and references at the root of an action', () => {
  const own = {
    type: 'object',
    allOf: [{ $ref: '#/$defs/Base' }, fields({ b: number })],
    $defs: { Base: fields({ a: string }) },
  } as const;
  const schema = generateSchema(makeTool([makeAction('go', { own })]));
  expect(Object.keys(schema)).toEqual(['type', 'properties', 'required']);
  expect(descriptionsOf(schema)).toMatchObject({ a: 'Required for: go', b: 'Required for: go' });
});

test('writes references out where no type contains itself', () => {
  const own = fields({ at: { $ref: '#/$defs/Place' } }, { $defs: { Place: fields({ city: string }) } });
  const schema = generateSchema(makeTool([makeAction('go', { own })]));
  expect(schema.$defs).toBeUndefined();
  expect(schema.properties?.['at']).toEqual({ ...fields({ city: string }), description: 'Required for: go' });
});

test('keeps a recursive type under $defs and renames a different one of the same name', () => {
  const tree = (name: string, value: JsonSchema) =>
    fields(
      { [name]: { $ref: '#/$defs/Input' } },
      {
        $defs: { Input: fields({ value, 'children?': { type: 'array', items: { $ref: '#/$defs/Input' } } }) },
      },
    );
  const schema = generateSchema(
    makeTool([
      makeAction('a', { own: tree('root', string) }),
      makeAction('b', { own: tree('other', number) }),
      makeAction('c', { own: tree('root', string) }),
    ]),
  );
  expect(Object.keys(schema.$defs ?? {})).toEqual(['Input', 'Input_2']);
  expect(schema.properties?.['root']).toMatchObject({ $ref: '#/$defs/Input' });
  expect(schema.properties?.['other']).toMatchObject({ $ref: '#/$defs/Input_2' });
  expect(schema.$defs?.['Input_2']?.properties?.['children']).toEqual({
    type: 'array',
    items: { $ref: '#/$defs/Input_2' },
  });
});

test('makes a definition of an action schema that refers to its own root', () => {
  const own = fields({ name: string, 'parts?': { type: 'array', items: { $ref: '#' } } });
  const schema = generateSchema(makeTool([makeAction('a', { own })]));
  expect(schema.properties?.['parts']).toMatchObject({ items: { $ref: '#/$defs/Input' } });
  expect(Object.keys(schema.$defs?.['Input']?.properties ?? {})).toEqual(['name', 'parts']);
});

test('names the action whose schema refers to nothing', () => {
  const tool = makeTool([makeAction('a', { own: fields({ x: { $ref: '#/$defs/Lost' } }) })]);
  const { code, message } = problemOf(() => generateSchema(tool));
  expect(code).toBe('TW_COMPILE_SCHEMA_REFERENCE');
  expect(message).toContain('action "a"');
  expect(message).toContain('#/$defs/Lost');
});
