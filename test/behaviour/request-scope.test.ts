import { expect, test, afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import { IsInt, IsString, IsBoolean } from 'class-validator';
import {
  Action,
  Injectable,
  Middleware,
  Module,
  ToolContext,
  ToolGroup,
  type CallToolResult,
  type MiddlewareCall,
  type Next,
  McpApplication,
  type ApplicationOptions,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { textOf, factsOf } from '../support/text-of.ts';
import { tries } from '../support/thorough.ts';

const disposed = new Map<string, number>();

class Order {
  @IsString() caller!: string;
  @IsInt() pause!: number;
}

@Injectable({ scope: 'request' })
class Session {
  readonly caller: string;
  notes: string[] = [];

  constructor(ctx: ToolContext) {
    this.caller = String(ctx.meta['caller']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve();
    disposed.set(this.caller, (disposed.get(this.caller) ?? 0) + 1);
  }
}

@Injectable({ scope: 'request' })
class Basket {
  constructor(readonly session: Session) {}
}

@Injectable({ scope: 'request' })
class Remember {
  constructor(private readonly session: Session) {}

  async use(call: MiddlewareCall, next: Next): Promise<unknown> {
    this.session.notes.push((call.input as Order).caller);
    return next();
  }
}

@Injectable({ scope: 'request' })
@ToolGroup('shop')
class ShopTools {
  constructor(private readonly basket: Basket) {}

  @Action()
  @Middleware(Remember)
  async order(input: Order, session: Session): Promise<object> {
    for (let round = 0; round < input.pause; round += 1)
      await new Promise((resolve) => setImmediate(resolve));
    return {
      input: input.caller,
      session: session.caller,
      basket: this.basket.session.caller,
      isSame: this.basket.session === session,
      notes: session.notes,
    };
  }
}

@Module({ controllers: [ShopTools], providers: [Session, Basket, Remember] })
class ShopModule {}

const CALLS = tries(300, 10_000);

test(`${String(CALLS)} concurrent calls by distinct callers never cross, and each scoped instance is disposed once`, async () => {
  const shop = await createTestApplication(ShopModule);
  disposed.clear();
  const callers = Array.from({ length: CALLS }, (_, index) => `caller-${String(index)}`);
  const answers = await Promise.all(
    callers.map((caller, index) =>
      shop.call('shop', { action: 'order', caller, pause: index % 3 }, { meta: { caller } }),
    ),
  );
  const wrong = answers.filter((answer, index) => {
    const caller = callers[index];
    const expected = { input: caller, session: caller, basket: caller, isSame: true, notes: [caller] };
    return JSON.stringify(JSON.parse(textOf(answer))) !== JSON.stringify(expected);
  });
  expect(wrong).toEqual([]);
  expect(disposed.size).toBe(CALLS);
  expect([...disposed.values()].every((times) => times === 1)).toBe(true);
  await shop.close();
});

test.each(CONNECTIONS)('$name: 100 concurrent calls of one client have a scope each', async (kind) => {
  const shop = await createConnectedApplication(kind, ShopModule);
  const client = await shop.client();
  disposed.clear();
  const callers = Array.from({ length: 100 }, (_, index) => `caller-${String(index)}`);
  const answers = await Promise.all(
    callers.map((caller, index) =>
      client.callTool({
        name: 'shop',
        arguments: { action: 'order', caller, pause: index % 3 },
        _meta: { caller },
      }),
    ),
  );
  expect(answers.map((answer) => JSON.parse(textOf(answer as CallToolResult)) as unknown)).toEqual(
    callers.map((caller) => ({
      input: caller,
      session: caller,
      basket: caller,
      isSame: true,
      notes: [caller],
    })),
  );
  expect(disposed).toEqual(new Map(callers.map((caller) => [caller, 1])));
  await shop.close();
});

describe('questions in request scope', () => {
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
});
