import { describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { CallExchange } from '../../src/call/call-exchange.ts';
import { ToolwrightError } from '../../src/errors/toolwright-error.ts';
import { attachService } from '../../src/runtime/attach/attach-service.ts';
import type { RequestHandler } from '../../src/runtime/attach/server-target.ts';
import type { ToolService } from '../../src/runtime/tool-service.ts';
import {
  echo,
  fakeService,
  latch,
  MemoryLogger,
  NOTHING,
  toolsOnly,
  type FakeTool,
} from '../fixtures/fake-surface.ts';

const info = { name: 'attached', version: '1.0.0' };

async function clientOf(server: Server | McpServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tester', version: '9.9.9' }, { capabilities: { roots: {} } });
  await server.connect(far);
  await client.connect(near);
  return client;
}

async function attached(tools: Readonly<Record<string, FakeTool>>, capabilities = {}) {
  const server = new Server(info, { capabilities });
  const logger = new MemoryLogger();
  const detach = attachService(server, toolsOnly(tools), { logger });
  return { server, detach, logger, client: await clientOf(server) };
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (ToolwrightError.is(error)) return error.code;
  }
  return 'nothing was thrown';
}

describe('the target', () => {
  test.each([
    ['null', null],
    ['undefined', undefined],
    ['a number', 7],
    ['a string', 'server'],
    ['an object of another kind', { foo: 1 }],
    ['an object whose server is none', { server: null }],
  ])('refuses %s and names what it needs', (_name, target) => {
    const attach = () => attachService(target, toolsOnly({}));
    expect(attach).toThrow(/Server.*McpServer/);
    expect(codeOf(attach)).toBe('TW_ATTACH_TARGET');
  });

  test('serves over the low-level server of a McpServer', async () => {
    const server = new McpServer(info);
    attachService(server, toolsOnly({ echo }));
    const client = await clientOf(server);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    expect(await client.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({
      content: [{ type: 'text', text: '{"a":1}' }],
    });
  });

  test('needs nothing of a server but setRequestHandler', async () => {
    const handlers = new Map<string, RequestHandler>();
    const server = Object.freeze({
      setRequestHandler(method: unknown, handler: RequestHandler) {
        if (typeof method !== 'string') throw new TypeError('a schema is not a method name');
        handlers.set(method, handler);
      },
    });
    const detach = attachService(server, toolsOnly({ echo }));
    expect(await handlers.get('tools/call')?.({ params: { name: 'echo' } }, undefined)).toMatchObject({
      content: [{ text: '{}' }],
    });
    detach();
    expect(await handlers.get('tools/list')?.(undefined, undefined)).toEqual({ tools: [] });
  });

  test('tells what a server that refuses both forms said', () => {
    const server = {
      setRequestHandler: () => {
        throw new Error('not today');
      },
    };
    const attach = () => attachService(server, toolsOnly({}));
    expect(attach).toThrow('not today');
    expect(codeOf(attach)).toBe('TW_ATTACH_REFUSED');
  });
});

describe('the capability', () => {
  test('is declared by attach before the server is connected', async () => {
    const { client } = await attached({ echo });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
  });

  test('is used after connect when the server declared it', async () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    const client = await clientOf(server);
    attachService(server, toolsOnly({ echo }));
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test('is a clear error after connect when nobody declared it', async () => {
    const server = new Server(info, { capabilities: {} });
    const client = await clientOf(server);
    const attach = () => attachService(server, toolsOnly({ echo }));
    expect(codeOf(attach)).toBe('TW_ATTACH_CAPABILITY');
    expect(attach).toThrow('attach before connect()');
    await client.ping();
  });
});

describe('detaching', () => {
  test('leaves an empty list and answers calls with DETACHED', async () => {
    const { client, detach } = await attached({ echo });
    detach();
    detach();
    expect((await client.listTools()).tools).toEqual([]);
    const result = await client.callTool({ name: 'echo' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'DETACHED' } },
    });
    expect((result.content as { text: string }[])[0]?.text).toMatch(/^Tools are no longer served here/);
  });

  test('gives the same function when it is awaited', async () => {
    const { detach } = await attached({ echo });
    expect(await detach).toBe(detach);
  });

  test('leaves a later attach alone', async () => {
    const { server, client, detach } = await attached({ echo });
    const detachSecond = attachService(server, toolsOnly({ second: () => 'second' }));
    detach();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['second']);
    expect(await client.callTool({ name: 'second' })).toMatchObject({ content: [{ text: 'second' }] });
    detachSecond();
    expect((await client.listTools()).tools).toEqual([]);
  });

  test('shows the owner in no listing of the server', async () => {
    const { server } = await attached({ echo });
    const owner = Object.getOwnPropertyDescriptor(server, Symbol.for('toolwright:attachment'));
    expect(owner).toMatchObject({ enumerable: false });
  });
});

