import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Anthropic from '@anthropic-ai/sdk';
import { IsInt, IsOptional, IsString } from 'class-validator';
import OpenAI from 'openai';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  Public,
  Roles,
  ToolGroup,
  type AuthInfo,
  type AuthOptions,
  type MiddlewareCall,
  ToolContext,
} from 'toolwright';
import { authInfoOf, testVerifier } from '../support/callers.ts';
import { startSearchingModel, type SearchingModel } from '../support/searching-model.ts';

class Order {
  @IsString() product!: string;
  @IsInt() quantity!: number;
  @IsOptional() @IsString() note?: string;
}

@ToolGroup('shop')
class Shop {
  @Action('Order something') @Destructive() order(order: Order): object {
    const { product, quantity, note } = order;
    return { product, quantity, note, isOrder: order instanceof Order };
  }

  @Action('Look around') look(): string {
    return 'lamps';
  }
}

@Module({ controllers: [Shop] })
class ShopModule {}

const seen: string[] = [];
let app: McpApplication;

beforeAll(async () => {
  const remember = (call: MiddlewareCall, next: () => unknown): unknown => {
    seen.push(`${String(call.tool)}/${String(call.action)}`);
    return next();
  };
  app = await McpApplication.create(ShopModule, { middleware: [remember] });
});
afterAll(() => app.close());

const use = (name: string, input: object): object => ({ type: 'tool_use', id: 'u1', name, input });

test.each([
  ['flat', ['shop_order', 'shop_look'], 'shop_look', {}],
  ['grouped-by-risk', ['shop_write', 'shop_destructive'], 'shop_write', { action: 'look' }],
  ['progressive', ['find_actions', 'read_action', 'call_action'], 'call_action', { action: 'shop.look' }],
] as const)('the surface %s is exported and called by its own names', async (surface, names, name, input) => {
  const { tools, dispatch } = await app.export('anthropic', { surface });
  expect(tools).toEqual(names.map((each) => expect.objectContaining({ name: each })));
  expect(await dispatch(use(name, input))).toMatchObject({ content: [{ text: 'lamps' }] });
  // Names of other surfaces are not listed here, in errors as well
  const miss = JSON.stringify(await dispatch(use('nothing', {})));
  expect(miss).toContain(`Available tools: ${names.join(', ')}`);
});

test('a call of a model runs through validation and middleware, and its nulls are no values', async () => {
  const { tools, dispatch } = await app.export('openai', { strict: true });
  expect(tools).toMatchObject([{ function: { name: 'shop', strict: true } }]);
  const args = { action: 'order', product: 'lamp', quantity: 2, note: null };
  const call = { id: 'c1', type: 'function', function: { name: 'shop', arguments: JSON.stringify(args) } };
  seen.length = 0;
  const { content } = (await dispatch(call)) as { readonly content: string };
  expect(JSON.parse(content)).toEqual({ product: 'lamp', quantity: 2, isOrder: true });
  expect(seen).toEqual(['shop/order']);
});

test('a wrong call is answered by what to repair', async () => {
  const call = use('shop', { action: 'order', product: 'lamp', quantity: 'two' });
  const result = await app.dispatch('anthropic', call);
  expect(result).toMatchObject({ type: 'tool_result', tool_use_id: 'u1', is_error: true });
  expect(JSON.stringify(result)).toContain('quantity');
});

test('the same actions can be exported flat, under names of their own', async () => {
  const { tools, dispatch } = await app.export('anthropic', { expose: 'flat' });
  expect(tools).toMatchObject([{ name: 'shop_order' }, { name: 'shop_look' }]);
  expect(await dispatch(use('shop_look', {}))).toMatchObject({ content: [{ text: 'lamps' }] });
  expect(app.definitions.map(({ name }) => name)).toEqual(['shop']);
});

test('an export is written once, and again when the tools change', async () => {
  const first = await app.export('gemini');
  expect(await app.export('gemini')).toBe(first);
  app.registry.disable('shop');
  expect(await app.export('gemini')).toMatchObject({ tools: [] });
  app.registry.enable('shop');
  expect(await app.export('gemini')).toMatchObject({ tools: first.tools });
});

test.each([{ expose: 'flat' }, { surface: 'flat' }] as const)(
  'what is off stays off with %j',
  async (options) => {
    const kept = await app.export('anthropic', options);
    app.registry.disable('shop', 'look');
    expect((await app.export('anthropic', options)).tools).toMatchObject([{ name: 'shop_order' }]);
    expect(JSON.stringify(await kept.dispatch(use('shop_look', {})))).toContain('UNKNOWN_TOOL');
    const { call } = await app.export('code');
    await expect(call('shop.look')).rejects.toMatchObject({ code: 'UNKNOWN_ACTION' });
    app.registry.enable('shop', 'look');
    expect(await kept.dispatch(use('shop_look', {}))).toMatchObject({ content: [{ text: 'lamps' }] });
  },
);

