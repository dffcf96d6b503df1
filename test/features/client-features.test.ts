import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema, type ElicitRequest } from '@modelcontextprotocol/sdk/types.js';
import {
  IsArray,
  IsBoolean,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
} from 'class-validator';
import {
  Action,
  createContextFactory,
  createTool,
  Field,
  Injectable,
  Module,
  ToolContext,
  ToolGroup,
  ToolRegistry,
  type CallToolResult,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import { createTestApplication, type TestApplication, type TestClientOptions } from 'toolwright/testing';
import { MemoryLogger } from '../fixtures/fake-surface.ts';
import { factsOf, textOf } from '../fixtures/text-of.ts';

enum Size {
  Small = 'small',
  Large = 'large',
}

class Delivery {
  @IsEmail() @Field('Where the receipt goes') email!: string;
  @IsEnum(Size) size = Size.Small;
  @IsInt() @Max(9) count = 1;
  @IsArray() @IsIn(['red', 'blue'], { each: true }) colours!: string[];
  @IsOptional() @IsString() @Matches(/^[a-z ]+$/) note?: string;

  get label(): string {
    return `${String(this.count)} ${this.size} for ${this.email}`;
  }
}

class Parcel {
  @IsString({ each: true }) lines!: string[];
}

class Sure {
  @IsBoolean() isSure!: boolean;
}

const events: string[] = [];

@Injectable({ scope: 'request' })
class Basket {
  readonly #id: unknown;
  constructor(ctx: ToolContext) {
    this.#id = ctx.meta['basket'];
  }
  get id(): string {
    return String(this.#id);
  }
  dispose(): void {
    events.push(`disposed ${this.id}`);
  }
}

@Injectable({ scope: 'request' })
@ToolGroup('basket')
class BasketTools {
  constructor(
    private readonly basket: Basket,
    private readonly ctx: ToolContext,
  ) {}

  @Action() async clear(): Promise<string> {
    const answer = await this.ctx.ask(Sure, `Clear ${this.basket.id}?`);
    events.push(`answered ${this.basket.id}`);
    return answer.action === 'accept' && answer.content.isSure ? `${this.basket.id} is clear` : 'kept';
  }
}

@ToolGroup('shop')
class ShopTools {
  @Action() async order(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Delivery, 'How shall we send it?');
    return answer.action === 'accept' ? answer.content.label : answer.action;
  }

  @Action() async pay(ctx: ToolContext): Promise<string> {
    return (await ctx.askUrl('https://example.com/pay', 'Pay now?')).action;
  }

  @Action() async wrap(ctx: ToolContext): Promise<unknown> {
    return ctx.ask(Parcel, 'What is inside?');
  }

  @Action() async summarise(ctx: ToolContext): Promise<string> {
    return (await ctx.sample('Summarise the order')).text;
  }

  @Action() async places(ctx: ToolContext): Promise<string> {
    return (await ctx.roots()).map(({ uri }) => uri).join(', ');
  }
}

@ToolGroup('work')
class WorkTools {
  @Action() async *import(): AsyncGenerator<unknown, object> {
    yield 'opening';
    for (let row = 2; row <= 4; row += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      yield { progress: row, total: 4, message: `row ${String(row)}` };
    }
    return { rows: 4 };
  }

  @Action() async *endless(): AsyncGenerator<number> {
    try {
      for (let round = 1; ; round += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        yield round;
      }
    } finally {
      events.push('closed');
    }
  }

  @Action() async *waits(ctx: ToolContext): AsyncGenerator<string> {
    try {
      yield 'asking';
      await ctx.ask(Sure, 'Go on?');
    } finally {
      events.push('closed');
    }
  }
}

async function seeValue(call: MiddlewareCall, next: Next): Promise<unknown> {
  const value = await next();
  if (call.tool === 'work') events.push(`middleware saw ${JSON.stringify(value)}`);
  return value;
}

@Module({ controllers: [ShopTools, WorkTools, BasketTools], providers: [Basket] })
class ShopModule {}

let shop: TestApplication;

beforeAll(async () => {
  shop = await createTestApplication(ShopModule, { middleware: [seeValue], logger: new MemoryLogger() });
});
afterAll(() => shop.close());
beforeEach(() => {
  events.length = 0;
});

async function call(options: TestClientOptions, tool: string, action: string): Promise<CallToolResult> {
  const client = await shop.connect(options);
  return (await client.callTool({ name: tool, arguments: { action } })) as CallToolResult;
}

describe('a form', () => {
  const asked: ElicitRequest['params'][] = [];
  const filledIn = (content: Record<string, string | number | string[]>): TestClientOptions => ({
    onElicitation: (question) => {
      asked.push(question);
      return { action: 'accept', content };
    },
  });
  beforeEach(() => {
    asked.length = 0;
  });

  test('is asked by the schema of the DTO and answered by an instance of it', async () => {
    const content = { email: 'ada@example.com', count: 2, colours: ['red'] };
    expect(textOf(await call(filledIn(content), 'shop', 'order'))).toBe('2 small for ada@example.com');
    expect(asked).toEqual([
      {
        mode: 'form',
        message: 'How shall we send it?',
        requestedSchema: {
          type: 'object',
          properties: {
            email: { type: 'string', format: 'email', description: 'Where the receipt goes' },
            size: { type: 'string', enum: ['small', 'large'], default: 'small' },
            count: { type: 'integer', maximum: 9, default: 1 },
            colours: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
            note: { type: 'string' },
          },
          required: ['email', 'colours'],
        },
      },
    ]);
  });

  test.each(['decline', 'cancel'] as const)('may be answered by %s', async (action) => {
    expect(textOf(await call({ onElicitation: () => ({ action }) }, 'shop', 'order'))).toBe(action);
  });

  test('that is filled in wrongly is told field by field', async () => {
    const result = await call(
      filledIn({ email: 'ada', count: 12, colours: ['green'], note: 'NO' }),
      'shop',
      'order',
    );
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('[shop/order] The answer to "How shall we send it?" is wrong: email:');
    const { code, details } = factsOf(result) as {
      readonly code: string;
      readonly details: { readonly issues: readonly { readonly path: string }[] };
    };
    expect(code).toBe('INVALID_ANSWER');
    expect(details.issues.map(({ path }) => path.split('.')[0])).toEqual([
      'email',
      'count',
      'colours',
      'note',
    ]);
  });

  test('that cannot be shown is an error of the handler', async () => {
    const result = await call(filledIn({}), 'shop', 'wrap');
    expect(textOf(result)).toContain('TW_ASK_SCHEMA: Parcel cannot be asked for in a form: "lines"');
    expect(asked).toEqual([]);
  });

  test('may be asked for by a request-scoped controller, whose instances live until the answer', async () => {
    const client = await shop.connect({
      onElicitation: () => ({ action: 'accept', content: { isSure: true } }),
    });
    const answers = await Promise.all(
      ['a', 'b'].map((basket) =>
        client.callTool({ name: 'basket', arguments: { action: 'clear' }, _meta: { basket } }),
      ),
    );
    expect(answers.map((answer) => textOf(answer as CallToolResult))).toEqual(['a is clear', 'b is clear']);
    expect(events.filter((event) => event.endsWith(' a'))).toEqual(['answered a', 'disposed a']);
    expect(events.filter((event) => event.endsWith(' b'))).toEqual(['answered b', 'disposed b']);
  });
});

test('a URL is opened by a client that can', async () => {
  const asked: unknown[] = [];
  const result = await call(
    {
      onElicitation: (question) => {
        asked.push(question);
        return { action: 'accept' };
      },
    },
    'shop',
    'pay',
  );
  expect(textOf(result)).toBe('accept');
  expect(asked).toMatchObject([{ mode: 'url', url: 'https://example.com/pay', message: 'Pay now?' }]);
});

test('the model of the client is asked', async () => {
  const result = await call(
    {
      onSampling: ({ messages, maxTokens }) => ({
        role: 'assistant',
        model: 'test',
        content: { type: 'text', text: `${JSON.stringify(messages)} in ${String(maxTokens)}` },
      }),
    },
    'shop',
    'summarise',
  );
  expect(textOf(result)).toBe(
    '[{"role":"user","content":{"type":"text","text":"Summarise the order"}}] in 1000',
  );
});

test('the roots of the client are listed', async () => {
  const roots = [{ uri: 'file:///work', name: 'Work' }, { uri: 'file:///home' }];
  expect(textOf(await call({ roots }, 'shop', 'places'))).toBe('file:///work, file:///home');
});

describe('a client that cannot be asked', () => {
  test.each([
    ['order', 'elicitation'],
    ['pay', 'elicitation.url'],
    ['summarise', 'sampling'],
    ['places', 'roots'],
  ])('gets an answer at once: %s', async (action, capability) => {
    const result = await call({}, 'shop', action);
    expect(result.isError).toBe(true);
    expect(factsOf(result)).toMatchObject({ code: 'CLIENT_CAPABILITY_MISSING', details: { capability } });
  });
});

describe('a call from inside the process', () => {
  const client = { capabilities: { elicitation: {} } };

  test('is answered by the caller', async () => {
    const asked: string[] = [];
    const onRequest = (method: string, { message }: Readonly<Record<string, unknown>>): unknown => {
      asked.push(`${method}: ${String(message)}`);
      return { action: 'accept', content: { isSure: true } };
    };
    const meta = { basket: 'c' };
    const result = await shop.call('basket', { action: 'clear' }, { client, onRequest, meta });
    expect(textOf(result)).toBe('c is clear');
    expect(asked).toEqual(['elicitation/create: Clear c?']);
  });

  test('without an answerer is told so', async () => {
    const result = await shop.call('shop', { action: 'order' }, { client });
    expect(factsOf(result)).toMatchObject({ code: 'CLIENT_UNREACHABLE' });
  });
});

describe('a generator', () => {
  test('reports what it yields, in order, before its result', async () => {
    const client = await shop.client();
    const seen: unknown[] = [];
    const result = await client.callTool({ name: 'work', arguments: { action: 'import' } }, undefined, {
      onprogress: (progress) => seen.push(progress),
    });
    seen.push(JSON.parse(textOf(result as CallToolResult)));
    expect(seen).toEqual([
      { progress: 1, message: 'opening' },
      { progress: 2, total: 4, message: 'row 2' },
      { progress: 3, total: 4, message: 'row 3' },
      { progress: 4, total: 4, message: 'row 4' },
      { rows: 4 },
    ]);
    expect(events).toEqual(['middleware saw {"rows":4}']);
  });

  test('gives its result to a client that asked for no progress', async () => {
    expect(JSON.parse(textOf(await shop.call('work', { action: 'import' })))).toEqual({ rows: 4 });
  });

  async function cancelled(client: Client, action: string): Promise<void> {
    const controller = new AbortController();
    const answer = client.callTool({ name: 'work', arguments: { action } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort('enough'),
    });
    await expect(answer).rejects.toThrow('enough');
    while (events.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }

  test('that the client cancels runs its finally blocks', async () => {
    await cancelled(await shop.client(), 'endless');
    expect(events).toEqual(['closed']);
  });

  test('that waits for an answer stops waiting when the client cancels', async () => {
    await cancelled(await shop.connect({ onElicitation: () => new Promise(() => undefined) }), 'waits');
    expect(events).toEqual(['closed']);
  });

  test('ends as CANCELLED for a caller inside the process', async () => {
    const controller = new AbortController();
    const result = await shop.call(
      'work',
      { action: 'endless' },
      {
        signal: controller.signal,
        meta: { progressToken: 1 },
        onNotification: (_method, { progress }) => {
          if (progress === 3) controller.abort();
        },
      },
    );
    expect(result.isError).toBe(true);
    expect(factsOf(result)).toMatchObject({ code: 'CANCELLED' });
  });
});

test('plain handlers on a server of your own ask and yield as decorated ones do', async () => {
  const server = new McpServer({ name: 'own', version: '1.0.0' });
  const tool = createTool<ToolContext>('plain').action({
    name: 'work',
    async *handler(_input, ctx) {
      yield 'asking';
      return ctx.ask(Sure, 'Sure?');
    },
  });
  new ToolRegistry().register(tool).attachToServer(server, { contextFactory: createContextFactory() });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'own', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { isSure: true } }));
  await server.connect(far);
  await client.connect(near);
  const seen: unknown[] = [];
  const result = await client.callTool({ name: 'plain', arguments: { action: 'work' } }, undefined, {
    onprogress: ({ message }) => seen.push(message),
  });
  expect(JSON.parse(textOf(result as CallToolResult))).toEqual({
    action: 'accept',
    content: { isSure: true },
  });
  expect(seen).toEqual(['asking']);
  await client.close();
});
