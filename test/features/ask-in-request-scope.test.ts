import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IsBoolean } from 'class-validator';
import {
  Action,
  Injectable,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
} from 'toolwright';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { factsOf, textOf } from '../support/text-of.ts';

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

beforeEach(() => {
  events.length = 0;
});

describe.each(CONNECTIONS)('$name: a request-scoped controller', (kind) => {
  async function clearBoth(options: ApplicationOptions): Promise<readonly CallToolResult[]> {
    const shop = await createConnectedApplication(kind, ShopModule, options);
    const client = await shop.connect({
      onElicitation: () => ({ action: 'accept', content: { isSure: true } }),
    });
    const answers = await Promise.all(
      ['a', 'b'].map((basket) =>
        client.callTool({ name: 'basket', arguments: { action: 'clear' }, _meta: { basket } }),
      ),
    );
    await shop.close();
    return answers as CallToolResult[];
  }

  /** What happens for each of the baskets; a client that cannot be asked gets an error at once. */
  async function expectEvents(options: ApplicationOptions, happened: readonly string[]): Promise<void> {
    const answers = await clearBoth(options);
    for (const [index, basket] of ['a', 'b'].entries()) {
      const ofBasket = events.filter((event) => event.endsWith(` ${basket}`));
      if (kind.canBeAsked) {
        expect(textOf(answers[index]!)).toBe(`${basket} is clear`);
        expect(ofBasket).toEqual(happened.map((event) => `${event} ${basket}`));
      } else {
        expect(factsOf(answers[index]!)).toMatchObject({ code: 'CLIENT_CAPABILITY_MISSING' });
        expect(ofBasket).toEqual([`disposed ${basket}`]);
      }
    }
  }

  test('asks, and is another one when it has the answer', () =>
    expectEvents({ replay: true }, ['disposed', 'answered', 'disposed']));

  test('asks, and its instances live until the answer of a client that waits', () =>
    // Nobody waits in 2026: the client calls again.
    expectEvents(
      { replay: false },
      kind.era === '2026' ? ['disposed', 'answered', 'disposed'] : ['answered', 'disposed'],
    ));
});

describe('a call from inside the process', () => {
  let shop: McpApplication;

  beforeAll(async () => {
    shop = await McpApplication.create(ShopModule);
  });
  afterAll(() => shop.close());

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

  test('without an answerer is an error', async () => {
    const result = await shop.call('basket', { action: 'clear' }, { client });
    expect(factsOf(result)).toMatchObject({ code: 'CLIENT_UNREACHABLE' });
  });
});
