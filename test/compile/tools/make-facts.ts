import type { ActionFacts, ToolFacts } from '../../../src/compile/tools/prepared-tool.ts';
import { ToolwrightError } from '../../../src/errors/toolwright-error.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';

/** Facts of an action; what a test does not care about has its default. */
export function makeAction(key: string, facts: Partial<ActionFacts> = {}): ActionFacts {
  const dot = key.lastIndexOf('.');
  return {
    key,
    name: key.slice(dot + 1),
    group: dot < 0 ? undefined : key.slice(0, dot),
    description: undefined,
    own: undefined,
    isDestructive: false,
    isReadOnly: false,
    isIdempotent: false,
    isOpenWorld: undefined,
    isConfirmed: false,
    ...facts,
  };
}

export function makeTool(actions: readonly ActionFacts[], facts: Partial<ToolFacts> = {}): ToolFacts {
  return {
    name: 'books',
    where: 'builder "books"',
    description: undefined,
    mode: actions.some(({ group }) => group !== undefined) ? 'hierarchical' : 'flat',
    discriminator: 'action',
    common: undefined,
    groups: [],
    actions,
    annotations: {},
    describe: 'plain',
    ...facts,
  };
}

/** An object schema in short: a name ending in `?` is optional. */
export function fields(declared: Readonly<Record<string, JsonSchema>>, extra: JsonSchema = {}): ObjectSchema {
  const entries = Object.entries(declared);
  return {
    ...extra,
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.filter(([name]) => !name.endsWith('?')).map(([name]) => name),
  };
}

/** A tool with one action per schema, named one, two, three …; each schema holds the field `x`. */
export function toolOfFieldX(...schemas: readonly JsonSchema[]): ToolFacts {
  const names = ['one', 'two', 'three', 'four'];
  return makeTool(
    schemas.map((x, index) => makeAction(names[index] ?? `a${String(index)}`, { own: fields({ x }) })),
  );
}

/** The worked example of the specification, flat. */
export function booksTool(): ToolFacts {
  const text = { type: 'string', description: 'Search text' };
  const isbn = { type: 'string' };
  return makeTool(
    [
      makeAction('find', {
        description: 'Search the catalogue',
        own: fields({ text, 'max?': { type: 'integer', description: 'Page size' } }),
      }),
      makeAction('add', {
        description: 'Add a copy',
        own: fields({ isbn, 'state?': { type: 'string', enum: ['new', 'used'], default: 'new' } }),
      }),
      makeAction('edit', {
        own: fields({
          isbn,
          'text?': { type: 'string' },
          'max?': { type: 'number' },
          'state?': { type: 'string', enum: ['used', 'lost'] },
        }),
      }),
      makeAction('drop', { own: fields({ isbn }), isDestructive: true }),
      makeAction('ping'),
    ],
    {
      description: 'Manage books.',
      common: fields({
        branch: { type: 'string', description: 'Branch code' },
        'verbose?': { type: 'boolean' },
      }),
    },
  );
}

/** The worked example of a hierarchical description. */
export function officeTool(): ToolFacts {
  const room = { type: 'string' };
  return makeTool(
    [
      makeAction('rooms.list'),
      makeAction('rooms.book', {
        description: 'Reserve a room',
        own: fields({ room, day: { type: 'string' } }),
      }),
      makeAction('rooms.close', { own: fields({ room }), isDestructive: true }),
      makeAction('desks.free'),
      makeAction('desks.assign', {
        description: 'Give a desk to a person',
        own: fields({ desk: { type: 'string' }, person: { type: 'string' } }),
      }),
    ],
    {
      name: 'office',
      description: 'Run the office',
      groups: [
        { path: 'rooms', description: 'Meeting rooms on all floors' },
        { path: 'desks', description: undefined },
      ],
    },
  );
}

/** The error that a run ends with. */
export function problemOf(run: () => unknown): ToolwrightError {
  try {
    run();
  } catch (error) {
    if (ToolwrightError.is(error)) return error;
  }
  throw new Error('expected a ToolwrightError');
}

export function descriptionsOf(schema: JsonSchema): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, { description }]) => [name, description]),
  );
}
