import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import * as fc from 'fast-check';
import {
  Action,
  Idempotent,
  InMemoryIdempotencyStore,
  Module,
  Policy,
  RateLimit,
  Scopes,
  Sensitive,
  ToolContext,
  ToolGroup,
} from 'toolwright';
import { createAppWithCallers, type AppWithCallers } from '../support/callers.ts';

class Card {
  @IsString() @MaxLength(24) @Sensitive() pin!: string;
}
class Payment {
  @IsOptional() @IsString() @MaxLength(24) @Sensitive() code?: string;
  @IsOptional() @ValidateNested() @Type(() => Card) card?: Card;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Card) cards?: Card[];
}

function fail(input: Payment, ctx: ToolContext): never {
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
  @Action('Fails once') @Idempotent({ key: 'arguments' }) failOnce(input: Payment, ctx: ToolContext): never {
    return fail(input, ctx);
  }
  @Action('Is not allowed') @Policy((_caller, input, ctx) => fail(input, ctx)) never(
    _input: Payment,
  ): string {
    return 'never';
  }
  @Action('Is limited') @RateLimit({ limit: 1, per: 'day', by: 'all' }) rare(_input: Payment): string {
    return 'rare';
  }
}
@Module({ controllers: [ShopTools] })
class ShopModule {}

/** Shows what it was given. */
class OpenStore extends InMemoryIdempotencyStore {
  readonly given: unknown[] = [];

  override claim(...given: Parameters<InMemoryIdempotencyStore['claim']>) {
    this.given.push(given);
    return super.claim(...given);
  }
  override replace(...given: Parameters<InMemoryIdempotencyStore['replace']>) {
    this.given.push(given);
    return super.replace(...given);
  }
}

const store = new OpenStore();
let served: AppWithCallers;

beforeAll(async () => {
  served = await createAppWithCallers(ShopModule, {}, { maskErrors: false, idempotency: { store } });
});
afterAll(() => served.app.close());

const secret = fc.stringMatching(/^[a-z0-9]{12,28}$/).map((rest) => `zq7${rest}`);
const place = fc.constantFrom<(value: string) => unknown>(
  (code) => ({ code }),
  (pin) => ({ card: { pin } }),
  (pin) => ({ cards: [{ pin: 'other' }, { pin }] }),
  (card) => ({ card }),
  (cards) => ({ cards }),
  (misspelt) => ({ cod: misspelt }),
  (pinn) => ({ card: { pinn } }),
  (text) => text,
);
const action = fc.constantFrom('pay', 'once', 'failOnce', 'never', 'rare');

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
        const said = body + inspect(served.logger.records.splice(0), shown);
        const kept = inspect(store.given.splice(0), shown);
        const token = Buffer.from(JSON.stringify(caller)).toString('base64url');
        for (const hidden of [value, token]) expect(said + kept).not.toContain(hidden);
        expect(said).not.toContain(sub);
      },
    ),
    { numRuns: 150 },
  );
});
