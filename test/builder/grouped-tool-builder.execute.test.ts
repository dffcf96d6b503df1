import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createTool, type GroupedToolBuilder } from '../../src/builder/grouped-tool-builder.ts';
import type { MiddlewareCall } from '../../src/call/middleware.ts';
import { factsOf, textOf } from '../support/text-of.ts';

const Isbn = z.object({ isbn: z.string(), copies: z.number().int().default(1) });

function books(): GroupedToolBuilder {
  return createTool('books')
    .commonSchema(z.object({ branch: z.string().optional() }))
    .action({ name: 'find', handler: () => ['a'] })
    .action({ name: 'add', schema: Isbn, handler: (input) => input });
}

describe('the discriminator', () => {
  test.each([[undefined], [{}], [{ action: null }], [{ action: '' }], [{ action: undefined }]])(
    'is asked for when the arguments are %j',
    async (args) => {
      const result = await books().execute(args);
      expect(result.isError).toBe(true);
      expect(textOf(result).split('\n')[0]).toBe('action is required. Available: find, add');
      expect(factsOf(result)).toMatchObject({
        code: 'MISSING_DISCRIMINATOR',
        availableActions: ['find', 'add'],
      });
    },
  );

  test('has to be a string', async () => {
    const result = await books().execute({ action: 7 });
    expect(textOf(result)).toMatch(/^action must be a string\. Available: find, add\n/);
    expect(factsOf(result)).toMatchObject({ code: 'INVALID_DISCRIMINATOR', received: 'number 7' });
  });

  test.each(['fnd', 'Find', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'names no action with %p',
    async (action) => {
      const result = await books().execute({ action });
      expect(textOf(result).split('\n')[0]).toBe(`Unknown action "${action}". Available: find, add`);
    },
  );

  test('gets a suggestion when a key is near, and none when nothing is', async () => {
    expect(factsOf(await books().execute({ action: 'fnd' }))).toMatchObject({ suggestion: 'find' });
    expect(factsOf(await books().execute({ action: 'zzzzzz' }))).not.toHaveProperty('suggestion');
  });

  test('goes by its own name where one was given, and never reaches the handler', async () => {
    const tool = createTool('t')
      .discriminator('op')
      .action({ name: 'a', unknownFields: 'strip', handler: (input) => input });
    expect(textOf(await tool.execute({}))).toMatch(/^op is required/);
    expect(textOf(await tool.execute({ op: 'a', action: 'x' }))).toBe('{}');
  });

  test.each([[[]], ['text'], [7], [null]])('needs an object around it, not %j', async (args) => {
    const result = await books().execute(args);
    expect(textOf(result).split('\n')[0]).toBe('Arguments must be an object');
    expect(factsOf(result)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });
});

describe('validation', () => {
  test('hands defaults and conversions to the handler, with the common fields', async () => {
    const result = await books().execute({ action: 'add', isbn: '1', branch: 'north' });
    expect(JSON.parse(textOf(result))).toEqual({ isbn: '1', copies: 1, branch: 'north' });
  });

  test('reports every problem in one answer, with what was expected and what came', async () => {
    const result = await books().execute({ action: 'add', isbn: 7, copies: 'many', isnb: 'x' });
    expect(textOf(result).split('\n')[0]).toMatch(
      /^Validation failed: isbn: .+; copies: .+; isnb: unknown field$/,
    );
    const { code, issues } = factsOf(result) as { code: string; issues: { path: string }[] };
    expect(code).toBe('VALIDATION_FAILED');
    expect(issues.map((issue) => issue.path)).toEqual(['isbn', 'copies', 'isnb']);
    expect(issues[0]).toMatchObject({ expected: expect.stringContaining('string'), received: 'number 7' });
    expect(issues[2]).toMatchObject({ suggestion: 'isbn', accepted: ['branch', 'isbn', 'copies'] });
  });

  test('checks an action without a schema against the common one', async () => {
    expect(textOf(await books().execute({ action: 'find', branch: 7 }))).toMatch(
      /^Validation failed: branch:/,
    );
    expect(textOf(await books().execute({ action: 'find', isbn: '1' }))).toMatch(/isbn: unknown field/);
  });

  test('drops unknown fields where the nearest mode says strip', async () => {
    const handler = (input: unknown): unknown => input;
    const tool = createTool('t', { unknownFields: 'strip' })
      .group('g', (group) => group.unknownFields('strict').action({ name: 'a', handler }))
      .group('h', (group) =>
        group.action({ name: 'b', handler }).action({ name: 'c', unknownFields: 'strict', handler }),
      );
    expect((await tool.execute({ action: 'g.a', x: 1 })).isError).toBe(true);
    expect(textOf(await tool.execute({ action: 'h.b', x: 1 }))).toBe('{}');
    expect((await tool.execute({ action: 'h.c', x: 1 })).isError).toBe(true);
  });

  test('never lets __proto__ touch a prototype', async () => {
    const args = JSON.parse('{"action":"add","isbn":"1","__proto__":{"polluted":true}}') as object;
    const result = await books().execute(args);
    expect(textOf(result)).toMatch(/__proto__: unknown field/);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const stripping = createTool('t', { unknownFields: 'strip' }).action({
      name: 'add',
      schema: Isbn,
      handler: (input) => input,
    });
    expect(JSON.parse(textOf(await stripping.execute(args)))).toEqual({ isbn: '1', copies: 1 });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('waits for asynchronous rules', async () => {
    const Free = z.object({
      name: z.string().refine((name) => Promise.resolve(name !== 'taken'), 'is taken'),
    });
    const tool = createTool('t').action({ name: 'a', schema: Free, handler: (input) => input.name });
    expect(textOf(await tool.execute({ action: 'a', name: 'free' }))).toBe('free');
    expect(textOf(await tool.execute({ action: 'a', name: 'taken' }))).toMatch(
      /^Validation failed: name: is taken/,
    );
  });

  test("lets the action's version of a common field check that action", async () => {
    const tool = createTool('t')
      .commonSchema(z.object({ page: z.number(), branch: z.string() }))
      .action({ name: 'a', schema: z.object({ page: z.number().optional() }), handler: (input) => input })
      .action({ name: 'b', handler: (input) => input });
    expect(JSON.parse(textOf(await tool.execute({ action: 'a', branch: 'x' })))).toEqual({ branch: 'x' });
    expect((await tool.execute({ action: 'b', branch: 'x' })).isError).toBe(true);
  });
});

describe('middleware', () => {
  test('runs global, group and action layers around the handler, unwinding in reverse', async () => {
    const trace: string[] = [];
    const layer = (name: string) => async (_call: unknown, next: () => Promise<unknown>) => {
      trace.push(`${name} in`);
      const value = await next();
      trace.push(`${name} out`);
      return value;
    };
    const tool = createTool('t')
      .use(layer('first'))
      .group('g', (group) =>
        group
          .action({ name: 'a', middleware: [layer('action')], handler: () => trace.push('handler') })
          .use({ use: layer('group') }),
      )
      .use(layer('second'));
    await tool.execute({ action: 'g.a' });
    expect(trace).toEqual([
      'first in',
      'second in',
      'group in',
      'action in',
      'handler',
      'action out',
      'group out',
      'second out',
      'first out',
    ]);
  });

  test('sees the validated input, the tool and the key, and passes the context by identity', async () => {
    const seen: MiddlewareCall<unknown>[] = [];
    const contexts: unknown[] = [];
    const tool = createTool('books')
      .use((call, next) => {
        seen.push(call);
        return next();
      })
      .action({ name: 'add', schema: Isbn, handler: (_input, context) => contexts.push(context) });
    const context = { user: 'u' };
    await tool.execute({ action: 'add', isbn: '1' }, context);
    expect(seen[0]).toMatchObject({
      kind: 'action',
      tool: 'books',
      action: 'add',
      input: { isbn: '1', copies: 1 },
    });
    expect(seen[0]?.context).toBe(context);
    expect(contexts[0]).toBe(context);
  });

  test('may be a class without dependencies, or a function of the old kind', async () => {
    class Shout {
      async use(_call: unknown, next: () => Promise<unknown>): Promise<unknown> {
        return String(await next()).toUpperCase();
      }
    }
    class Needy extends Shout {
      constructor(readonly suffix: string) {
        super();
      }
    }
    const tool = createTool('t')
      .use(Shout)
      .use(async function exclaim(_call, next) {
        return `${String(await next())}!`;
      })
      .action({ name: 'a', handler: () => 'done' });
    expect(textOf(await tool.execute({ action: 'a' }))).toBe('DONE!');
    expect(() => createTool('t').use(Needy as never)).toThrow(/Needy, whose constructor takes parameters/);
  });

  test('may answer itself, and may run the rest twice', async () => {
    let runs = 0;
    const flaky = (): string => {
      runs += 1;
      if (runs === 1) throw new Error('first try');
      return `run ${String(runs)}`;
    };
    const tool = createTool('t')
      .action({ name: 'closed', middleware: [() => 'closed'], handler: flaky })
      .action({ name: 'retry', middleware: [(_call, next) => next().catch(() => next())], handler: flaky });
    expect(textOf(await tool.execute({ action: 'closed' }))).toBe('closed');
    expect(runs).toBe(0);
    expect(textOf(await tool.execute({ action: 'retry' }))).toBe('run 2');
  });
});
