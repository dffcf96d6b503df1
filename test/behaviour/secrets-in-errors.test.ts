import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsString, ValidateNested, IsArray, MaxLength } from 'class-validator';
import * as fc from 'fast-check';
import {
  Action,
  type LogRecord,
  McpApplication,
  Module,
  Prompt,
  Resource,
  Sensitive,
  ToolError,
  ToolGroup,
  Idempotent,
  InMemoryStore,
  Policy,
  RateLimit,
  Scopes,
  ToolContext,
} from 'toolwright';
import { ApplicationError } from '../../src/errors/problem-list.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { post2026 } from '../support/client-of-2026.ts';
import { rejectionOf } from '../support/thrown.ts';
import { openTelemetry } from 'toolwright/opentelemetry';
import { Observatory } from '../support/open-telemetry.ts';
import { createAppWithCallers, type AppWithCallers } from '../support/callers.ts';

const KEY = 'sk-live-0123456789';
const TOKEN = 'token-of-anna-0123456789';
const PIN = 'pin-4711-0815-99';

class Card {
  @IsString() @Sensitive() pin!: string;
}
class Payment {
  @IsString() how!: string;
  @IsOptional() @ValidateNested() @Type(() => Card) card?: Card;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Card) cards?: Card[];
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Card) byName?: Map<string, Card>;
  @IsOptional() @IsObject() @Sensitive() extra?: object;
}

function failing(how: string): unknown {
  const all = `${KEY} ${TOKEN} ${PIN}`;
  if (how === 'declared')
    return new ToolError('NO', `no ${all}`, { suggestion: all, details: { at: [all] } });
  return how === 'text' ? `no ${all}` : new Error('no', { cause: new Error(`because of ${all}`) });
}

@ToolGroup('shop')
class ShopTools {
  @Action('Pays') async pay({ how }: Payment): Promise<string> {
    await Promise.resolve();
    throw how === 'message' ? new Error(`no ${KEY} ${TOKEN} ${PIN}`) : failing(how);
  }
  @Prompt('Explains') explain(): string {
    throw new Error(`no ${KEY} ${TOKEN}`);
  }
}
@Module({ controllers: [ShopTools] })
class ShopModule {}

const logger = new MemoryLogger();
let app: McpApplication;
let url: string;

beforeAll(async () => {
  app = await McpApplication.create(ShopModule, { logger, redact: { secrets: [KEY, undefined] } });
  const authenticate = () => ({ token: TOKEN, clientId: 'anna', scopes: [] });
  ({ url } = await app.listen({ port: 0, signals: false, authenticate }));
});
afterAll(() => app.close());

const said = (): string => {
  const records: readonly LogRecord[] = logger.records.splice(0);
  return inspect(records, { depth: 9 });
};

const PLACES: readonly (readonly [string, object])[] = [
  ['an object', { card: { pin: PIN } }],
  ['a list', { cards: [{ pin: 'other' }, { pin: PIN }] }],
  ['a map', { byName: { 'a.b': { pin: ` ${PIN} ` } } }],
  ['a sensitive object', { extra: { deep: [PIN] } }],
];

describe.each(['message', 'cause', 'text', 'declared'])('an error with secrets in its %s', (how) => {
  test.each(PLACES)('shows none of them to the client or in the log: a value in %s', async (_name, given) => {
    const { body } = await post2026(url, 'tools/call', {
      name: 'shop',
      arguments: { action: 'pay', how, ...given },
    });
    expect(body).toContain('no');
    const log = said();
    expect(log.includes('call.failed')).toBe(how !== 'declared');
    for (const secret of [KEY, TOKEN, PIN]) expect(body + log).not.toContain(secret);
  });
});

test('an error of a prompt shows no secret', async () => {
  const { body } = await post2026(url, 'prompts/get', { name: 'explain', arguments: {} });
  expect(body).toContain('no [redacted] [redacted]');
  expect(said()).not.toMatch(/sk-live|token-of/);
});

test.each<[string, unknown]>([
  ['all arguments', JSON.stringify({ pin: PIN })],
  ['an object with a sensitive field', { action: 'pay', how: 'x', card: `{"pin":"${PIN}"}` }],
  ['a list of them', { action: 'pay', how: 'x', cards: PIN }],
])('a text in the place of %s is not quoted', async (_name, args) => {
  const { body } = await post2026(url, 'tools/call', { name: 'shop', arguments: args });
  expect(body).toMatch(/must be|is not valid/);
  expect(body + said()).not.toContain('pin-4711');
});

test('a secret of fewer than four characters is refused at the start, and not shown', async () => {
  const made = McpApplication.create(ShopModule, { redact: { secrets: ['ab!'] } });
  const { message } = await rejectionOf(made, ApplicationError);
  expect(message).toMatch(/TW_APPLICATION_OPTION.*redact\.secrets/);
  expect(message).not.toContain('ab!');
});

