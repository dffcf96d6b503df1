import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { z as olderZod } from 'zod/v3';
import {
  createTool,
  ToolRegistry,
  toolContextOf,
  ToolwrightError,
  type RequestContext,
  type StandardSchema,
} from 'toolwright';
import { FakeToolContext } from 'toolwright/testing';
import { factsOf, textOf } from '../support/text-of.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

/** Promises that other systems broke before; most of them are kept by tests of the stage they belong to. */

const handler = (input: unknown): unknown => input;

describe('schemas', () => {
  test('of the newest zod advertise every field that validation knows', async () => {
    const tool = createTool('books').action({
      name: 'find',
      schema: z.object({ text: z.string(), max: z.number().int().optional() }),
      handler,
    });
    const { properties } = tool.buildToolDefinition().inputSchema;
    expect(Object.keys(properties ?? {})).toEqual(['action', 'text', 'max']);
    expect((await tool.execute({ action: 'find', text: 7 })).isError).toBe(true);
  });

  test('of a zod that cannot give JSON Schema are refused instead of published empty', () => {
    const schema = olderZod.object({ text: olderZod.string() }) as unknown as StandardSchema;
    const tool = createTool('books').action({ name: 'find', schema, handler });
    expect(() => tool.buildToolDefinition()).toThrow(/TW_COMPILE_SCHEMA_UNSUPPORTED: .*zod/);
  });

  test('are converted once, however many calls a flat tool gets', async () => {
    let conversions = 0;
    const schema: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'counting',
        validate: (value) => ({ value }),
        jsonSchema: {
          input: () => {
            conversions += 1;
            return { type: 'object', properties: { text: { type: 'string' } } };
          },
          output: () => ({ type: 'object' }),
        },
      },
    };
    const registry = new ToolRegistry({ expose: 'flat' }).register(
      createTool('books').action({ name: 'find', schema, handler }),
    );
    registry.getAllTools();
    const afterBuild = conversions;
    for (const text of ['a', 'b', 'c']) await registry.routeCall('books_find', { text });
    registry.getAllTools();
    expect(conversions).toBe(afterBuild);
  });

  test('with an empty field description begin with what is known of the field, without a space', () => {
    const schema = { type: 'object', properties: { isbn: { type: 'string', description: '' } } };
    const tool = createTool('books').action({ name: 'find', schema, handler });
    expect(tool.buildToolDefinition().inputSchema.properties?.['isbn']?.description).toBe('For: find');
  });
});

describe('actions', () => {
  test('without any schema accept no arguments beside their name', async () => {
    const tool = createTool('books').action({ name: 'drop', handler: () => 'dropped' });
    const result = await tool.execute({ action: 'drop', everything: true });
    expect(textOf(result)).toMatch(/^Validation failed: everything: unknown field/);
    expect(textOf(await tool.execute({ action: 'drop' }))).toBe('dropped');
  });

  test('whose names contain the separator are routed by a table, not by splitting the flat name', async () => {
    const run = (name: string) => ({ name, handler: () => name });
    const registry = new ToolRegistry({ expose: 'flat' }).registerAll(
      createTool('a_b').action(run('c')).action(run('c_d')),
      createTool('x').group('y_z', (group) => group.action(run('w_v'))),
    );
    expect(registry.getAllTools().map(({ name }) => name)).toEqual(['a_b_c', 'a_b_c_d', 'x_y_z_w_v']);
    expect(textOf(await registry.routeCall('a_b_c', {}))).toBe('c');
    expect(textOf(await registry.routeCall('a_b_c_d', {}))).toBe('c_d');
    expect(textOf(await registry.routeCall('x_y_z_w_v', {}))).toBe('w_v');
  });

  test('keep the key that policies match, however the tool is exposed', async () => {
    for (const expose of ['grouped', 'flat'] as const) {
      const seen: string[] = [];
      const tool = createTool('office')
        .use((call, next) => {
          seen.push(call.name);
          return next();
        })
        .group('rooms', (rooms) => rooms.action({ name: 'book', handler }));
      const registry = new ToolRegistry({ expose }).register(tool);
      await registry.routeCall('office', { action: 'rooms.book' });
      await registry.routeCall('office_rooms_book', {});
      expect(seen).toEqual(['rooms.book']);
    }
  });

  test('cannot be chosen by arguments where the name of the tool chooses them', async () => {
    const registry = new ToolRegistry({ expose: 'flat', unknownFields: 'strip' }).register(
      createTool('books')
        .action({ name: 'find', handler: () => 'found' })
        .action({ name: 'drop', handler: () => 'dropped' }),
    );
    expect(textOf(await registry.routeCall('books_find', { action: 'drop' }))).toBe('found');
  });
});

