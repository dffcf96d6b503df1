import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { IsBoolean } from 'class-validator';
import {
  Action,
  createContextFactory,
  createTool,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  ToolRegistry,
  type CallToolResult,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS, type ConnectionKind } from '../support/connections/connection-kinds.ts';
import type { FeatureClientOptions } from '../support/connections/feature-client.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Sure {
  @IsBoolean() isSure!: boolean;
}

const events: string[] = [];

@ToolGroup('work')
class WorkTools {
  @Action() async *import(): AsyncGenerator<unknown, object> {
    yield 'opening';
    for (let row = 2; row <= 4; row += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      yield { progress: row, total: 4, message: `row ${String(row)}` };
    }
    return { rows: 4 };
  }

  @Action() async *endless(): AsyncGenerator<number> {
    try {
      for (let round = 1; ; round += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        yield round;
      }
    } finally {
      events.push('closed');
    }
  }

  @Action() async *waits(ctx: ToolContext): AsyncGenerator<string> {
    try {
      yield 'asking';
      await ctx.ask(Sure, 'Go on?');
    } finally {
      events.push('closed');
    }
  }
}

async function seeValue(_call: MiddlewareCall, next: Next): Promise<unknown> {
  const value = await next();
  events.push(`middleware saw ${JSON.stringify(value)}`);
  return value;
}

@Module({ controllers: [WorkTools] })
class WorkModule {}

const create = (kind: ConnectionKind): Promise<ConnectedApplication> =>
  createConnectedApplication(kind, WorkModule, {
    middleware: [seeValue],
    logger: new MemoryLogger(),
    drainTimeout: 1,
  });

beforeEach(() => {
  events.length = 0;
});

describe.each(CONNECTIONS)('$name: a generator', (kind) => {
  let work: ConnectedApplication;

  beforeAll(async () => {
    work = await create(kind);
  });
  afterAll(() => work.close());

  test('reports what it yields, in order, before its result', async () => {
    const client = await work.client();
    const seen: unknown[] = [];
    const result = await client.callTool({ name: 'work', arguments: { action: 'import' } }, undefined, {
      onprogress: (progress) => seen.push(progress),
    });
    seen.push(JSON.parse(textOf(result as CallToolResult)));
    expect(seen).toEqual([
      { progress: 1, message: 'opening' },
      { progress: 2, total: 4, message: 'row 2' },
      { progress: 3, total: 4, message: 'row 3' },
      { progress: 4, total: 4, message: 'row 4' },
      { rows: 4 },
    ]);
    expect(events).toEqual(['middleware saw {"rows":4}']);
  });

  test('gives its result to a client that asked for no progress', async () => {
    const client = await work.client();
    const result = await client.callTool({ name: 'work', arguments: { action: 'import' } });
    expect(JSON.parse(textOf(result as CallToolResult))).toEqual({ rows: 4 });
    expect(JSON.parse(textOf(await work.call('work', { action: 'import' })))).toEqual({ rows: 4 });
  });

  /** Where a handler cannot learn that its client gave up, it ends with the application. */
  async function cancelled(action: string, options: FeatureClientOptions): Promise<void> {
    const own = await create(kind);
    const client = await own.connect(options);
    const controller = new AbortController();
    const answer = client.callTool({ name: 'work', arguments: { action } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort('enough'),
    });
    await expect(answer).rejects.toThrow('enough');
    if (kind.givesUpBy === 'nothing') await own.close();
    await eventually(() => events.length > 0);
    await own.close();
  }

  test('that the client cancels runs its finally blocks', async () => {
    await cancelled('endless', {});
    expect(events).toEqual(['closed']);
  });

  test('that waits for an answer stops waiting when the client cancels', async () => {
    await cancelled('waits', { onElicitation: () => new Promise(() => undefined) });
    expect(events).toEqual(['closed']);
  });
});

test('a generator ends as CANCELLED for a caller inside the process', async () => {
  const work = await McpApplication.create(WorkModule);
  const controller = new AbortController();
  const result = await work.call(
    'work',
    { action: 'endless' },
    {
      signal: controller.signal,
      meta: { progressToken: 1 },
      onNotification: (_method, { progress }) => {
        if (progress === 3) controller.abort();
      },
    },
  );
  expect(result.isError).toBe(true);
  expect(factsOf(result)).toMatchObject({ code: 'CANCELLED' });
  await work.close();
});

test('plain handlers on a server of your own ask and yield as decorated ones do', async () => {
  const server = new McpServer({ name: 'own', version: '1.0.0' });
  const tool = createTool<ToolContext>('plain').action({
    name: 'work',
    async *handler(_input, ctx) {
      yield 'asking';
      return ctx.ask(Sure, 'Sure?');
    },
  });
  new ToolRegistry().register(tool).attachToServer(server, { contextFactory: createContextFactory() });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'own', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { isSure: true } }));
  await server.connect(far);
  await client.connect(near);
  const seen: unknown[] = [];
  const result = await client.callTool({ name: 'plain', arguments: { action: 'work' } }, undefined, {
    onprogress: ({ message }) => seen.push(message),
  });
  expect(JSON.parse(textOf(result as CallToolResult))).toEqual({
    action: 'accept',
    content: { isSure: true },
  });
  expect(seen).toEqual(['asking']);
  await client.close();
});
