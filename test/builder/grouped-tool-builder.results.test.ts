import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createTool, type GroupedToolBuilder } from '../../src/builder/grouped-tool-builder.ts';
import { error, required, success, toolError } from '../../src/call/result-helpers.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { factsOf, textOf } from '../support/text-of.ts';

function throwing(thrown: unknown): GroupedToolBuilder {
  return createTool('office').group('rooms', (group) =>
    group.action({
      name: 'book',
      handler: () => {
        throw thrown;
      },
    }),
  );
}

describe('errors', () => {
  test.each([
    [new Error('disk full'), 'disk full'],
    ['plain text', 'plain text'],
    [undefined, 'what was thrown is not an Error but undefined'],
    [null, 'what was thrown is not an Error but null'],
    [new TypeError(''), 'TypeError'],
    [{ message: 'an object' }, 'an object'],
    [Object.create(null), 'what was thrown is not an Error but an object without a message'],
  ])('of a handler that throws %p become a result', async (thrown, message) => {
    const result = await throwing(thrown).execute({ action: 'rooms.book' });
    expect(result.isError).toBe(true);
    expect(textOf(result).split('\n')[0]).toBe(`[office/rooms.book] ${message}`);
    expect(factsOf(result)).toMatchObject({ code: 'INTERNAL_ERROR', tool: 'office', action: 'rooms.book' });
  });

  test('keep stack, cause, code and data inside the process', async () => {
    const thrown = Object.assign(new Error('visible', { cause: new Error('secret-cause') }), {
      code: 'SECRET_CODE',
      data: { password: 'secret-data' },
    });
    const sent = JSON.stringify(await throwing(thrown).execute({ action: 'rooms.book' }));
    expect(sent).toContain('visible');
    expect(sent).not.toMatch(/secret|SECRET|execute-results\.test/);
  });

  test('that were declared for clients carry their code and facts', async () => {
    const thrown = new ToolError('ROOM_TAKEN', 'The room is taken', {
      suggestion: 'try tomorrow',
      availableActions: ['rooms.list'],
      details: { until: '17:00' },
      retryAfter: 30,
      cause: new Error('secret'),
    });
    const result = await throwing(thrown).execute({ action: 'rooms.book' });
    expect(textOf(result).split('\n')[0]).toBe('[office/rooms.book] The room is taken');
    expect(textOf(result)).toContain('ROOM_TAKEN');
    expect(factsOf(result)).toEqual({
      code: 'ROOM_TAKEN',
      message: 'The room is taken',
      tool: 'office',
      action: 'rooms.book',
      suggestion: 'try tomorrow',
      availableActions: ['rooms.list'],
      details: { until: '17:00' },
      retryAfter: 30,
    });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
    'never send %p as a retry delay',
    async (retryAfter) => {
      const result = await throwing(new ToolError('BUSY', 'busy', { retryAfter })).execute({
        action: 'rooms.book',
      });
      expect(factsOf(result)).not.toHaveProperty('retryAfter');
    },
  );

  test('of a middleware are treated like those of the handler', async () => {
    const tool = createTool('t').action({
      name: 'a',
      middleware: [() => Promise.reject(new Error('denied'))],
      handler: () => 'never',
    });
    expect(textOf(await tool.execute({ action: 'a' }))).toMatch(/^\[t\/a\] denied\n/);
  });

  test('come from values that cannot be sent', async () => {
    const ring: { self?: unknown } = {};
    ring.self = ring;
    for (const value of [ring, 7n, () => 1, Symbol('s')]) {
      const result = await createTool('t')
        .action({ name: 'a', handler: () => value })
        .execute({ action: 'a' });
      expect(factsOf(result)).toMatchObject({ code: 'INTERNAL_ERROR' });
    }
  });
});

describe('results', () => {
  const run = (value: unknown) =>
    createTool('t')
      .action({ name: 'a', handler: () => value })
      .execute({ action: 'a' });

  test.each([
    ['text', 'text'],
    ['', 'OK'],
    [undefined, 'OK'],
    [null, 'OK'],
    [0, '0'],
    [false, 'false'],
    [{ a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
  ])('of %j have the text %j', async (value, text) => {
    const result = await run(value);
    expect(textOf(result)).toBe(text);
    expect(result.isError).toBeUndefined();
  });

  test('made by a helper pass as they are', async () => {
    expect(textOf(await run(success('done')))).toBe('done');
    expect(await run(error('no'))).toEqual({
      content: [{ type: 'text', text: 'no\nCode: FAILED' }],
      isError: true,
      _meta: { 'toolwright/error': { code: 'FAILED', message: 'no' } },
    });
    expect(textOf(await run(toolError('X', { message: 'm', suggestion: 's' })))).toMatch(/^X: m\n/);
    expect(factsOf(await run(required('isbn')))).toMatchObject({ code: 'MISSING_REQUIRED_FIELD' });
    expect(textOf(await run(required('isbn')))).toBe(
      'isbn is required\nCode: MISSING_REQUIRED_FIELD\n- isbn: received nothing',
    );
  });

  test('that look like a call result pass, and a business object with a content array is data', async () => {
    const image = { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] };
    expect(await run(image)).toEqual(image);
    for (const article of [
      { content: ['paragraph'] },
      { content: [{ type: 'text', text: 'x' }], author: 'a' },
      { content: [{ type: 'text' }] },
      { content: [{ type: 'heading', text: 'x' }] },
    ]) {
      expect(JSON.parse(textOf(await run(article)))).toEqual(article);
    }
  });

  test('are TOON or compact text where the action says so', async () => {
    const rows = [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ];
    const tool = createTool('t')
      .action({ name: 'toon', result: 'toon', handler: () => rows })
      .action({ name: 'text', result: 'text', handler: () => rows });
    expect(textOf(await tool.execute({ action: 'toon' }))).toBe('[2|]{id|name}:\n  1|a\n  2|b');
    expect(textOf(await tool.execute({ action: 'text' }))).toBe(JSON.stringify(rows));
  });
});

describe('outputs', () => {
  const Room = z.object({ name: z.string(), seats: z.number() });
  const rooms = (value: unknown) =>
    createTool('rooms').action({ name: 'get', output: Room, handler: () => value });

  test('are published and sent as structured content next to their text', async () => {
    const tool = rooms({ name: 'A', seats: 4 });
    expect(tool.buildToolDefinition().outputSchema).toMatchObject({
      type: 'object',
      required: ['name', 'seats'],
    });
    const result = await tool.execute({ action: 'get' });
    expect(result.structuredContent).toEqual({ name: 'A', seats: 4 });
    expect(JSON.parse(textOf(result))).toEqual({ name: 'A', seats: 4 });
  });

  test.each([[{ name: 'A' }], [{ name: 'A', seats: 'four' }], ['text'], [undefined], [success('text')]])(
    'that break their declaration are an error which names the field: %j',
    async (value) => {
      const result = await rooms(value).execute({ action: 'get' });
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(textOf(result)).toMatch(/^\[rooms\/get\] (seats|\(value\)|name)/);
      expect(factsOf(result)).toMatchObject({ code: 'INVALID_OUTPUT' });
    },
  );

  test('may be errors, which are not checked', async () => {
    expect(await rooms(error('none')).execute({ action: 'get' })).toMatchObject({ isError: true });
  });

  test('are published only when every action declares one', () => {
    const tool = rooms({}).action({ name: 'other', handler: () => 1 });
    expect(tool.buildToolDefinition()).not.toHaveProperty('outputSchema');
  });

  test('that are no objects travel as { result }', async () => {
    const tool = createTool('t').action({ name: 'count', output: z.number(), handler: () => 3 });
    expect(tool.buildToolDefinition().outputSchema).toMatchObject({ type: 'object', required: ['result'] });
    expect((await tool.execute({ action: 'count' })).structuredContent).toEqual({ result: 3 });
  });
});
