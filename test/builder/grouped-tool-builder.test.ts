import { describe, expect, test } from '@jest/globals';
import { Action, McpApplication, Middleware, Module, ToolGroup, type MiddlewareFunction } from 'toolwright';
import { z } from 'zod';
import { createTool, GroupedToolBuilder } from '../../src/builder/grouped-tool-builder.ts';
import { codeOf } from '../support/thrown.ts';
import { textOf } from '../support/text-of.ts';

const handler = (): string => 'done';

test('takes the schema of an action as `input`, and by the other name `schema`', () => {
  const { input, schema } = { input: z.object({ text: z.string() }), schema: z.object({ text: z.string() }) };
  const read = ({ text }: { text: string }) => text;
  const own = createTool('books').action({ name: 'find', input, handler: read });
  const other = createTool('books').action({ name: 'find', schema, handler: read });
  expect(own.buildToolDefinition()).toEqual(other.buildToolDefinition());
  expect(own.getActionMetadata()).toMatchObject([{ requiredFields: ['text'] }]);
  expect(() => createTool('books').action({ name: 'find', input, schema, handler })).toThrow(
    'has both input and schema.',
  );
});

describe('modes', () => {
  test('refuses an action beside groups', () => {
    const builder = createTool('office').group('rooms', (group) => group.action({ name: 'book', handler }));
    expect(() => builder.action({ name: 'find', handler })).toThrow(
      /^Cannot use \.action\(\) and \.group\(\) on the same builder "office"\./,
    );
    expect(builder.getActionNames()).toEqual(['rooms.book']);
  });

  test('refuses a group beside actions', () => {
    const builder = createTool('office').action({ name: 'find', handler });
    expect(() => builder.group('rooms', (group) => group.action({ name: 'book', handler }))).toThrow(
      /^Cannot use \.group\(\) and \.action\(\) on the same builder "office"\./,
    );
  });

  test('adds to the same group when a name is repeated, and keeps the last description', () => {
    const builder = createTool('office')
      .group('rooms', 'Old', (group) => group.action({ name: 'book', handler }))
      .group('desks', (group) => group.action({ name: 'free', handler }))
      .group('rooms', 'Meeting rooms', (group) => group.action({ name: 'close', handler }))
      .group('rooms', '', (group) => group.action({ name: 'list', handler }));
    expect(builder.getActionNames()).toEqual(['rooms.book', 'desks.free', 'rooms.close', 'rooms.list']);
    const { description } = builder.buildToolDefinition();
    expect(description.split('\n').slice(0, 4)).toEqual([
      'office. Modules: rooms (book,close,list) | desks (free)',
      '',
      'Groups:',
      "- 'rooms': Meeting rooms",
    ]);
  });

  test('leaves the builder as it was when the callback of a group fails', async () => {
    const builder = createTool('office').group('rooms', (group) => group.action({ name: 'book', handler }));
    expect(() =>
      builder.group('rooms', 'Changed', (group) => {
        group.action({ name: 'close', handler }).unknownFields('strip');
        throw new Error('half done');
      }),
    ).toThrow('half done');
    expect(() =>
      builder.group('desks', (group) => {
        group.action({ name: 'free', handler });
        throw new Error('half done');
      }),
    ).toThrow('half done');
    expect(builder.getActionNames()).toEqual(['rooms.book']);
    expect(builder.buildToolDefinition().description).toBe('office. Modules: rooms (book)');
    expect(textOf(await builder.execute({ action: 'rooms.book', extra: 1 }))).toContain(
      'extra: unknown field',
    );
  });
});

describe('names', () => {
  test.each(['', 'a.b', ' ', ' a', 'a\n', 'a\u2028b', '\u200b', undefined, 7])(
    'refuses %p as the name of an action',
    (name) => {
      expect(codeOf(() => createTool('t').action({ name: name as string, handler }))).toBe(
        'TW_BUILDER_NAME_INVALID',
      );
    },
  );

  test.each(['', 'a.b', ' '])('refuses %p as the name of a group or tool, and quotes it', (name) => {
    expect(() => createTool('t').group(name, () => undefined)).toThrow(JSON.stringify(name));
    expect(() => new GroupedToolBuilder(name)).toThrow(JSON.stringify(name));
  });

  test('says that dots are kept for compound keys', () => {
    expect(() => createTool('t').action({ name: 'a.b', handler })).toThrow(/dots are kept for compound keys/);
  });
});