describe('the list', () => {
  test('takes no snapshot of the service', async () => {
    const tools: Record<string, FakeTool> = { echo };
    const server = new Server(info);
    attachService(server, toolsOnly(tools));
    const client = await clientOf(server);
    tools['later'] = () => 'late';
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'later']);
  });

  test('refuses a cursor that nobody gave out, and goes on serving', async () => {
    const { client } = await attached({ echo });
    await expect(client.listTools({ cursor: 'x' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Invalid cursor'),
    });
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test('keeps a fault of the service to itself', async () => {
    const server = new Server(info);
    const tools: ToolService = {
      ...fakeService({}),
      list: () => {
        throw Object.assign(new Error('secret'), { code: 404, data: { key: 'secret' } });
      },
    };
    const logger = new MemoryLogger();
    attachService(server, { ...NOTHING, tools }, { logger });
    const client = await clientOf(server);
    const failure: unknown = await client.listTools().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: -32603 });
    expect(JSON.stringify([String(failure), failure])).not.toContain('secret');
    expect(logger.records).toMatchObject([{ event: 'request.failed', method: 'tools/list' }]);
  });

  test('is announced as changed to a connected client, until it is detached', async () => {
    const { server, client, detach } = await attached({ echo });
    let changes = 0;
    let seen = latch();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
      seen.open();
    });
    detach.notify({ kind: 'tools' });
    await seen.promise;
    seen = latch();
    detach();
    await seen.promise;
    detach.notify({ kind: 'tools' });
    await client.ping();
    expect(changes).toBe(2);
    await server.close();
    detach.notify({ kind: 'tools' });
  });

  test('is not announced as changed by a server that never said it would', async () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    const client = await clientOf(server);
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
    });
    attachService(server, toolsOnly({ echo })).notify({ kind: 'tools' });
    await client.ping();
    expect(changes).toBe(0);
  });
});

describe('a call', () => {
  test.each([
    ['an error with code and data', Object.assign(new Error('secret'), { code: 404, data: 'secret' })],
    ['undefined', undefined],
    ['a string', 'secret'],
  ])('that lets %s escape is answered with INTERNAL_ERROR', async (_name, thrown) => {
    const { client, logger } = await attached({
      echo,
      broken: () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what the SDK never answers
        throw thrown;
      },
    });
    const result = await client.callTool({ name: 'broken' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'INTERNAL_ERROR' } },
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(logger.records).toMatchObject([{ event: 'call.escaped', tool: 'broken' }]);
    expect(await client.callTool({ name: 'echo' })).toMatchObject({ content: [{ text: '{}' }] });
  });

  test('sees the request, the client and the abort of the client', async () => {
    const started = latch<CallExchange>();
    const aborted = latch();
    const { client } = await attached({
      wait: (_args, exchange) => {
        exchange.signal.addEventListener('abort', () => {
          aborted.open();
        });
        started.open(exchange);
        return aborted.promise;
      },
    });
    const cancel = new AbortController();
    const call = client.callTool({ name: 'wait', _meta: { trace: 'abc' } }, undefined, {
      signal: cancel.signal,
    });
    const exchange = await started.promise;
    expect(exchange.client()).toEqual({ name: 'tester', version: '9.9.9', capabilities: { roots: {} } });
    expect(exchange.meta).toMatchObject({ trace: 'abc' });
    expect(exchange.sessionId).toBeUndefined();
    expect(exchange.header('constructor')).toBeUndefined();
    expect(exchange.raw).toHaveProperty('sendNotification');
    cancel.abort('enough');
    await expect(call).rejects.toThrow();
    await aborted.promise;
  });

  test('reports progress', async () => {
    const { client } = await attached({
      work: async (_args, exchange) => {
        const { progressToken } = exchange.meta;
        await exchange.notify('notifications/progress', { progressToken, progress: 1, total: 2 });
        return 'done';
      },
    });
    const reports: unknown[] = [];
    await client.callTool({ name: 'work' }, undefined, { onprogress: (report) => reports.push(report) });
    expect(reports).toEqual([{ progress: 1, total: 2 }]);
  });

  test('logs no lower than the client asked for', async () => {
    const { client } = await attached(
      {
        talk: async (_args, exchange) => {
          await exchange.log('debug', 'low', undefined);
          await exchange.log('error', { high: true }, 'talker');
          return 'ok';
        },
      },
      { logging: {} },
    );
    const logs: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
    await client.callTool({ name: 'talk' });
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'talk' });
    expect(logs).toEqual([
      { level: 'debug', data: 'low' },
      { level: 'error', data: { high: true }, logger: 'talker' },
      { level: 'error', data: { high: true }, logger: 'talker' },
    ]);
  });

  test('may log where logging was never declared, and nobody hears it', async () => {
    const { client } = await attached({
      talk: async (_args, exchange) => {
        await exchange.log('error', 'lost', undefined);
        return 'ok';
      },
    });
    let logs = 0;
    client.setNotificationHandler(LoggingMessageNotificationSchema, () => void (logs += 1));
    expect(await client.callTool({ name: 'talk' })).toMatchObject({ content: [{ text: 'ok' }] });
    expect(logs).toBe(0);
  });

  test('may notify a client that is gone', async () => {
    const started = latch<CallExchange>();
    const finished = latch();
    const { client } = await attached(
      {
        wait: async (_args, exchange) => {
          started.open(exchange);
          await finished.promise;
          return 'late';
        },
      },
      { logging: {} },
    );
    const call = client.callTool({ name: 'wait' }).catch(() => 'closed');
    const exchange = await started.promise;
    await client.close();
    await exchange.notify('notifications/progress', { progressToken: 1, progress: 1 });
    await exchange.log('error', 'nobody', undefined);
    expect(exchange.signal.aborted).toBe(true);
    finished.open();
    expect(await call).toBe('closed');
  });

  test('reads _meta from the request where an old SDK does not hand it over', async () => {
    const handlers = new Map<string, RequestHandler>();
    attachService(
      {
        setRequestHandler(schema: { shape: { method: { value: string } } }, handler: RequestHandler) {
          handlers.set(schema.shape.method.value, handler);
        },
      },
      toolsOnly({ meta: (_args, exchange) => JSON.stringify(exchange.meta) }),
    );
    const request = { params: { name: 'meta', _meta: { trace: 'abc' } } };
    expect(await handlers.get('tools/call')?.(request, { requestId: 1 })).toMatchObject({
      content: [{ text: '{"trace":"abc"}' }],
    });
  });
});

