import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createTool, type GroupedToolBuilder } from '../../src/builder/grouped-tool-builder.ts';
import { ToolRegistry } from '../../src/attach/tool-registry.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf, textOf } from '../support/text-of.ts';

function tool(name: string, ...tags: readonly string[]): GroupedToolBuilder {
  return createTool(name)
    .tags(...tags)
    .action({ name: 'run', handler: () => `${name} ran` });
}

const mixed = (): GroupedToolBuilder =>
  createTool('mixed')
    .tags('core')
    .action({ name: 'read', tags: ['safe'], schema: z.object({ id: z.string() }), handler: () => 'read' })
    .action({
      name: 'wipe',
      tags: ['danger'],
      schema: z.object({ force: z.boolean() }),
      destructive: true,
      handler: () => 'wiped',
    });

describe('registering', () => {
  test('keeps the order, and answers for what is there', () => {
    const registry = new ToolRegistry().register(tool('b')).registerAll(tool('a'), tool('c'));
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['b', 'a', 'c']);
    expect(registry.has('a')).toBe(true);
    expect(registry.has('constructor')).toBe(false);
    expect(registry.size).toBe(3);
    registry.clear();
    expect(registry.size).toBe(0);
  });

  test('refuses a name twice, and registers all or nothing', () => {
    const registry = new ToolRegistry().register(tool('a'));
    expect(() => registry.register(tool('a'))).toThrow(/tool "a"/);
    expect(() => registry.registerAll(tool('b'), tool('c'), tool('a'))).toThrow(/TW_REGISTRY_NAME_TAKEN/);
    expect(() => registry.registerAll(tool('b'), createTool('empty'))).toThrow(/TW_BUILDER_EMPTY/);
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['a']);
  });

  test('freezes the builder', () => {
    const builder = tool('a');
    new ToolRegistry().register(builder);
    expect(() => builder.description('late')).toThrow(/frozen/);
  });

  test('decides about unknown fields for builders that do not say, unless they are built already', async () => {
    const early = tool('early');
    early.buildToolDefinition();
    const registry = new ToolRegistry({ unknownFields: 'strip' }).registerAll(early, tool('late'));
    expect((await registry.routeCall('early', { action: 'run', x: 1 })).isError).toBe(true);
    expect(textOf(await registry.routeCall('late', { action: 'run', x: 1 }))).toBe('late ran');
  });
});

describe('filters', () => {
  const registry = new ToolRegistry().registerAll(tool('a', 'x'), tool('b', 'x', 'y'), tool('c', 'y', 'z'));
  const names = (filter: object): readonly string[] => registry.getTools(filter).map(({ name }) => name);

  test.each([
    [{}, ['a', 'b', 'c']],
    [{ tags: [], anyTag: [], exclude: [] }, ['a', 'b', 'c']],
    [{ tags: ['x', 'y'] }, ['b']],
    [{ anyTag: ['x', 'z'] }, ['a', 'b', 'c']],
    [{ exclude: ['y'] }, ['a']],
    [{ anyTag: ['x', 'z'], exclude: ['z'] }, ['a', 'b']],
    [{ tags: ['none'] }, []],
  ])('%j leave %j', (filter, expected) => {
    expect(names(filter)).toEqual(expected);
  });

  test('hide actions from enum, schema, description and calls', async () => {
    const tools = new ToolRegistry().register(mixed());
    const filter = { exclude: ['danger'] };
    const [definition] = tools.getTools(filter);
    expect(definition?.inputSchema.properties?.['action']?.enum).toEqual(['read']);
    expect(Object.keys(definition?.inputSchema.properties ?? {})).toEqual(['action', 'id']);
    expect(definition?.description).not.toContain('wipe');
    expect(definition?.annotations.destructiveHint).toBe(false);
    const hidden = await tools.routeCall('mixed', { action: 'wipe', force: true }, undefined, { filter });
    const unknown = await tools.routeCall('mixed', { action: 'none', force: true }, undefined, { filter });
    expect(textOf(hidden).replaceAll('wipe', 'none')).toBe(textOf(unknown));
    expect(textOf(await tools.routeCall('mixed', { action: 'wipe', force: true }))).toBe('wiped');
  });

  test('make a hidden tool answer like one that does not exist', async () => {
    const filter = { exclude: ['y'] };
    const hidden = await registry.routeCall('b', { action: 'run' }, undefined, { filter });
    const unknown = await registry.routeCall('q', { action: 'run' }, undefined, { filter });
    expect(textOf(hidden).replaceAll('"b"', '"q"').split('\n')[0]).toBe(textOf(unknown).split('\n')[0]);
    expect(textOf(hidden)).toMatch(/^Unknown tool "b"\. Available: a\n/);
  });
});

