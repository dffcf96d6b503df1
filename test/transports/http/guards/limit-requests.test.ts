import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Action, McpApplication, Module, RateLimit, ToolGroup, type HttpListenOptions } from 'toolwright';
import { RequestLimits } from '../../../../src/transports/http/guards/limit-requests.ts';
import { MemoryLogger } from '../../../support/memory-logger.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let gate: Promise<void> = Promise.resolve();

@ToolGroup('work')
class Work {
  @Action() @RateLimit({ limit: 1, per: 'hour', by: 'address' }) run(): string {
    return 'done';
  }
  @Action() async slow(): Promise<string> {
    await gate;
    return 'done';
  }
}

@Module({ controllers: [Work] })
class WorkModule {}

async function listen(options: Partial<HttpListenOptions>) {
  const app = await McpApplication.create(WorkModule, { logger: new MemoryLogger(), drainTimeout: 0 });
  closing.push(() => app.close());
  const { url, port } = await app.listen({ port: 0, sessions: false, signals: false, ...options });
  const post = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  const run = async (headers: Record<string, string> = {}): Promise<string> =>
    (await post('tools/call', { name: 'work', arguments: { action: 'run' } }, headers)).text();
  return { app, url, port, post, run };
}

describe('requests that come too often', () => {
  test('are refused with 429, before anybody is authenticated, and a page may read when to try again', async () => {
    let asked = 0;
    const { post } = await listen({
      requestRates: { perAddress: { limit: 2, per: 'hour' } },
      authenticate: () => {
        asked += 1;
        return undefined;
      },
    });
    expect((await post('ping')).status).toBe(401);
    expect((await post('ping')).status).toBe(401);
    const refused = await post('ping', {}, { origin: 'http://localhost' });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1800');
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
    expect(await refused.json()).toMatchObject({
      error: { code: -32000, data: { code: 'RATE_LIMITED', retryAfter: 1800 } },
    });
    expect(asked).toBe(2);
  });

  test('are refused before the body is read', async () => {
    const { port, post } = await listen({ requestRates: { total: { limit: 1, per: 'hour' } } });
    await post('ping');
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: 1000\r\n\r\n',
    );
    const answer = await new Promise<string>((resolve) => {
      socket.once('data', (data) => {
        resolve(data.toString());
      });
    });
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer.toLowerCase()).toContain('retry-after: 3600');
  });

  test('count by address and in all', () => {
    let now = 0;
    const limits = new RequestLimits(
      { perAddress: { limit: 1, per: 'second' }, total: { limit: 2, per: 'second', burst: 2 } },
      () => now,
    );
    const isRefused = (address: string | undefined): boolean => {
      try {
        limits.check({ address });
        return false;
      } catch {
        return true;
      }
    };
    expect([isRefused('192.0.2.1'), isRefused('192.0.2.1'), isRefused('192.0.2.2')]).toEqual([
      false,
      true,
      false,
    ]);
    expect(isRefused('192.0.2.3')).toBe(true);
    now += 1000;
    expect(isRefused('2001:db8::1')).toBe(false);
    expect(isRefused('2001:db8::2')).toBe(true);
    expect(isRefused(undefined)).toBe(false);
  });
});

describe('a limit by address', () => {
  test('counts the address of the connection, whatever the header says', async () => {
    const { run } = await listen({});
    expect(await run({ 'x-forwarded-for': '192.0.2.1' })).toContain('done');
    expect(await run({ 'x-forwarded-for': '192.0.2.2' })).toContain('RATE_LIMITED');
  });

  test('counts the address that a trusted proxy names', async () => {
    const { run } = await listen({ trustedProxies: ['127.0.0.0/8'] });
    expect(await run({ 'x-forwarded-for': '192.0.2.1' })).toContain('done');
    expect(await run({ 'x-forwarded-for': '192.0.2.2' })).toContain('done');
    expect(await run({ 'x-forwarded-for': '192.0.2.3, 192.0.2.2' })).toContain('RATE_LIMITED');
  });

  test('counts what a runtime of fetch says', async () => {
    const app = await McpApplication.create(WorkModule, {
      logger: new MemoryLogger(),
      fetch: { clientAddress: ({ headers }) => headers['cf-connecting-ip'] },
    });
    closing.push(() => app.close());
    const run = async (address: string): Promise<string> => {
      const request = new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'cf-connecting-ip': address,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'work', arguments: { action: 'run' } },
        }),
      });
      return (await app.fetch(request)).text();
    };
    expect(await run('2001:db8::1')).toContain('done');
    expect(await run('2001:db8::2')).toContain('RATE_LIMITED');
    expect(await run('2001:db8:0:1::1')).toContain('done');
  });
});

test('more requests than may run are refused with 503, and when one has ended the next may run', async () => {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const { post } = await listen({ maxRequests: 1 });
  const slow = post('tools/call', { name: 'work', arguments: { action: 'slow' } });
  let refused = await post('ping');
  // The first request may arrive later than the second
  while (refused.status === 200) refused = await post('ping');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  open();
  expect(await (await slow).text()).toContain('done');
  let next = await post('ping');
  while (next.status === 503) next = await post('ping');
  expect(next.status).toBe(200);
});
