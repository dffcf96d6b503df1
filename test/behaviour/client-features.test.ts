import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IsArray, IsEmail, IsEnum, IsIn, IsInt, IsOptional, IsString, Matches, Max } from 'class-validator';
import { Action, Field, Module, ToolContext, ToolGroup, type CallToolResult } from 'toolwright';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS, type ConnectionKind } from '../support/connections/connection-kinds.ts';
import type { FeatureClient, FeatureClientOptions } from '../support/connections/feature-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf, textOf } from '../support/text-of.ts';

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

@Module({ controllers: [ShopTools] })
class ShopModule {}

/** Connects one client after the other to an application. */
function connections(kind: ConnectionKind) {
  let shop: ConnectedApplication;

  beforeAll(async () => {
    shop = await createConnectedApplication(kind, ShopModule, { logger: new MemoryLogger() });
  });
  afterAll(() => shop.close());

  return (options: FeatureClientOptions): Promise<FeatureClient> => shop.connect(options);
}

function calls(kind: ConnectionKind) {
  const connect = connections(kind);
  return async (options: FeatureClientOptions, tool: string, action: string): Promise<CallToolResult> => {
    const client = await connect(options);
    return (await client.callTool({ name: tool, arguments: { action } })) as CallToolResult;
  };
}

const ABLE = CONNECTIONS.filter(({ canBeAsked }) => canBeAsked);
const OLD = CONNECTIONS.filter(({ era }) => era === '2025');
const NEW = CONNECTIONS.filter(({ era }) => era === '2026');
const UNABLE = CONNECTIONS.filter(({ canBeAsked }) => !canBeAsked);

describe.each(ABLE)('$name', (kind) => {
  const call = calls(kind);

  describe('a form', () => {
    const asked: Readonly<Record<string, unknown>>[] = [];
    const filledIn = (content: Record<string, string | number | string[]>): FeatureClientOptions => ({
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
      expect(asked).toMatchObject([{ mode: 'form', message: 'How shall we send it?' }]);
      expect(asked.map((question) => question['requestedSchema'])).toEqual([
        {
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
      ]);
    });

    test.each(['decline', 'cancel'] as const)('may be answered by %s', async (action) => {
      expect(textOf(await call({ onElicitation: () => ({ action }) }, 'shop', 'order'))).toBe(action);
    });

    test('that is filled in wrongly is reported field by field', async () => {
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
});

const ASKING = [
  ['order', 'elicitation', { elicitation: { form: {} } }],
  ['pay', 'elicitation.url', { elicitation: { url: {} } }],
  ['summarise', 'sampling', { sampling: {} }],
  ['places', 'roots', { roots: {} }],
] as const;

describe.each(OLD)('$name: a client that cannot be asked', (kind) => {
  const call = calls(kind);

  test.each(ASKING)('gets an answer at once: %s', async (action, capability, _missing) => {
    const result = await call({}, 'shop', action);
    expect(result.isError).toBe(true);
    expect(factsOf(result)).toMatchObject({ code: 'CLIENT_CAPABILITY_MISSING', details: { capability } });
  });
});

describe.each(NEW)('$name: a client that cannot be asked', (kind) => {
  const connect = connections(kind);

  test.each(ASKING)(
    'gets an error that names what it would have to declare: %s',
    async (action, _capability, missing) => {
      const client = await connect({});
      expect(await client.refusal('tools/call', { name: 'shop', arguments: { action } })).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: missing },
      });
    },
  );
});

describe.each(UNABLE)('$name: a client that nothing can be sent to', (kind) => {
  const call = calls(kind);

  test.each(ASKING)(
    'gets an answer at once, whatever it declared: %s',
    async (action, capability, _missing) => {
      const never = (): never => {
        throw new Error('It was asked');
      };
      const result = await call({ onElicitation: never, onSampling: never, roots: [] }, 'shop', action);
      expect(result.isError).toBe(true);
      expect(factsOf(result)).toMatchObject({ code: 'CLIENT_CAPABILITY_MISSING', details: { capability } });
    },
  );
});