describe('all that a server says and keeps', () => {
  class Card {
    @IsString() @MaxLength(24) @Sensitive() pin!: string;
  }
  class Payment {
    @IsOptional() @IsString() @MaxLength(24) @Sensitive() code?: string;
    @IsOptional() @ValidateNested() @Type(() => Card) card?: Card;
    @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Card) cards?: Card[];
  }

  class Coded {
    @IsString() @MaxLength(24) @Sensitive() code!: string;
  }

  function fail(input: object, ctx: ToolContext): never {
    const seen = [JSON.stringify(input), ctx.header('authorization')].join(' ');
    throw Object.assign(new Error(`failed: ${seen}`, { cause: seen }), { config: { headers: [seen] } });
  }

  @ToolGroup('shop')
  class ShopTools {
    @Action('Pays') @Scopes('pay') pay(input: Payment, ctx: ToolContext): never {
      return fail(input, ctx);
    }
    @Action('Pays once') @Idempotent({ key: 'arguments' }) once(_input: Payment): string {
      return 'paid';
    }
    @Action('Fails once') @Idempotent({ key: 'arguments' }) failOnce(
      input: Payment,
      ctx: ToolContext,
    ): never {
      return fail(input, ctx);
    }
    @Action('Is not allowed') @Policy((_caller, input, ctx) => fail(input, ctx)) never(
      _input: Payment,
    ): string {
      return 'never';
    }
    @Action('Gives back') echo(input: Payment): object {
      return { seen: Object.assign({}, input) };
    }
    @Action({ description: 'Pays later', task: 'on-demand' }) async later(
      input: Payment,
      ctx: ToolContext,
    ): Promise<never> {
      await ctx.startTask();
      return fail(input, ctx);
    }
    @Prompt('Explains') explain(input: Coded, ctx: ToolContext): never {
      return fail(input, ctx);
    }
    @Resource('shop://cards/{code}') card(input: Coded, ctx: ToolContext): never {
      return fail(input, ctx);
    }
    @Action('Is limited') @RateLimit({ limit: 1, per: 'day', by: 'all' }) rare(_input: Payment): string {
      return 'rare';
    }
  }
  @Module({ controllers: [ShopTools] })
  class ShopModule {}

  /** Shows what it was given. */
  class OpenStore extends InMemoryStore {
    readonly given: unknown[] = [];

    override put(...given: Parameters<InMemoryStore['put']>) {
      this.given.push(given);
      return super.put(...given);
    }
  }

  const SHOWN = { arguments: true, result: true, tenant: true, endUserKey: 'a key' };
  const sky = new Observatory();
  const { tracerProvider, meterProvider } = sky;
  const reported: unknown[] = [];
  const store = new OpenStore();
  let served: AppWithCallers;

  beforeAll(async () => {
    const telemetry = openTelemetry({ tracerProvider, meterProvider, attributes: SHOWN });
    served = await createAppWithCallers(
      ShopModule,
      {},
      {
        maskErrors: false,
        backplane: { store },
        accessLog: true,
        onError: (...given) => reported.push(given),
        telemetry,
      },
    );
  });
  afterAll(async () => {
    await served.app.close();
    await sky.close();
  });

  /** Of what an answer alone may repeat, nothing is in spans, metrics, logs and reports. */
  async function seen(): Promise<string> {
    const shown = { depth: 12, maxStringLength: null, maxArrayLength: null };
    const spans = sky
      .takeSpans()
      .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
    return inspect([served.logger.records.splice(0), reported.splice(0), spans], shown);
  }

  const secret = fc.stringMatching(/^[a-z0-9]{12,28}$/).map((rest) => `zq7${rest}`);
  const place = fc.constantFrom<(value: string) => unknown>(
    (code) => ({ code }),
    (pin) => ({ card: { pin } }),
    (pin) => ({ cards: [{ pin: 'other' }, { pin }] }),
    (card) => ({ card }),
    (cards) => ({ cards }),
    (misspelt) => ({ cod: misspelt }),
    (pinn) => ({ card: { pinn } }),
    (pin) => ({ cards: { pin } }),
    (pin) => ({ cards: { pin, other: 1 } }),
    (pin) => ({ card: [{ pin }] }),
    (pin) => ({ cards: [[{ pin }]] }),
    (pin) => ({ card: { pin: { pin: [pin] } } }),
    (pin) => ({ code: { pin } }),
    (pin) => ({ cards: JSON.stringify([{ pin }]) }),
    (pin) => ({ crad: { pin } }),
    (text) => text,
  );
  const action = fc.constantFrom('pay', 'once', 'failOnce', 'never', 'rare', 'later');

  test('what callers send in secret is in no answer, no log record and no store, in either era', async () => {
    await fc.assert(
      fc.asyncProperty(
        secret,
        secret,
        place,
        action,
        fc.boolean(),
        fc.constantFrom([], ['pay']),
        async (value, sub, put, key, is2026, scopes) => {
          const given = put(value);
          const args = typeof given === 'string' ? given : { action: key, ...(given as object) };
          const caller = { sub, scopes };
          const { body } = is2026
            ? await served.ask(caller, 'tools/call', { name: 'shop', arguments: args })
            : await served.callTool2025(caller, 'shop', args as object);
          const shown = { depth: 12, maxStringLength: null };
          const said = body + (await seen());
          const kept = inspect(store.given.splice(0), shown);
          const token = Buffer.from(JSON.stringify(caller)).toString('base64url');
          for (const hidden of [value, token]) expect(said + kept).not.toContain(hidden);
          expect(said).not.toContain(sub);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('what prompts, templates and results were given in secret is in no log, report and span', async () => {
    await fc.assert(
      fc.asyncProperty(secret, fc.constantFrom('prompt', 'resource', 'echo'), async (value, what) => {
        const caller = { sub: 'ada', scopes: [] };
        const requests: Record<string, [string, object]> = {
          prompt: ['prompts/get', { name: 'explain', arguments: { code: value } }],
          resource: ['resources/read', { uri: `shop://cards/${value}` }],
          echo: ['tools/call', { name: 'shop', arguments: { action: 'echo', card: { pin: value } } }],
        };
        await served.ask(caller, ...(requests[what] as [string, object]));
        expect(await seen()).not.toContain(value);
      }),
      { numRuns: 90 },
    );
  });
});
