import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsBoolean } from 'class-validator';
import { Action, Injectable, Module, ToolContext, ToolGroup, type CallToolResult } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { factsOf, textOf } from '../fixtures/text-of.ts';

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

@Module({ controllers: [BasketTools], providers: [Basket] })
class ShopModule {}

let shop: TestApplication;

beforeAll(async () => {
  shop = await createTestApplication(ShopModule);
});
afterAll(() => shop.close());

async function clearBoth(application: TestApplication): Promise<readonly string[]> {
  const client = await application.connect({
    onElicitation: () => ({ action: 'accept', content: { isSure: true } }),
  });
  const answers = await Promise.all(
    ['a', 'b'].map((basket) =>
      client.callTool({ name: 'basket', arguments: { action: 'clear' }, _meta: { basket } }),
    ),
  );
  return answers.map((answer) => textOf(answer as CallToolResult));
}

test('a request-scoped controller asks, and is another one when it has the answer', async () => {
  events.length = 0;
  expect(await clearBoth(shop)).toEqual(['a is clear', 'b is clear']);
  for (const basket of ['a', 'b']) {
    const ofBasket = events.filter((event) => event.endsWith(` ${basket}`));
    expect(ofBasket).toEqual([`disposed ${basket}`, `answered ${basket}`, `disposed ${basket}`]);
  }
});

test('a request-scoped controller asks, and its instances live until the answer of a client that waits', async () => {
  events.length = 0;
  const waiting = await createTestApplication(ShopModule, { replay: false });
  expect(await clearBoth(waiting)).toEqual(['a is clear', 'b is clear']);
  for (const basket of ['a', 'b']) {
    const ofBasket = events.filter((event) => event.endsWith(` ${basket}`));
    expect(ofBasket).toEqual([`answered ${basket}`, `disposed ${basket}`]);
  }
  await waiting.close();
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
    const result = await shop.call('basket', { action: 'clear' }, { client });
    expect(factsOf(result)).toMatchObject({ code: 'CLIENT_UNREACHABLE' });
  });
});
