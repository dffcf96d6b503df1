import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import {
  Action,
  Complete,
  Destructive,
  McpApplication,
  Module,
  Prompt,
  Resource,
  Sensitive,
  ToolContext,
  ToolGroup,
} from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { openTelemetry } from 'toolwright/opentelemetry';
import { envelope, post2026 } from '../support/client-of-2026.ts';
import { filledIn } from '../support/task-requests.ts';
import { JSON_HEADERS, message, send } from '../support/raw-http.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Observatory } from '../support/open-telemetry.ts';

const SECRET = 'Zq9$ecret!PIN';
const MARK = SECRET.slice(0, 4);

class Card {
  @IsString() @MaxLength(8) @Sensitive() pin!: string;
}
class Named {
  @Expose({ name: 'PIN' }) @IsString() @MaxLength(8) @Sensitive() pin!: string;
}
class Changed {
  @Transform(({ value }) => (typeof value === 'string' ? `${value}0000` : (value as unknown)))
  @IsString()
  @MaxLength(8)
  @Sensitive()
  pin!: string;
}
class Numbered {
  @IsInt() @Min(1_000_000_000_000) @Sensitive() code!: number;
}
class Plain {
  @IsOptional() @IsString() note?: string;
}
class Wallet {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Card) cards!: Card[];
}

@ToolGroup('shop')
class ShopTools {
  @Action('Pays') pay(input: Card): never {
    throw new Error(`cannot pay with ${JSON.stringify(input)}`);
  }
  @Action('Notes') note(_input: Plain): string {
    return 'done';
  }
  @Action('Has another name') named(input: Named): never {
    throw new Error(`no ${JSON.stringify(input)}`);
  }
  @Action('Is changed') changed(_input: Changed): string {
    return 'done';
  }
  @Action('Is a number') numbered(input: Numbered): never {
    throw new Error(`no ${JSON.stringify(input)}`);
  }
  @Action({ description: 'Gives wrong cards', output: Wallet }) wallet(): object {
    return { cards: [{ pin: SECRET }, { pin: [SECRET] }] };
  }
  @Action('Asks first') @Destructive({ confirm: 'twice' }) twice(_input: Card): string {
    return 'done';
  }
  @Action('Asks for a card') async asks(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Card, 'Which?');
    throw new Error(`no ${JSON.stringify(answer)}`);
  }
  @Prompt('Greets') greet(input: Card): never {
    throw new Error(`no ${input.pin}`);
  }
  @Complete('greet', 'pin') complete(value: string): never {
    throw new Error(`no ${value}`);
  }
  @Resource('vault://{pin}/open', { name: 'vault' }) open(input: Card): never {
    throw new Error(`no ${input.pin}`);
  }
}
@ToolGroup('calm')
class CalmTools {
  @Prompt('Is plain') plain(_input: Plain): string {
    return 'done';
  }
  @Complete('plain', 'note') complete(value: string): readonly string[] {
    return [value];
  }
  @Action('Notes') write(_input: Plain): string {
    return 'done';
  }
}
@ToolGroup({ name: 'flat', expose: 'flat' })
class FlatTools {
  @Action('Pays') pay(_input: Card): string {
    return 'done';
  }
  @Action('Notes') note(_input: Plain): string {
    return 'done';
  }
}
@Module({ controllers: [ShopTools, CalmTools, FlatTools] })
class ShopModule {}

const sky = new Observatory();
const logger = new MemoryLogger();
const audited = new InMemoryAuditStore();
let app: McpApplication;
let url: string;
let watching: ReadableStreamDefaultReader<Uint8Array>;

beforeAll(async () => {
  const { tracerProvider, meterProvider } = sky;
  app = await McpApplication.create(ShopModule, {
    logger,
    maskErrors: false,
    accessLog: true,
    audit: { store: audited, arguments: true },
    telemetry: openTelemetry({
      tracerProvider,
      meterProvider,
      attributes: { arguments: true, result: true },
    }),
  });
  const serving = await app.listen({ port: 0, explorer: true, signals: false, sessions: false });
  url = serving.url;
  const [page = '', token = ''] = (serving.explorer ?? '').split('#token=');
  const events = await fetch(`${page}/api/events`, { headers: { 'toolwright-explorer-token': token } });
  watching = (events.body as ReadableStream<Uint8Array>).getReader();
});
afterAll(async () => {
  await watching.cancel();
  await app.close();
  await sky.close();
});

let ends = 0;

async function said(body: string): Promise<Readonly<Record<string, string>>> {
  // What the explorer shows of it comes before what it shows of the next call
  const end = `end-${String((ends += 1))}`;
  await post2026(url, 'tools/call', { name: 'calm', arguments: { action: 'write', note: end } });
  let seen = '';
  while (!seen.includes(end)) seen += new TextDecoder().decode((await watching.read()).value);
  const shown = { depth: 12, maxStringLength: null, maxArrayLength: null };
  const spans = sky.takeSpans().map(({ name, attributes, events }) => [name, attributes, events]);
  return {
    answer: body,
    log: inspect(logger.records.splice(0), shown),
    spans: inspect(spans, shown),
    audit: audited.lines.join('\n'),
    explorer: seen,
  };
}

