import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  LoggingMessageNotificationSchema,
  type LoggingMessageNotification,
} from '@modelcontextprotocol/sdk/types.js';
import {
  Action,
  McpApplication,
  Module,
  ProtocolError,
  ToolContext,
  ToolError,
  ToolGroup,
} from '../../../src/index.ts';
import { latch } from '../../support/fake-application.ts';

type Fetch = NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>['fetch'];

const gate = { waiting: latch(), open: latch() };

@ToolGroup({ name: 'work', description: 'Long work' })
class WorkController {
  @Action('Works while its client is away')
  async released(ctx: ToolContext): Promise<string> {
    await ctx.log('before');
    ctx.releaseStream();
    await ctx.log('while nobody listens');
    return 'released';
  }

  @Action('Works until it is let go on')
  async cut(ctx: ToolContext): Promise<string> {
    await ctx.log('before');
    gate.waiting.open();
    await gate.open.promise;
    await ctx.log('after');
    return 'resumed';
  }

  @Action('Fails')
  async fail(ctx: ToolContext): Promise<never> {
    await ctx.log('before');
    throw new ToolError('NO_LUCK', 'Not today');
  }

  @Action('Answers with an error of the protocol')
  async refuse(ctx: ToolContext): Promise<never> {
    await ctx.log('before');
    throw new ProtocolError(-32001, 'Not today');
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

/** The official client, and what it fetched. */
async function connected(url: string) {
  const requests: { method: string; lastEventId: string | null; status: number }[] = [];
  let isCutting = false;
  let cut: () => void = () => undefined;
  const recorded: Fetch = async (target, init) => {
    const response = await fetch(target, init);
    const lastEventId = new Headers(init?.headers).get('last-event-id');
    requests.push({ method: init?.method ?? 'GET', lastEventId, status: response.status });
    const isCall = typeof init?.body === 'string' && init.body.includes('tools/call');
    if (!isCutting || !isCall || response.body === null) return response;
    isCutting = false;
    const body = response.body as ReadableStream<Uint8Array>;
    const reader = body.getReader();
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => {
        cut = () => {
          controller.error(new Error('the connection broke'));
          void reader.cancel();
        };
      },
      pull: async (controller) => {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return new Response(broken, { status: response.status, headers: response.headers });
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: recorded });
  const client = new Client({ name: 'tester', version: '1.0.0' });
  const logs: unknown[] = [];
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }: LoggingMessageNotification) => void logs.push(params.data),
  );
  await client.connect(transport);
  return {
    client,
    logs,
    requests,
    cutNext: () => {
      isCutting = true;
    },
    cut: () => {
      cut();
    },
  };
}

async function withClient(
  run: (connection: Awaited<ReturnType<typeof connected>>) => Promise<void>,
): Promise<void> {
  const app = await McpApplication.create(WorkModule);
  const { url } = await app.listen({ port: 0, signals: false, sessions: { retryInterval: 10 } });
  const connection = await connected(url);
  try {
    await run(connection);
  } finally {
    await connection.client.close();
    await app.close();
  }
}

test('a client comes back to a call that released its stream', async () => {
  await withClient(async ({ client, logs, requests }) => {
    const result = await client.callTool({ name: 'work', arguments: { action: 'released' } });
    expect(result).toMatchObject({ content: [{ text: 'released' }] });
    expect(logs).toEqual(['before', 'while nobody listens']);
    expect(requests.filter(({ lastEventId }) => lastEventId !== null)).toMatchObject([{ status: 200 }]);
  });
});

test('a client comes back to a call whose connection broke, and misses nothing', async () => {
  await withClient(async ({ client, logs, requests, cutNext, cut }) => {
    cutNext();
    const events: string[] = [];
    const call = client.request(
      { method: 'tools/call', params: { name: 'work', arguments: { action: 'cut' } } },
      CallToolResultSchema,
      { onresumptiontoken: (token) => events.push(token) },
    );
    await gate.waiting.promise;
    while (logs.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    cut();
    gate.open.open();
    expect(await call).toMatchObject({ content: [{ text: 'resumed' }] });
    expect(logs).toEqual(['before', 'after']);
    expect(new Set(events).size).toBe(events.length);
    expect(requests.filter(({ lastEventId }) => lastEventId !== null)).toHaveLength(1);
  });
});

test('a client that has its answer does not come back, and one that has an error is asked not to', async () => {
  await withClient(async ({ client, requests }) => {
    expect(await client.callTool({ name: 'work', arguments: { action: 'fail' } })).toMatchObject({
      isError: true,
    });
    await expect(client.callTool({ name: 'work', arguments: { action: 'refuse' } })).rejects.toThrow();
    while (!requests.some(({ lastEventId }) => lastEventId !== null)) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // Long enough for it to come back again, if it wanted to.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(requests.filter(({ lastEventId }) => lastEventId !== null)).toMatchObject([{ status: 204 }]);
  });
});
