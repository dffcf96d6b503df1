import { describe, expect, test } from '@jest/globals';
import type { FakeTool } from '../../../support/fake-application.ts';
import { envelope, headers2026, post2026 } from '../../../support/client-of-2026.ts';
import { send } from '../../../support/raw-http.ts';
import { modes, serve } from '../../../support/http-server.ts';

describe.each(modes)('what guards the endpoint %s', (_name, options) => {
  test.each<[string, number, Readonly<Record<string, string>>]>([
    ['another host', 403, { host: 'evil.example' }],
    ['a page from elsewhere', 403, { origin: 'https://evil.example' }],
    ['a body that is not JSON', 415, { 'content-type': 'text/plain' }],
  ])('refuses %s', async (_what, status, headers) => {
    const { url } = await serve(options);
    expect((await post2026(url, 'tools/list', {}, headers)).status).toBe(status);
  });

  test('refuses a body that is too large, too deep or no message', async () => {
    const { url } = await serve({ ...options, maxBodyBytes: 2000 });
    const call = (value: unknown) => post2026(url, 'tools/call', { name: 'echo', arguments: { value } });
    let deep: unknown = 1;
    for (let depth = 0; depth < 300; depth += 1) deep = [deep];
    expect((await call('x'.repeat(3000))).status).toBe(413);
    expect((await call(deep)).error).toMatchObject({
      code: -32600,
      message: expect.stringContaining('nested'),
    });
    const headers = headers2026('tools/list');
    expect((await send(url, { headers, body: '{' })).error?.code).toBe(-32700);
    expect((await send(url, { headers, body: '7' })).error?.code).toBe(-32600);
  });
});

describe('a result that JSON cannot carry', () => {
  const circular: FakeTool = async (_args, exchange) => {
    await exchange.log('info', 'on its way', undefined);
    const block: Record<string, unknown> = { type: 'text', text: 'round' };
    block['_meta'] = { block };
    return { content: [block] };
  };

  test.each([
    ['plain JSON', {}],
    ['a stream', { _meta: envelope({}, { 'io.modelcontextprotocol/logLevel': 'debug' }) }],
  ])('is answered with an error, as %s', async (_name, params) => {
    const { url } = await serve({}, { circular });
    const { status, body } = await post2026(url, 'tools/call', { name: 'circular', ...params });
    expect(status).toBe(200);
    expect(body).toContain('"code":-32603');
  });
});