describe('a registry', () => {
  test('logs the failures of tools that were registered after everything else', async () => {
    const logger = new MemoryLogger();
    const registry = new ToolRegistry({ logger });
    let changes = 0;
    registry.onChange(() => (changes += 1));
    registry.register(
      createTool('late').action({ name: 'fail', handler: () => Promise.reject(new Error('no')) }),
    );
    await registry.routeCall('late', { action: 'fail' });
    expect(changes).toBe(1);
    expect(logger.records).toMatchObject([{ event: 'call.failed', message: 'late/fail failed: no' }]);
  });

  test('lists the same after an attempt to edit a definition', () => {
    const registry = new ToolRegistry().register(createTool('books').action({ name: 'find', handler }));
    const before = JSON.stringify(registry.getAllTools());
    const [tool] = registry.getAllTools() as unknown as { inputSchema: { properties: object } }[];
    expect(() => Object.assign(tool?.inputSchema.properties ?? {}, { hacked: {} })).toThrow(TypeError);
    expect(() => (registry.getAllTools() as unknown[]).push({})).toThrow(TypeError);
    expect(JSON.stringify(registry.getAllTools())).toBe(before);
  });
});

describe('a context', () => {
  test('keeps values under any name without touching a prototype', () => {
    const exchange = { requestId: 1 } as RequestContext;
    for (const context of [toolContextOf(undefined, exchange), new FakeToolContext()]) {
      context.set('__proto__', { polluted: true });
      expect(context.get('__proto__')).toEqual({ polluted: true });
      expect(context.get('constructor')).toBeUndefined();
      expect('polluted' in {}).toBe(false);
    }
  });
});

describe('an answer', () => {
  test('quotes a received text whole up to its limit, and says when it was cut', async () => {
    const schema = { type: 'object', properties: { count: { type: 'integer' } } };
    const tool = createTool('books').action({ name: 'find', schema, handler });
    const received = async (length: number): Promise<unknown> => {
      const facts = factsOf(await tool.execute({ action: 'find', count: 'x'.repeat(length) }));
      return (facts as { issues: { received: string }[] }).issues[0]?.received;
    };
    expect(await received(50)).toBe(`string "${'x'.repeat(50)}"`);
    expect(await received(51)).toMatch(/^string "x{50}.*…/);
  });

  test('is a result that clients take, whatever a handler returns', async () => {
    for (const value of [undefined, null, '', 0, false, [], { content: [] }, { content: ['page 1'] }]) {
      const result = await createTool('t')
        .action({ name: 'a', handler: () => value })
        .execute({ action: 'a' });
      expect(result.isError).toBeUndefined();
      expect(Array.isArray(result.content)).toBe(true);
    }
  });
});

test('a mistake in one of many tools leaves none of them registered', () => {
  const registry = new ToolRegistry();
  const tool = (name: string) => createTool(name).action({ name: 'run', handler });
  expect(() => registry.registerAll(tool('a'), tool('b'), tool('a'))).toThrow(ToolwrightError);
  expect(registry.size).toBe(0);
});