type Sent = readonly [method: string, params: object];
const tool = (action: string, args: object = {}): Sent => [
  'tools/call',
  { name: 'shop', arguments: { action, ...args } },
];
const calm = (args: object): Sent => [
  'tools/call',
  { name: 'calm', arguments: { action: 'write', ...args } },
];
const REQUESTS: Readonly<Record<string, Sent>> = {
  'the right field': tool('pay', { pin: SECRET }),
  'a misspelt field': tool('pay', { pni: SECRET }),
  'a field of another action': tool('note', { pin: SECRET }),
  'a field of another flat tool': ['tools/call', { name: 'flat_note', arguments: { pin: SECRET } }],
  'a field of another group': calm({ pin: SECRET }),
  'a field of another group, by the name of the class': calm({ pin: SECRET, PIN: SECRET }),
  'what holds a field of another group': calm({ cards: [{ pin: SECRET }] }),
  'a field of another group in a declared one': calm({ note: { deep: [{ pin: SECRET }] } }),
  'a field of another group without an action': ['tools/call', { name: 'calm', arguments: { pin: SECRET } }],
  'a field of another group for an unknown action': calm({ pin: SECRET, action: 'none' }),
  'a field of a tool for a prompt': ['prompts/get', { name: 'plain', arguments: { pin: SECRET } }],
  'a field of a tool for a completion': [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'plain' },
      argument: { name: 'note', value: 'x' },
      context: { arguments: { pin: SECRET } },
    },
  ],
  'a misspelt action': tool('pya', { pin: SECRET }),
  'no action': ['tools/call', { name: 'shop', arguments: { pin: SECRET } }],
  'a misspelt tool': ['tools/call', { name: 'shpo', arguments: { action: 'pay', pin: SECRET } }],
  'another name': tool('named', { PIN: SECRET }),
  'the name of the class': tool('named', { pin: SECRET }),
  'a changed value': tool('changed', { pin: SECRET }),
  'a text for a number': tool('numbered', { code: SECRET }),
  'a list for a text': tool('pay', { pin: [SECRET] }),
  'a wrong result': tool('wallet'),
  'a preview': tool('twice', { pin: 'Zq9$' }),
  'an answer': [
    'tools/call',
    {
      name: 'shop',
      arguments: { action: 'asks' },
      inputResponses: { 'ask-1': filledIn({ pin: SECRET }) },
      _meta: envelope({ elicitation: {} }),
    },
  ],
  'a prompt': ['prompts/get', { name: 'greet', arguments: { pin: SECRET } }],
  'a prompt that fails': ['prompts/get', { name: 'greet', arguments: { pin: 'Zq9$' } }],
  'an unknown argument of a prompt': ['prompts/get', { name: 'greet', arguments: { pni: SECRET } }],
  'a misspelt prompt': ['prompts/get', { name: 'greeet', arguments: { pin: SECRET } }],
  'a completion': [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'pin', value: SECRET } },
  ],
  'a completion of a misspelt argument': [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'pni', value: SECRET } },
  ],
  'a completion of a misspelt prompt': [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greeet' }, argument: { name: 'pin', value: SECRET } },
  ],
  'a resource': ['resources/read', { uri: `vault://${SECRET}/open` }],
  'a resource, escaped': ['resources/read', { uri: `vault://${encodeURIComponent(SECRET)}/open` }],
  'a misspelt resource': ['resources/read', { uri: `vault://${SECRET}/opne` }],
  'a subscription': ['resources/subscribe', { uri: `vault://${SECRET}/open` }],
  'an unknown method': ['tools/cal', { name: 'shop', arguments: { action: 'pay', pin: SECRET } }],
};

test.each(Object.keys(REQUESTS))('2026: %s', async (kind) => {
  const [method, params] = REQUESTS[kind] as Sent;
  const { body } = await post2026(url, method, params);
  const all = await said(body);
  const telling = Object.keys(all).filter((where) => all[where]?.includes(MARK) === true);
  expect(telling.map((where) => `${where}: ${excerpt(all[where])}`)).toEqual([]);
});
test.each(Object.keys(REQUESTS))('2025: %s', async (kind) => {
  const [method, params] = REQUESTS[kind] as Sent;
  const { body } = await send(url, {
    body: message(method, { ...params, _meta: undefined }),
    headers: JSON_HEADERS,
  });
  const all = await said(body);
  const telling = Object.keys(all).filter((where) => all[where]?.includes(MARK) === true);
  expect(telling.map((where) => `${where}: ${excerpt(all[where])}`)).toEqual([]);
});
test('a short value, which is looked for nowhere else', async () => {
  const [method, params] = calm({ note: { deep: [{ pin: '§7' }] } });
  const { body } = await post2026(url, method, params);
  expect(JSON.stringify(await said(body))).not.toContain('§7');
});
function excerpt(text = ''): string {
  const at = text.indexOf(MARK);
  return text.slice(Math.max(0, at - 150), at + 60);
}