describe('mistakes', () => {
  test('a callback of group() that returns a promise is named', () => {
    const builder = createTool('office');
    const add = () =>
      builder.group('rooms', async (group) => {
        await Promise.resolve();
        group.action({ name: 'book', handler: () => 'booked' });
      });
    expect(add).toThrow(
      /TW_BUILDER_ACTION_INVALID: group "rooms" of builder "office" has a callback that returns a promise/,
    );
    expect(builder.getActionNames()).toEqual([]);
  });

  test('refuses the same key twice, flat, in a group and over repeated groups', () => {
    expect(() => createTool('t').action({ name: 'a', handler }).action({ name: 'a', handler })).toThrow(
      /"t".*"a"/s,
    );
    expect(() =>
      createTool('t').group('g', (g) => g.action({ name: 'a', handler }).action({ name: 'a', handler })),
    ).toThrow(/"g\.a"/);
    expect(() =>
      createTool('t')
        .group('g', (g) => g.action({ name: 'a', handler }))
        .group('g', (g) => g.action({ name: 'a', handler })),
    ).toThrow(/"g\.a"/);
  });

  test('refuses to build without actions, empty groups included', () => {
    expect(codeOf(() => createTool('t').buildToolDefinition())).toBe('TW_BUILDER_EMPTY');
    expect(
      codeOf(() =>
        createTool('t')
          .group('g', () => undefined)
          .buildToolDefinition(),
      ),
    ).toBe('TW_BUILDER_EMPTY');
  });

  test('refuses an action without a handler, a middleware of no form, and a group without a callback', () => {
    expect(codeOf(() => createTool('t').action({ name: 'a' } as never))).toBe('TW_BUILDER_ACTION_INVALID');
    expect(codeOf(() => createTool('t').action(undefined as never))).toBe('TW_BUILDER_ACTION_INVALID');
    expect(codeOf(() => createTool('t').use('log' as never))).toBe('TW_BUILDER_ACTION_INVALID');
    expect(codeOf(() => createTool('t').group('g', undefined as never))).toBe('TW_BUILDER_ACTION_INVALID');
  });

  test('refuses a schema that cannot give JSON Schema', () => {
    const foreign = {
      '~standard': { version: 1, vendor: 'old', validate: (value: unknown) => ({ value }) },
    } as const;
    const builder = createTool('t').action({ name: 'a', schema: foreign, handler });
    expect(() => builder.buildToolDefinition()).toThrow(/old/);
  });
});

describe('freezing', () => {
  const mutators: Readonly<Record<string, (builder: GroupedToolBuilder) => unknown>> = {
    description: (builder) => builder.description('x'),
    discriminator: (builder) => builder.discriminator('op'),
    annotations: (builder) => builder.annotations({ title: 'x' }),
    tags: (builder) => builder.tags('x'),
    commonSchema: (builder) => builder.commonSchema({ type: 'object' }),
    toonDescription: (builder) => builder.toonDescription(),
    use: (builder) => builder.use((_call, next) => next()),
    action: (builder) => builder.action({ name: 'x', handler }),
    group: (builder) => builder.group('x', () => undefined),
  };

  test.each(Object.keys(mutators))('refuses %s() after the build', async (name) => {
    const message = 'Builder "books" is frozen after buildToolDefinition(). Cannot modify a built tool.';
    const built = createTool('books').action({ name: 'a', handler });
    built.buildToolDefinition();
    expect(() => mutators[name]?.(built)).toThrow(message);
    const executed = createTool('books').action({ name: 'a', handler });
    await executed.execute({ action: 'a' });
    expect(() => mutators[name]?.(executed)).toThrow(message);
  });

  test('freezes the object of a group callback, too', () => {
    let kept: { action(definition: { name: string; handler: () => string }): unknown } | undefined;
    const builder = createTool('books').group('g', (group) => {
      kept = group;
      group.action({ name: 'a', handler });
    });
    builder.buildToolDefinition();
    expect(() => kept?.action({ name: 'b', handler })).toThrow(/is frozen/);
  });

  test('gives the same deeply frozen definition each time', () => {
    const builder = createTool('books').action({ name: 'a', handler });
    const definition = builder.buildToolDefinition();
    expect(builder.buildToolDefinition()).toBe(definition);
    expect(Object.isFrozen(definition.inputSchema.properties?.['action'])).toBe(true);
    expect(() => ((definition as { name: string }).name = 'other')).toThrow(TypeError);
  });

  test('copies what the caller passed in, and does not freeze it', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const hints = { title: 'Books' };
    const tags = ['x'];
    const builder = createTool('books').annotations(hints).action({ name: 'a', schema, tags, handler });
    schema.properties.a.type = 'number';
    hints.title = 'Changed';
    tags.push('y');
    const definition = builder.buildToolDefinition();
    expect(definition.inputSchema.properties?.['a']?.type).toBe('string');
    expect(definition.annotations.title).toBe('Books');
    expect(Object.isFrozen(schema.properties)).toBe(false);
  });

  test('accumulates tags and annotations', () => {
    const builder = createTool('t')
      .tags('a', 'b')
      .tags('b', 'c')
      .annotations({ title: 'T', openWorldHint: true });
    builder.annotations({ openWorldHint: false }).action({ name: 'a', handler });
    expect(builder.getTags()).toEqual(['a', 'b', 'c']);
    builder.getTags().push('d');
    expect(builder.getTags()).toEqual(['a', 'b', 'c']);
    expect(builder.buildToolDefinition().annotations).toMatchObject({ title: 'T', openWorldHint: false });
  });
});

