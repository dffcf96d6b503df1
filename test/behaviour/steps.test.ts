import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { IsString } from 'class-validator';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Action,
  createTool,
  createContextFactory,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  ToolRegistry,
  type CallToolResult,
} from 'toolwright';
import { FakeToolContext } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { connect2026 } from '../support/app-of-2026.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Card {
  @IsString() card!: string;
}

let charged: string[] = [];

@ToolGroup('orders')
class OrderTools {
  @Action() async order(ctx: ToolContext): Promise<string> {
    const id = await ctx.step('reserve', async () => {
      await pause(1);
      return `order-${String(charged.push('reserved'))}`;
    });
    const answer = await ctx.ask(Card, `Which card for ${id}?`);
    if (answer.action !== 'accept') return answer.action;
    const { at } = await ctx.step('charge', () => {
      charged.push(answer.content.card);
      return { at: new Date(0).toISOString() };
    });
    const sure = await ctx.ask(Card, `Charged at ${at}. Write the number again`);
    return `${id}, ${sure.action}`;
  }

  @Action() async when(ctx: ToolContext): Promise<string> {
    return String(await ctx.step('when', () => new Date(0)));
  }
}

@Module({ controllers: [OrderTools] })
class OrderModule {}

const logger = new MemoryLogger();
const CAPABILITIES = { elicitation: {} };
let app: McpApplication;
let client: Client;

const filledIn = (asking: Client): Client => {
  asking.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { card: '42' } }));
  return asking;
};

beforeAll(async () => {
  app = await McpApplication.create(OrderModule, { logger });
  client = filledIn(await connect2026(app, { capabilities: CAPABILITIES }));
});
afterAll(async () => {
  await client.close();
  await app.close();
});
beforeEach(() => {
  charged = [];
});

describe('a step', () => {
  test('is done once for a client that calls again', async () => {
    const result = await client.callTool({ name: 'orders', arguments: { action: 'order' } });
    expect(textOf(result as CallToolResult)).toBe('order-1, accept');
    expect(charged).toEqual(['reserved', '42']);
  });

  test('is done once for a client that is asked while it runs', async () => {
    const result = await app.call(
      'orders',
      { action: 'order' },
      {
        client: { capabilities: CAPABILITIES },
        onRequest: () => ({ action: 'accept', content: { card: '42' } }),
      },
    );
    expect(textOf(result)).toBe('order-1, accept');
    expect(charged).toEqual(['reserved', '42']);
  });

  test('says what is wrong with its value, in every era', async () => {
    const results = [
      await app.call('orders', { action: 'when' }),
      (await client.callTool({ name: 'orders', arguments: { action: 'when' } })) as CallToolResult,
    ];
    for (const result of results) {
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('step "when" gave a value that has an instance of Date as a whole');
    }
  });

  test('is done by the context of unit tests, which remembers its name', async () => {
    const ctx = new FakeToolContext({
      answers: [{ action: 'accept', content: { card: '7' } }, { action: 'cancel' }],
    });
    expect(await new OrderTools().order(ctx)).toBe('order-1, cancel');
    expect(ctx.steps).toEqual(['reserve', 'charge']);
    await expect(new OrderTools().when(ctx)).rejects.toMatchObject({ code: 'TW_STEP_RESULT' });
  });
});

describe('the plain API', () => {
  const counting = (options = {}): ToolRegistry =>
    new ToolRegistry({ contextFactory: createContextFactory(), ...options }).register(
      createTool<ToolContext>('plain').action({
        name: 'order',
        handler: async (_args, ctx) => {
          const count = await ctx.step('count', () => charged.push('counted'));
          const answer = await ctx.ask(Card, 'Which card?');
          return `${String(count)} ${answer.action}`;
        },
      }),
    );

  test('asks and steps alike', async () => {
    const registry = counting();
    const attaching = { attach: (server: unknown) => registry.attachToServer(server) };
    const asking = filledIn(await connect2026(attaching, { capabilities: CAPABILITIES }));
    const result = await asking.callTool({ name: 'plain', arguments: { action: 'order' } });
    expect(textOf(result as CallToolResult)).toBe('1 accept');
    expect(charged).toEqual(['counted']);
    await asking.close();
  });

  test('checks its options', () => {
    expect(() => counting({ secrets: ['short'] })).toThrow(
      'TW_REGISTRY_OPTION: new ToolRegistry() sets secrets to a value, which it does not accept.',
    );
  });
});

test('a step that is too large is logged by name, and reported to the client without it', async () => {
  const registry = new ToolRegistry({ contextFactory: createContextFactory(), logger }).register(
    createTool<ToolContext>('large').action({
      name: 'read',
      handler: async (_args, ctx) => {
        await ctx.step('whole file', () => 'x'.repeat(300_000));
        return (await ctx.ask(Card, 'Which card?')).action;
      },
    }),
  );
  const attaching = { attach: (server: unknown) => registry.attachToServer(server) };
  const asking = filledIn(await connect2026(attaching, { capabilities: CAPABILITIES }));
  const result = (await asking.callTool({ name: 'large', arguments: { action: 'read' } })) as CallToolResult;
  expect(factsOf(result)).toMatchObject({ code: 'INTERNAL_ERROR', tool: 'large' });
  expect(textOf(result)).not.toContain('whole file');
  expect(logger.records.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('TW_JOURNAL_SIZE: step "whole file" has'),
  );
  await asking.close();
});
