import { describe, expect, test } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import {
  Action,
  createTool,
  Injectable,
  Input,
  McpApplication,
  Middleware,
  Module,
  Prompt,
  Resource,
  ToolContext,
  ToolGroup,
  type CallToolResult,
  type MiddlewareFunction,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { textOf } from '../support/text-of.ts';

describe('a middleware that returns nothing', () => {
  const run = async (
    value: unknown,
    ...middleware: readonly MiddlewareFunction<unknown>[]
  ): Promise<string> =>
    textOf(
      await createTool('t', { logger: new MemoryLogger() })
        .action({ name: 'a', middleware, handler: () => value })
        .execute({ action: 'a' }),
    );
  const pass: MiddlewareFunction<unknown> = (_call, next) => next();
  const forgetAtOnce: MiddlewareFunction<unknown> = (_call, next) => {
    void next();
  };
  const forgetLater: MiddlewareFunction<unknown> = async (_call, next) => {
    await next();
  };

  test.each([
    ['at once', [forgetAtOnce]],
    ['later', [forgetLater]],
    ['around another one', [forgetLater, pass]],
    ['within another one', [pass, forgetAtOnce]],
  ])('%s is reported, where the handler gave a value', async (_, middleware) => {
    for (const value of [{ id: 1 }, Promise.resolve('a'), '', 0]) {
      const text = await run(value, ...middleware);
      expect(text).toContain('[t/a] TW_MIDDLEWARE_RETURNED_NOTHING: a returned a value');
      expect(text).toContain('did you forget to `return next()`?');
    }
  });

  test('may do so where the handler gave nothing, on purpose, or without asking the handler', async () => {
    expect(await run(undefined, forgetLater)).toBe('OK');
    expect(await run(null, forgetLater)).toBe('OK');
    expect(await run(Promise.resolve(undefined), forgetAtOnce)).toBe('OK');
    expect(await run('a', async (_call, next) => (await next(), null))).toBe('OK');
    expect(await run('a', () => undefined)).toBe('OK');
    expect(await run('a', pass)).toBe('a');
    const failing = Promise.reject(new Error('caught'));
    const caught: MiddlewareFunction<unknown> = async (_call, next) => {
      await next().catch(() => undefined);
    };
    expect(await run(failing, caught)).toBe('OK');
  });

  test('is reported around prompts and resources, too', async () => {
    @Injectable()
    @Middleware(forgetLater)
    class Pages {
      @Prompt('A prompt') ask(): string {
        return 'a';
      }
      @Resource('pages://first') first(): string {
        return 'a';
      }
    }
    @Module({ controllers: [Pages] })
    class Root {}
    const tests = await createTestApplication(Root, { logger: new MemoryLogger() });
    const client = await tests.client();
    await expect(client.getPrompt({ name: 'ask' })).rejects.toThrow('TW_MIDDLEWARE_RETURNED_NOTHING');
    await expect(client.readResource({ uri: 'pages://first' })).rejects.toThrow('return next()');
    await tests.close();
  });
});

test('a constructor that returns a promise is refused at the start', async () => {
  @Injectable()
  class Store {
    readonly value = 1;
    constructor() {
      return Promise.resolve(this) as unknown as this;
    }
  }
  @ToolGroup('notes')
  class Notes {
    constructor(readonly store: Store) {}
    @Action('Read') read(): number {
      return this.store.value;
    }
  }
  @Module({ controllers: [Notes], providers: [Store] })
  class Root {}
  await expect(McpApplication.create(Root)).rejects.toThrow(
    /TW_CONTAINER_ASYNC_CONSTRUCTOR: Store .*constructor that returns a promise/u,
  );
});

test('an application that serves nothing is reported', async () => {
  @Module({})
  class Root {}
  const logger = new MemoryLogger();
  const app = await McpApplication.create(Root, { name: 'empty', logger });
  await app.close();
  expect(logger.records).toEqual([expect.objectContaining({ level: 'warning', event: 'application.empty' })]);
});

test('an override that drops what its base class offers is reported', async () => {
  class Base {
    @Action('First') first(): string {
      return 'a';
    }
    @Action('Second') second(): string {
      return 'a';
    }
    @Prompt('Third') third(): string {
      return 'a';
    }
  }
  @ToolGroup('notes')
  class Derived extends Base {
    override first(): string {
      return 'b';
    }
    @Action('Second') override second(): string {
      return 'b';
    }
    override third(): string {
      return 'b';
    }
  }
  @Module({ controllers: [Derived] })
  class Root {}
  const logger = new MemoryLogger();
  const app = await McpApplication.create(Root, { logger });
  await app.close();
  const warnings = logger.records.map(({ event, message }) => `${event} ${message}`);
  expect(warnings).toEqual([
    expect.stringContaining('scan.warning TW_SCAN_OVERRIDE_DROPS: Derived.first() overrides Base.first()'),
    expect.stringContaining('@Prompt(…) on Derived.third()'),
  ]);
});

test('a default value of an input, which no call ever uses, is reported', async () => {
  class Text {
    @IsOptional() @IsString() text?: string;
  }
  const preset = Object.assign(new Text(), { text: 'x' });
  @Injectable()
  class Store {}
  /** As decorators of other libraries do, which the length of a method does not show. */
  const wrapped: MethodDecorator = (_target, _member, descriptor: PropertyDescriptor) => {
    const method = descriptor.value as (...args: unknown[]) => unknown;
    descriptor.value = function (this: unknown, ...args: unknown[]): unknown {
      return method.apply(this, args);
    };
  };
  @ToolGroup('notes')
  class Notes {
    @Action() first(input: Text = preset): Text {
      return input;
    }
    @Action() second(store: Store, { text }: Text = preset): unknown {
      return { store, text };
    }
    @Action({ input: Text }) third(@Input() input: object = {}): unknown {
      return input;
    }
    @Action() none(input: Text, store: Store = new Store(), limit?: ToolContext): unknown {
      return { input, store, limit };
    }
    @Action() @wrapped whole(input: Text): unknown {
      return input;
    }
    @Prompt() ask(input: Text = new Text()): string {
      return input.text ?? '';
    }
  }
  @Module({ controllers: [Notes], providers: [Store] })
  class Root {}
  const logger = new MemoryLogger();
  const tests = await createTestApplication(Root, { logger });
  const warnings = logger.records.map(({ event, message }) => `${event} ${message.split('\n')[0]}`);
  expect(warnings).toEqual([
    'scan.warning TW_SCAN_DEFAULT_UNUSED: Notes.first() gives parameter #1, its input, a default value that is never used.',
    'scan.warning TW_SCAN_DEFAULT_UNUSED: Notes.second() gives parameter #2, its input, a default value that is never used.',
    'scan.warning TW_SCAN_DEFAULT_UNUSED: Notes.third() gives parameter #1, its input, a default value that is never used.',
    'scan.warning TW_SCAN_DEFAULT_UNUSED: Notes.ask() gives parameter #1, its input, a default value that is never used.',
  ]);
  expect(logger.records[0]?.message).toContain('fix: give the fields of Text default values');
  const client = await tests.client();
  const result = await client.callTool({ name: 'notes', arguments: { action: 'first' } });
  expect(textOf(result as CallToolResult)).toBe('{}');
  await tests.close();
});
