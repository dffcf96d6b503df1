import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, LogRecord, McpApplication } from 'toolwright';
import { exposeNest } from 'toolwright/nest';
import { CallContext } from '../../src/call/call-context.ts';
import { nestCarrier } from '../../src/nest/nest-api.ts';
import { createAskContracts } from '../../src/runtime/tools/context-factory.ts';
import { LocalOrigin } from '../../src/runtime/local-calls.ts';
import { textOf } from '../support/text-of.ts';
import { carried, createShop, loadNest, tenants, trace } from './shop.ts';

type Shop = Awaited<ReturnType<typeof createShop>>;

/** What REST and a tool are asked, which reach the same handler. */
interface Pair {
  readonly request: readonly [method: string, path: string, body?: unknown];
  readonly call: readonly [tool: string, action: string, args?: object];
}

/** The 24 requests. */
const PAIRS: readonly Pair[] = [
  { request: ['GET', '/api/tasks?text=a%20b&page=2'], call: ['tasks', 'find', { text: 'a b', page: 2 }] },
  { request: ['GET', '/api/tasks'], call: ['tasks', 'find'] },
  { request: ['GET', '/api/tasks?state=open'], call: ['tasks', 'find', { state: 'open' }] },
  { request: ['GET', '/api/tasks/7'], call: ['tasks', 'read', { id: 7 }] },
  { request: ['POST', '/api/tasks', { title: 'T' }], call: ['tasks', 'create', { title: 'T' }] },
  {
    request: ['POST', '/api/tasks', { title: 'T', priority: 3, owner: 'a@b.example' }],
    call: ['tasks', 'create', { title: 'T', priority: 3, owner: 'a@b.example' }],
  },
  {
    request: ['POST', '/api/tasks', { title: 'T', address: { city: 'Bonn' } }],
    call: ['tasks', 'create', { title: 'T', address: { city: 'Bonn' } }],
  },
  {
    request: ['POST', '/api/tasks', { title: 'T', note: 'once' }],
    call: ['tasks', 'create', { title: 'T', note: 'once' }],
  },
  {
    request: ['PUT', '/api/tasks/9', { id: '9', title: 'New' }],
    call: ['tasks', 'rename', { id: '9', title: 'New' }],
  },
  { request: ['POST', '/api/tasks/7/close'], call: ['tasks', 'close', { id: '7' }] },
  { request: ['POST', '/api/tasks/done/close'], call: ['tasks', 'close', { id: 'done' }] },
  { request: ['DELETE', '/api/tasks/7'], call: ['tasks', 'remove', { id: '7' }] },
  { request: ['GET', '/api/tasks/by-name/%C3%A4%2Fb'], call: ['tasks', 'named', { name: 'ä/b' }] },
  { request: ['GET', '/api/secrets'], call: ['secrets', 'list'] },
  { request: ['GET', '/api/mine?name=ada'], call: ['mine', 'who', { name: 'ada' }] },
  { request: ['GET', '/api/answers/text'], call: ['answers', 'text'] },
  { request: ['GET', '/api/answers/nothing'], call: ['answers', 'nothing'] },
  { request: ['GET', '/api/answers/observed'], call: ['answers', 'observed'] },
  { request: ['GET', '/api/answers/csv'], call: ['answers', 'csv'] },
  { request: ['GET', '/api/answers/png'], call: ['answers', 'png'] },
  { request: ['GET', '/api/answers/large'], call: ['answers', 'large'] },
  { request: ['GET', '/api/answers/fails'], call: ['answers', 'fails'] },
  { request: ['GET', '/api/answers/missing'], call: ['answers', 'missing'] },
  { request: ['GET', '/api/answers/busy'], call: ['answers', 'busy'] },
];

function localContext(): CallContext {
  return new CallContext(new LocalOrigin('1', {}), createAskContracts());
}

