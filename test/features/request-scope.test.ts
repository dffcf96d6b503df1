import { expect, test } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
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
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { textOf } from '../support/text-of.ts';

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

test('10,000 concurrent calls by distinct callers never cross, and each scoped instance is disposed once', async () => {
  const shop = await createTestApplication(ShopModule);
  const callers = Array.from({ length: 10_000 }, (_, index) => `caller-${String(index)}`);
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
  expect(disposed.size).toBe(10_000);
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
