import { afterEach, describe, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsOptional, IsString } from 'class-validator';
import { Action, Idempotent, McpApplication, Module, ToolContext, ToolGroup, type Class } from 'toolwright';
import { connectVersion1 } from '../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../support/connections/client-of-version-2.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { roundRobin } from '../support/round-robin.ts';
import { SharedMemory } from '../support/shared-memory.ts';
import { textOf } from '../support/text-of.ts';

class Payment {
  @IsString() to!: string;
}

class PaymentWithNote extends Payment {
  @IsOptional() @IsString() note?: string;
}

class Word {
  @IsString() word!: string;
}

let paid = 0;
/** Where questions are answered, by the index of the instance. */
let answersAt = 0;
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  paid = 0;
  for (const end of ends.splice(0).reverse()) await end();
});

@ToolGroup({ name: 'desk', description: 'Works' })
class OldTools {
  @Action('Pays')
  @Idempotent({ key: 'idempotencyKey' })
  pay({ to }: Payment) {
    paid += 1;
    return `paid ${to}`;
  }

  @Action('Asks') async ask(ctx: ToolContext) {
    const answer = await ctx.ask(Word, 'Which word?');
    return answer.action === 'accept' ? `old: ${answer.content.word}` : answer.action;
  }
}

/** A later release: a field and an action more, and another answer. */
@ToolGroup({ name: 'desk', description: 'Works' })
class NewTools {
  @Action('Pays')
  @Idempotent({ key: 'idempotencyKey' })
  pay({ to }: PaymentWithNote) {
    paid += 1;
    return `paid ${to} in the new way`;
  }

  @Action('Asks') async ask(ctx: ToolContext) {
    const answer = await ctx.ask(Word, 'Which word?');
    return answer.action === 'accept' ? `new: ${answer.content.word}` : answer.action;
  }

  @Action('Greets') greet() {
    return 'Hello';
  }
}

@Module({ controllers: [OldTools] })
class OldModule {}

@Module({ controllers: [NewTools] })
class NewModule {}

const CONNECT = {
  '2025': (url: URL, options: object) => connectVersion1(new StreamableHTTPClientTransport(url), options),
  '2026': (url: URL, options: object) => connectVersion2(new TransportOfVersion2(url), '2026', options),
} as const;

/** Both releases on one backplane, the older one first. */
async function openBoth(era: keyof typeof CONNECT) {
  const backplane = new SharedMemory();
  const open = async (module: Class, version: string) => {
    const app = await McpApplication.create(module, {
      ...{ name: 'desk', version, backplane, logger: () => undefined, drainTimeout: 0 },
      secrets: ['a secret of both releases, long enough'],
    });
    ends.push(() => app.close());
    return { url: (await app.listen(0)).url, isDown: false };
  };
  const proxy = await roundRobin([await open(OldModule, '1.0.0'), await open(NewModule, '2.0.0')]);
  ends.push(() => proxy.close());
  proxy.pin(0);
  const onElicitation = () => {
    proxy.pin(answersAt);
    return { action: 'accept', content: { word: 'yes' } };
  };
  const client = await CONNECT[era](new URL(proxy.url), { onElicitation });
  ends.push(() => client.close());
  return { proxy, client };
}

const call = async (client: FeatureClient, action: string, args: object = {}): Promise<string> =>
  textOf((await client.callTool({ name: 'desk', arguments: { action, ...args } })) as never);

describe.each(['2025', '2026'] as const)('two releases beside each other, with a client of %s', (era) => {
  test('what one release has paid, the other does not pay again', async () => {
    const { proxy, client } = await openBoth(era);
    const payment = { to: 'Ann', idempotencyKey: 'one' };
    expect(await call(client, 'pay', payment)).toBe('paid Ann');
    proxy.pin(1);
    expect(await call(client, 'pay', payment)).toBe('paid Ann');
    expect(await call(client, 'pay', { ...payment, idempotencyKey: 'two' })).toBe('paid Ann in the new way');
    proxy.pin(0);
    expect(await call(client, 'pay', { ...payment, idempotencyKey: 'two' })).toBe('paid Ann in the new way');
    expect(paid).toBe(2);
  });

  test('a client goes on at the other release, and sees what that one offers', async () => {
    const { proxy, client } = await openBoth(era);
    expect(await call(client, 'greet')).toMatch(/UNKNOWN_ACTION|no action/i);
    proxy.pin(1);
    expect(JSON.stringify(await client.listTools())).toContain('greet');
    expect(await call(client, 'greet')).toBe('Hello');
    proxy.pin(0);
    expect(await call(client, 'pay', { to: 'Ann', idempotencyKey: 'three' })).toBe('paid Ann');
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('a question of release %d is answered at release %d', async (asks, answers) => {
    const { proxy, client } = await openBoth(era);
    proxy.pin(asks);
    answersAt = answers;
    // In 2025 the call stays where it began; in 2026 it is played again where the answer comes
    const by = era === '2025' ? asks : answers;
    expect(await call(client, 'ask')).toBe(by === 0 ? 'old: yes' : 'new: yes');
  });
});
