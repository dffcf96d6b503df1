import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import {
  Action,
  Idempotent,
  InMemoryStore,
  InMemoryTaskStore,
  McpApplication,
  Module,
  Sensitive,
  ToolContext,
  ToolGroup,
} from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { openTelemetry } from 'toolwright/opentelemetry';
import { post2026 } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Observatory } from '../support/open-telemetry.ts';

const SECRET = 'Zq9$ecret!PIN';

class Card {
  @IsString() @MaxLength(20) @Sensitive() pin!: string;
}
class Strict {
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Card) cards?: Card[];
  @IsOptional() @ValidateNested() @Type(() => Card) card?: Card;
  @IsOptional() @IsString() note?: string;
}
/** Accepts one object for a list, as class-validator does. */
class Loose {
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Card) cards?: Card[];
}

@ToolGroup('shop')
class ShopTools {
  @Action('Pays') pay(input: Strict): never {
    throw new Error(`cannot pay with ${JSON.stringify(input)}`);
  }
  @Action('Pays once') @Idempotent({ key: 'arguments' }) once(input: Loose): never {
    throw new Error(`cannot pay with ${JSON.stringify(input)}`);
  }
  @Action({ description: 'Pays later', task: 'on-demand' })
  async later(input: Loose, ctx: ToolContext): Promise<never> {
    await ctx.startTask();
    throw new Error(`cannot pay with ${JSON.stringify(input)}`);
  }
}
@Module({ controllers: [ShopTools] })
class ShopModule {}

/** A store, and the texts of what it is given. */
function watched<Store extends object>(store: Store, given: string[]): Store {
  return new Proxy(store, {
    get: (_, name) => {
      const member: unknown = Reflect.get(store, name, store);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        given.push(inspect(args, { depth: 9, maxStringLength: null }));
        return Reflect.apply(member, store, args);
      };
    },
  });
}

const sky = new Observatory();
const logger = new MemoryLogger();
const audited = new InMemoryAuditStore();
const kept: string[] = [];
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
    backplane: {
      store: watched(new InMemoryStore(), kept),
      tasks: watched(new InMemoryTaskStore(), kept),
    },
    telemetry: openTelemetry({
      tracerProvider,
      meterProvider,
      attributes: { arguments: true, result: true },
    }),
  });
  const serving = await app.listen({ port: 0, explorer: true, signals: false });
  url = serving.url;
  const [page = '', token = ''] = (serving.explorer ?? '').split('#token=');
  const events = await fetch(`${page}/api/events`, { headers: { 'toolwright-explorer-token': token } });
  watching = (events.body as ReadableStream<Uint8Array>).getReader();
  await watching.read();
});
afterAll(async () => {
  await watching.cancel();
  await app.close();
  await sky.close();
});

async function call(args: object): Promise<Readonly<Record<string, string>>> {
  const { body } = await post2026(url, 'tools/call', { name: 'shop', arguments: args });
  let seen = '';
  while (!seen.includes('"traffic"')) seen += new TextDecoder().decode((await watching.read()).value);
  const shown = { depth: 12, maxStringLength: null, maxArrayLength: null };
  const spans = sky.takeSpans().map(({ name, attributes, events }) => [name, attributes, events]);
  return {
    answer: body,
    log: inspect(logger.records.splice(0), shown),
    spans: inspect(spans, shown),
    audit: audited.lines.join('\n'),
    stores: kept.splice(0).join('\n'),
    explorer: seen,
  };
}

const WRONG: Readonly<Record<string, unknown>> = {
  'an object for a list': { cards: { pin: SECRET } },
  'an object for a list, beside others': { cards: { pin: SECRET, other: 1 }, note: 7 },
  'a list for an object': { card: [{ pin: SECRET }] },
  'lists in a list': { cards: [[{ pin: SECRET }]] },
  'a text': { card: SECRET },
  'JSON as text': { cards: JSON.stringify([{ pin: SECRET }]) },
  'an object for the value': { card: { pin: { pin: [SECRET] } } },
  'an object in another field': { note: { pin: SECRET } },
  'null beside it': { cards: [null, { pin: SECRET }] },
  'a misspelt name': { crad: { pin: SECRET }, card: { pni: SECRET } },
};

test.each(Object.keys(WRONG))(
  'nothing that is said or kept has a value that was sent as %s',
  async (kind) => {
    for (const action of ['pay', 'once', 'later']) {
      const said = await call({ action, ...(WRONG[kind] as object) });
      const telling = Object.keys(said).filter((where) => said[where]?.includes(SECRET.slice(0, 4)) === true);
      expect(telling).toEqual([]);
      expect(said['answer']).toMatch(/isError|resultType/);
      expect(said['spans']).toContain('[redacted]');
      expect(said['explorer']).toContain('[redacted]');
    }
  },
);