describe('a server of SDK v2', () => {
  class Version2Server {
    readonly handlers = new Map<string, RequestHandler>();
    readonly declared: unknown[] = [];

    projectCallToolResult(): void {
      // Its presence is what tells the line.
    }
    registerCapabilities(capabilities: unknown): void {
      this.declared.push(capabilities);
    }
    setRequestHandler(method: string, handler: RequestHandler): void {
      if (typeof method !== 'string') throw new TypeError('not a spec request method');
      this.handlers.set(method, handler);
    }
    getClientVersion(): unknown {
      return { name: 'earlier', version: '1' };
    }
  }

  test('gets its handlers by method name', async () => {
    const server = new Version2Server();
    attachService({ server }, toolsOnly({ echo }));
    expect([...server.handlers.keys()]).toEqual(['tools/list', 'tools/call']);
    expect(server.declared).toEqual([{ tools: { listChanged: true } }]);
  });

  test('hands over the request in the form of its context', async () => {
    const server = new Version2Server();
    const sent: unknown[] = [];
    const exchanges: CallExchange[] = [];
    attachService(
      server,
      toolsOnly({
        work: async (_args, exchange) => {
          exchanges.push(exchange);
          await exchange.log('info', 'hello', 'worker');
          await exchange.notify('notifications/progress', { progress: 1 });
          return 'ok';
        },
      }),
    );
    const context = {
      sessionId: 's1',
      mcpReq: {
        id: 7,
        signal: new AbortController().signal,
        _meta: { trace: 'abc' },
        envelope: {
          'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '2' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        },
        log: (...args: unknown[]) => void sent.push(args),
        notify: (notification: unknown) => Promise.reject(new Error(`gone: ${JSON.stringify(notification)}`)),
      },
      http: {
        authInfo: { token: 't', clientId: 'c', scopes: [] },
        req: new Request('http://x', { headers: { 'X-A': 'b' } }),
      },
    };
    const result = await server.handlers.get('tools/call')?.({ params: { name: 'work' } }, context);
    expect(result).toMatchObject({ content: [{ text: 'ok' }] });
    expect(sent).toEqual([['info', 'hello', 'worker']]);
    const exchange = exchanges[0];
    expect(exchange).toMatchObject({ requestId: 7, sessionId: 's1', meta: { trace: 'abc' }, raw: context });
    expect(exchange?.authInfo?.clientId).toBe('c');
    expect(exchange?.header('x-a')).toBe('b');
    expect(exchange?.client()).toEqual({ name: 'modern', version: '2', capabilities: { elicitation: {} } });
  });
});