export function describeNest(major: 11 | 12, platform: 'express' | 'fastify'): void {
  describe(`NestJS ${String(major)} on ${platform}`, () => {
    let shop: Shop;
    let mcp: McpApplication;
    let url: string;
    let client: Client;
    const warnings: LogRecord[] = [];

    beforeAll(async () => {
      shop = await createShop(loadNest(major), platform);
      mcp = await exposeNest(shop, {
        name: 'shop',
        exclude: ['answers.slow'],
        // Of a client that is not known, an answer this long would be cut
        limits: { budget: { bytes: 10_000_000 } },
        logger: (record) => {
          if (record.event === 'scan.warning') warnings.push(record);
        },
      });
      await shop.listen(0, '127.0.0.1');
      url = await shop.getUrl();
      client = new Client({ name: 'tester', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    });
    afterAll(async () => {
      await client.close();
      await shop.close();
    });
    beforeEach(() => {
      trace.length = 0;
    });

    const call = async (tool: string, action: string, args: object = {}): Promise<CallToolResult> =>
      (await client.callTool({ name: tool, arguments: { action, ...args } })) as CallToolResult;

    test('offers 20 routes and more, each by the name of its member', async () => {
      const { tools } = await client.listTools();
      const actions = tools.flatMap(({ name, inputSchema }) => {
        const { action } = inputSchema.properties as Record<
          string,
          { readonly enum?: readonly string[]; readonly const?: string }
        >;
        return (action?.enum ?? [action?.const]).map((each) => `${name}.${String(each)}`);
      });
      expect(actions.length).toBeGreaterThanOrEqual(20);
      expect(new Set(actions).size).toBe(actions.length);
      expect(actions).toEqual(
        expect.arrayContaining(PAIRS.map(({ call: [tool, action] }) => `${tool}.${action}`)),
      );
    });

    test.each(PAIRS)(
      'sends $request.0 $request.1 as REST does, byte for byte',
      async ({ request: [method, path, body] }) => {
        const headers = body === undefined ? {} : { 'content-type': 'application/json' };
        const text = body === undefined ? undefined : JSON.stringify(body);
        const rest = await fetch(`${url}${path}`, {
          method,
          headers,
          ...(text === undefined ? {} : { body: text }),
        });
        const answer = await nestCarrier(shop)(
          { method, path, headers, body: text },
          {
            signal: new AbortController().signal,
            call: { tool: 't', action: 'a', context: localContext(), caller: undefined },
            maxAnswerBytes: 9e9,
          },
        );
        const bytes = Buffer.from(await rest.arrayBuffer());
        expect(answer.status).toBe(rest.status);
        expect(Buffer.from(answer.body).equals(bytes)).toBe(true);
        for (const name of ['content-type', 'etag', 'content-length'])
          expect(answer.headers[name] ?? null).toBe(rest.headers.get(name));
      },
    );

    test.each(PAIRS)(
      'calls $call.0/$call.1 $call.2 with the outcome of REST',
      async ({ request: [method, path, body], call: [tool, action, args] }) => {
        const rest = await fetch(`${url}${path}`, {
          method,
          ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        });
        const restTrace = trace.splice(0);
        const result = await call(tool, action, args);
        expect(result.isError ?? false).toBe(!rest.ok);
        // The MCP request itself does not pass the middleware of the application
        expect(trace).toEqual(restTrace);
        if (rest.headers.get('content-type')?.startsWith('application/json') !== true || !rest.ok) return;
        expect(JSON.parse(textOf(result))).toEqual(await rest.json());
      },
    );

    test('says what an error of the application means, and no more', async () => {
      expect(textOf(await call('tasks', 'close', { id: 'done' }))).toMatch(
        /^\[tasks\/close\] 409 already closed \(TASK_CLOSED\)\nCode: CONFLICT/,
      );
      expect(textOf(await call('answers', 'missing'))).toContain('Code: NOT_FOUND');
      expect(textOf(await call('answers', 'busy'))).toContain('Code: RATE_LIMITED');
      expect(textOf(await call('secrets', 'list'))).toContain('Code: UNAUTHENTICATED');
      const failed = textOf(await call('answers', 'fails'));
      expect(failed).toContain('Code: UPSTREAM_FAILED');
      expect(failed).not.toContain('secret');
      expect(textOf(await call('answers', 'zip'))).toContain('Code: UPSTREAM_ANSWER');
    });

    test('gives text as text, an image as an image, and OK for nothing', async () => {
      expect(textOf(await call('answers', 'csv'))).toBe('a,b\n1,2\n');
      expect((await call('answers', 'png')).content).toEqual([
        { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
      ]);
      expect(textOf(await call('answers', 'nothing'))).toBe('OK');
    });

    test('refuses a bad input before the application does, so that it can be repaired', async () => {
      const result = await call('tasks', 'create', { title: '', address: { city: 'B' } });
      expect(textOf(result)).toContain('Code: VALIDATION_FAILED');
      expect(textOf(result)).toContain('address.city');
      expect(trace).toEqual([]);
    });

    test('writes false and lists of one item in the way that arrives, or says what cannot', async () => {
      const arrived = async (filter: object): Promise<unknown> =>
        (JSON.parse(textOf(await call('tasks', 'wide', filter))) as { filter: unknown }).filter;
      expect(await arrived({ done: false })).toEqual({ done: false });
      expect(await arrived({ done: true })).toEqual({ done: true });
      expect(await arrived({ fits: false })).toEqual({ fits: false });
      expect(await arrived({ counts: [3] })).toEqual({ counts: [3] });
      expect(await arrived({ ids: ['a', 'b'] })).toEqual({ ids: ['a', 'b'] });
      expect(textOf(await call('tasks', 'wide', { ids: ['a'] }))).toContain('At least two items');
      expect(warnings).toEqual([
        expect.objectContaining({ code: 'TW_NEST_QUERY_VALUE', message: expect.stringContaining('"ids"') }),
      ]);
    });

    test('leaves out what no model should call', async () => {
      const { tools } = await client.listTools();
      const listed = JSON.stringify(tools);
      for (const name of ['health', 'login', 'events', 'untyped', 'anything'])
        expect(listed).not.toContain(`"${name}"`);
    });

    test('gives request-scoped controllers a request of their own, and 50 callers their own answers', async () => {
      const names = Array.from({ length: 50 }, (_, index) => `caller ${String(index)}`);
      const results = await Promise.all(names.map((name) => call('mine', 'who', { name })));
      expect(results.map((result) => JSON.parse(textOf(result)) as unknown)).toEqual(
        names.map((name) => ({ name, same: true, ip: '127.0.0.1', tenant: null })),
      );
    });

    test('lets each of 200 parallel calls see its own asynchronous context', async () => {
      const numbers = Array.from({ length: 200 }, (_, index) => `tenant ${String(index)}`);
      const seen = await Promise.all(
        numbers.map((tenant) =>
          tenants.run(tenant, async () => textOf(await mcp.call('mine', { action: 'who', name: 'x' }))),
        ),
      );
      expect(seen.map((text) => (JSON.parse(text) as { tenant: string }).tenant)).toEqual(numbers);
    });

    test('shows the application which call a request belongs to, and no header can pretend it', async () => {
      carried.length = 0;
      expect(JSON.parse(textOf(await call('answers', 'whoCalls')))).toEqual({
        tool: 'answers',
        action: 'whoCalls',
      });
      const forged = { 'x-toolwright-call': 'answers', 'mcp-session-id': 'a' };
      expect(await (await fetch(`${url}/api/answers/caller`, { headers: forged })).json()).toEqual({
        tool: null,
        action: null,
      });
      expect(carried).toHaveLength(2);
    });

    test('sends on no header of the MCP request', async () => {
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: {
          headers: { cookie: 'a=b', 'x-forwarded-for': '9.9.9.9', authorization: 'Bearer stolen' },
        },
      });
      const other = new Client({ name: 'other', version: '1.0.0' });
      await other.connect(transport);
      const result = (await other.callTool({
        name: 'answers',
        arguments: { action: 'echo' },
      })) as CallToolResult;
      const { headers } = JSON.parse(textOf(result)) as { headers: Record<string, string> };
      expect(Object.keys(headers).sort()).toEqual(
        ['accept', 'connection', 'content-length', 'host', 'transfer-encoding', 'user-agent'].filter(
          (name) => name in headers,
        ),
      );
      expect(JSON.stringify(headers)).not.toMatch(/stolen|9\.9\.9\.9|a=b/);
      await other.close();
    });
  });
}