test('an unknown format is refused', async () => {
  await expect(app.export('cobol' as never)).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND' });
});

test('only the exports that were used last are kept', async () => {
  const [first, kept] = [{ maxNameLength: 20 }, { maxNameLength: 21 }];
  const exported = [await app.export('openai', first), await app.export('openai', kept)];
  for (let longest = 22; longest < 62; longest += 1) {
    await app.export('openai', { maxNameLength: longest });
    await app.export('openai', kept);
  }
  expect(await app.export('openai', kept)).toBe(exported[1]);
  expect(await app.export('openai', first)).not.toBe(exported[0]);
});

@ToolGroup({ name: 'safe', expose: 'flat' })
class Safe {
  @Action('Look at it') @Public() look(): string {
    return 'looked';
  }
  @Action('Open it') @Roles('admin') open(ctx: ToolContext): string {
    return `opened for ${String(ctx.caller?.clientId)}`;
  }
}

@Module({ controllers: [Safe] })
class SafeModule {}

describe('an export of an application with callers', () => {
  const admin = authInfoOf({ clientId: 'desk', roles: ['admin'] });
  const opened: McpApplication[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));
  const started = async (local?: AuthOptions['local']): Promise<McpApplication> => {
    const auth = {
      resource: 'http://localhost/mcp',
      verify: testVerifier,
      ...(local === undefined ? {} : { local }),
    };
    const made = await McpApplication.create(SafeModule, { auth });
    opened.push(made);
    return made;
  };
  const exported = async (from: McpApplication, authInfo?: AuthInfo) => {
    const options = authInfo === undefined ? {} : { authInfo };
    const { tools, dispatch } = await from.export('anthropic', options);
    const names = (tools as readonly { readonly name: string }[]).map(({ name }) => name);
    return { names, result: JSON.stringify(await dispatch(use('safe_open', {}))) };
  };

  test.each([
    ['nobody', undefined, undefined, ['safe_look']],
    ['a caller who may see all', undefined, admin, ['safe_look', 'safe_open']],
    ['a caller who may not', undefined, authInfoOf({ clientId: 'desk' }), ['safe_look']],
    ['whom auth.local trusts', 'trusted', undefined, ['safe_look', 'safe_open']],
    ['whom auth.local names', () => admin, undefined, ['safe_look', 'safe_open']],
    ['another one than auth.local names', () => admin, authInfoOf({ clientId: 'desk' }), ['safe_look']],
  ] as const)('has what %s may see, and runs that', async (_who, local, authInfo, expected) => {
    const { names, result } = await exported(await started(local), authInfo);
    expect(names).toEqual(expected);
    const isSeen = names.includes('safe_open');
    expect(result).toContain(isSeen ? 'opened for' : 'Unknown tool');
    // Nothing in it shows that there is more
    if (!isSeen) expect(result.replaceAll('\\"safe_open\\"', '')).not.toContain('safe_open');
  });

  test('runs nothing for a caller whose sign-in has expired since', async () => {
    const from = await started();
    const until = (seconds: number): AuthInfo => ({
      ...admin,
      expiresAt: Math.floor(Date.now() / 1000) + seconds,
    });
    expect((await exported(from, until(60))).result).toContain('opened for desk');
    expect((await exported(from, until(-1))).result).toContain('UNAUTHENTICATED');
    const { tools } = await from.export('ai-sdk', { authInfo: until(-1) });
    const result = await tools['safe_open']?.execute({}, { toolCallId: 'c1', messages: [] });
    expect(JSON.stringify(result)).toContain('UNAUTHENTICATED');
    const { call } = await from.export('code', { authInfo: until(-1) });
    await expect(call('safe.open')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('of one caller is not that of the next', async () => {
    const from = await started();
    expect((await exported(from, admin)).names).toContain('safe_open');
    expect((await exported(from)).names).not.toContain('safe_open');
  });
});

@ToolGroup({ name: 'stock_room', description: 'Count what is there' })
class StockRoom {
  @Action('Count one thing') count(order: Order): string {
    return `none of ${order.product}`;
  }
  @Action({ description: 'Say where it is', pin: true }) find(): string {
    return 'cellar';
  }
}

@ToolGroup('stock-room')
class OtherStockRoom {
  @Action('Burn it down') @Destructive() burn(): string {
    return 'burnt';
  }
}

@Module({ controllers: [StockRoom, OtherStockRoom] })
class StockModule {}

@ToolGroup('many')
class Many {}
for (let number = 0; number < 10; number += 1) {
  const name = `action${String(number)}`;
  Object.defineProperty(Many.prototype, name, { value: () => name });
  Action('Do something')(Many.prototype, name, { value: () => name });
}

@Module({ controllers: [Many] })
class ManyModule {}

describe('tools that a model searches for', () => {
  let stock: McpApplication;
  const models: SearchingModel[] = [];
  beforeAll(async () => {
    stock = await McpApplication.create(StockModule);
  });
  afterEach(() => {
    for (const model of models.splice(0)) model.close();
  });
  afterAll(() => stock.close());
  const start = async (name: string, args: object): Promise<SearchingModel> => {
    const model = await startSearchingModel({ name, args });
    models.push(model);
    return model;
  };

  test('are namespaces of the Responses API, and dispatched by the names that come back', async () => {
    const { url, requests } = await start('stock_room_count', { product: 'lamps', quantity: 1 });
    const client = new OpenAI({ apiKey: 'none', baseURL: url });
    const { tools, warnings, dispatch } = await stock.export('openai-responses', { deferred: true });
    expect(warnings.filter(({ feature }) => feature === 'name' || feature === 'namespace')).toEqual([]);
    const request = { model: 'searching', tools: tools as OpenAI.Responses.Tool[] };
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How many lamps?' }];
    const { output } = await client.responses.create({ ...request, input });
    expect(output.map(({ type }) => type)).toEqual([
      'tool_search_call',
      'tool_search_output',
      'function_call',
    ]);
    const result = (await dispatch(output.at(-1))) as OpenAI.Responses.ResponseInputItem.FunctionCallOutput;
    const all = [...input, ...(output as OpenAI.Responses.ResponseInput), result];
    expect(await client.responses.create({ ...request, input: all })).toMatchObject({
      output_text: 'none of lamps',
    });
    expect(requests[0]).toEqual([
      {
        ...{ type: 'namespace', name: 'stock_room', description: 'Count what is there' },
        tools: [
          expect.objectContaining({ type: 'function', name: 'stock_room_count', defer_loading: true }),
          expect.not.objectContaining({ defer_loading: true }),
        ],
      },
      {
        ...{ type: 'namespace', name: 'stock-room', description: 'The actions of stock-room' },
        tools: [expect.objectContaining({ name: 'stock-room_burn', defer_loading: true })],
      },
      { type: 'tool_search' },
    ]);
  });

  test('are deferred beside the search of the Messages API', async () => {
    const { url, requests } = await start('stock-room_burn', {});
    const client = new Anthropic({ apiKey: 'none', baseURL: url });
    const { tools, dispatch } = await stock.export('anthropic', { deferred: true });
    const request = { model: 'searching', max_tokens: 100, tools: tools as Anthropic.Tool[] };
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Burn it' }];
    const { content } = await client.messages.create({ ...request, messages });
    const call = content.find(({ type }) => type === 'tool_use');
    messages.push({ role: 'assistant', content: content as Anthropic.ContentBlockParam[] });
    messages.push({ role: 'user', content: [(await dispatch(call)) as Anthropic.ToolResultBlockParam] });
    const said = await client.messages.create({ ...request, messages });
    expect(JSON.stringify(said.content)).toContain('burnt');
    const deferral = (requests[0] ?? []).map((tool) => [tool['name'], tool['defer_loading']]);
    expect(deferral).toEqual([
      ['tool_search_tool_bm25', undefined],
      ['stock_room_count', true],
      ['stock_room_find', undefined],
      ['stock-room_burn', true],
    ]);
  });

  test.each([
    ['openai', {}],
    ['openai-responses', { expose: 'grouped' }],
    ['anthropic', { surface: 'grouped-by-risk' }],
    ['openai-responses', { describe: 'plain' }],
  ] as const)('are refused in the format %s with %j', async (format, options) => {
    const refused = stock.export(format, { ...options, deferred: true });
    await expect(refused).rejects.toMatchObject({ code: 'TW_APPLICATION_OPTION' });
  });

  test('have a warning where one namespace has many', async () => {
    const many = await McpApplication.create(ManyModule);
    const warnedOf = async (options: object): Promise<readonly string[]> => {
      const { warnings } = await many.export('openai-responses', { ...options, deferred: true });
      return warnings.flatMap(({ feature, toolId }) => (feature === 'namespace' ? [toolId] : []));
    };
    expect(await warnedOf({})).toEqual(['many']);
    expect(await warnedOf({ ignore: ['namespace'] })).toEqual([]);
    await many.close();
  });
});
