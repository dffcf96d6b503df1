import { describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { attachService } from '../../src/attach/attach-service.ts';
import type { RequestHandler } from '../../src/attach/server-target.ts';
import type { FakeToolPart } from '../support/fake-parts.ts';
import { attached, clientOf, lowLevelServer } from '../support/attached-server.ts';
import {
  echo,
  fakeTools,
  latch,
  MemoryLogger,
  serviceOf,
  toolsOnly,
  type FakeTool,
} from '../support/fake-application.ts';
import { codeOf } from '../support/thrown.ts';

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
    const server = new McpServer({ name: 'attached', version: '1.0.0' });
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

  test('reports what a server that refuses both forms said', () => {
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
    const server = lowLevelServer({ capabilities: { tools: {} } });
    const client = await clientOf(server);
    attachService(server, toolsOnly({ echo }));
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test('is a clear error after connect when it was not declared', async () => {
    const server = lowLevelServer({ capabilities: {} });
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
    expect(await Promise.resolve(detach)).toBe(detach);
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
    const server = lowLevelServer();
    attachService(server, toolsOnly(tools));
    const client = await clientOf(server);
    tools['later'] = () => 'late';
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'later']);
  });

  test('refuses an invented cursor, and goes on serving', async () => {
    const { client } = await attached({ echo });
    await expect(client.listTools({ cursor: 'x' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Invalid cursor'),
    });
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test('keeps a fault of the service to itself', async () => {
    const server = lowLevelServer();
    let isBroken = false;
    const tools: FakeToolPart = {
      ...fakeTools({}),
      list: () => {
        if (!isBroken) return [];
        throw Object.assign(new Error('secret'), { code: 404, data: { key: 'secret' } });
      },
    };
    const logger = new MemoryLogger();
    attachService(server, serviceOf({ tools }, logger), logger);
    isBroken = true;
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
    const server = lowLevelServer({ capabilities: { tools: {} } });
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