describe('routing', () => {
  test('answers for unknown tools with the nearest name', async () => {
    const result = await new ToolRegistry().registerAll(tool('books'), tool('rooms')).routeCall('bok', {});
    expect(textOf(result)).toMatch(/^Unknown tool "bok"\. Available: books, rooms\n/);
    expect(factsOf(result)).toMatchObject({ code: 'UNKNOWN_TOOL', suggestion: 'books' });
  });

  test('masks errors that were not declared for clients, and logs them whole', async () => {
    const logger = new MemoryLogger();
    const registry = new ToolRegistry({ maskErrors: true, logger });
    const secret = new Error('password=hunter');
    registry.register(createTool('t').action({ name: 'a', handler: () => Promise.reject(secret) }));
    const result = await registry.routeCall('t', { action: 'a' });
    const { reference } = factsOf(result) as { reference: string };
    expect(textOf(result)).toMatch(/^\[t\/a\] /);
    expect(JSON.stringify(result)).not.toContain('hunter');
    expect(textOf(result)).toContain(reference);
    expect(logger.records).toEqual([
      expect.objectContaining({ event: 'call.failed', reference, error: secret }),
    ]);
  });

  test('serves each action as a tool of its own with flat exposition', async () => {
    const registry = new ToolRegistry({ expose: 'flat' }).register(mixed());
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['mixed_read', 'mixed_wipe']);
    expect(registry.getAllTools()[0]?.inputSchema).toMatchObject({
      properties: { id: { type: 'string' } },
      required: ['id'],
    });
    expect(registry.getAllTools().map(({ annotations }) => annotations.destructiveHint)).toEqual([
      false,
      true,
    ]);
    expect(textOf(await registry.routeCall('mixed_read', { id: '1' }))).toBe('read');
    expect(textOf(await registry.routeCall('mixed_read', { id: '1', action: 'wipe' }))).toMatch(
      /action: unknown field/,
    );
    expect(textOf(await registry.routeCall('mixed_read', {}))).toMatch(/^Validation failed: id: /);
  });

  test('refuses flat names that clash', () => {
    const handler = (): number => 1;
    const clash = createTool('t')
      .group('a', (group) => group.action({ name: 'b_c', handler }))
      .group('a_b', (group) => group.action({ name: 'c', handler }));
    expect(() => new ToolRegistry({ expose: 'flat' }).register(clash)).toThrow(/t_a_b_c/);
  });
});

test('reports the same of the actions of a tool as its builder', () => {
  const make = () =>
    createTool('office')
      .use((_call, next) => next())
      .group('rooms', (group) =>
        group
          .use((_call, next) => next())
          .action({
            name: 'book',
            schema: z.object({ room: z.string() }),
            destructive: true,
            handler: () => 1,
          })
          .action({ name: 'list', description: 'List rooms', readOnly: true, handler: () => 1 }),
      );
  const registry = new ToolRegistry().register(make());
  expect(registry.getActionMetadata('office')).toEqual(make().getActionMetadata());
  expect(registry.getActionMetadata('office')[0]).toEqual({
    key: 'rooms.book',
    actionName: 'book',
    groupName: 'rooms',
    description: undefined,
    destructive: true,
    idempotent: false,
    readOnly: false,
    requiredFields: ['room'],
    hasMiddleware: true,
  });
  expect(() => registry.getActionMetadata('ofice')).toThrow('did you mean "office"?');
});

test('says that there is no tool where there is none', async () => {
  const result = await new ToolRegistry().routeCall('books');
  expect(textOf(result)).toBe('Unknown tool "books". None is available\nCode: UNKNOWN_TOOL');
});

test('ends no description with two marks', () => {
  const wiping = createTool('disk').action({
    name: 'wipe',
    description: 'Wipe all:',
    schema: z.object({ id: z.string() }),
    handler: () => 1,
  });
  expect(wiping.buildToolDefinition().description).toContain('Wipe all: Requires: id');
});

describe('serving', () => {
  test('compiles its routes once for all servers with the same options', async () => {
    const registry = new ToolRegistry().register(tool('a', 'core'));
    const contextFactory = (): object => ({});
    const options = { filter: { tags: ['core'] }, contextFactory };
    const service = registry.serviceOf(options);
    expect(registry.serviceOf({ ...options, filter: { tags: ['core'] } })).toBe(service);
    expect(registry.serviceOf({ filter: options.filter })).not.toBe(service);
    expect(registry.serviceOf({ ...options, contextFactory: () => ({}) })).not.toBe(service);
    expect(registry.serviceOf({ ...options, filter: { tags: ['other'] } })).not.toBe(service);
    registry.register(tool('b', 'core'));
    expect(service.tools?.list().map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