describe('introspection', () => {
  const NONE: readonly MiddlewareFunction<unknown>[] = [];
  const each = [NONE, [(_call, next) => next()]] as readonly (readonly MiddlewareFunction<unknown>[])[];
  test.each(
    each.flatMap((tool) => each.flatMap((group) => each.map((action) => [tool, group, action] as const))),
  )(
    'says of middleware of the tool %p, the group %p and the action %p what it says of classes',
    async (ofTool, ofGroup, ofAction) => {
      @ToolGroup('office')
      @Middleware(...ofTool)
      class Office {}
      @ToolGroup({ name: 'rooms', parent: Office })
      @Middleware(...ofGroup)
      class Rooms {
        @Action() @Middleware(...ofAction) book(): void {}
      }
      @ToolGroup('desk')
      @Middleware(...ofTool)
      class Desk {
        @Action() @Middleware(...ofAction) book(): void {}
      }
      @Module({ controllers: [Office, Rooms, Desk] })
      class OfficeModule {}
      const app = await McpApplication.create(OfficeModule, { middleware: [(_call, next) => next()] });
      const define = { name: 'book', handler: () => null, middleware: [...ofAction] };
      const office = ofTool
        .reduce((tool, use) => tool.use(use), createTool('office'))
        .group('rooms', (rooms) => {
          for (const use of ofGroup) rooms.use(use);
          return rooms.action(define);
        });
      const desk = ofTool.reduce((tool, use) => tool.use(use), createTool('desk')).action(define);
      const said = (name: string): unknown =>
        app.registry.getActionMetadata(name).map(({ hasMiddleware }) => hasMiddleware);
      expect(said('office')).toEqual(office.getActionMetadata().map(({ hasMiddleware }) => hasMiddleware));
      expect(said('desk')).toEqual(desk.getActionMetadata().map(({ hasMiddleware }) => hasMiddleware));
      await app.close();
    },
  );

  test('describes the actions without building the tool', () => {
    const builder = createTool('office')
      .use((_call, next) => next())
      .group('rooms', (group) =>
        group
          .use((_call, next) => next())
          .action({
            name: 'book',
            description: 'Reserve',
            schema: z.object({ room: z.string(), day: z.string().default('today') }),
            handler,
          }),
      )
      .group('desks', (group) => group.action({ name: 'free', destructive: true, handler }));
    expect(builder.getActionMetadata()).toEqual([
      {
        key: 'rooms.book',
        actionName: 'book',
        groupName: 'rooms',
        description: 'Reserve',
        destructive: false,
        idempotent: false,
        readOnly: false,
        requiredFields: ['room'],
        hasMiddleware: true,
      },
      {
        key: 'desks.free',
        actionName: 'free',
        groupName: 'desks',
        description: undefined,
        destructive: true,
        idempotent: false,
        readOnly: false,
        requiredFields: [],
        hasMiddleware: false,
      },
    ]);
    builder.description('still open');
  });
});
