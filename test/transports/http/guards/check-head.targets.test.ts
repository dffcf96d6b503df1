import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { HttpServing } from '../../../../src/transports/serving.ts';
import { INITIALIZE, send } from '../../../support/raw-http.ts';
import { serve } from '../../../support/http-server.ts';

interface Head {
  readonly target?: string;
  readonly hosts?: readonly string[];
  readonly types?: readonly string[];
  readonly more?: readonly string[];
}

/** The status line of the answer to a request of which every byte is chosen. */
async function statusOf(serving: HttpServing, head: Head, body = INITIALIZE): Promise<string> {
  const { target = '/mcp', hosts = ['localhost'], types = ['application/json'], more = [] } = head;
  const framing = more.some((line) => /^transfer/i.test(line))
    ? []
    : [`Content-Length: ${String(Buffer.byteLength(body))}`];
  const lines = [
    `POST ${target} HTTP/1.1`,
    ...hosts.map((host) => `Host: ${host}`),
    ...types.map((type) => `Content-Type: ${type}`),
    'Accept: application/json, text/event-stream',
    'Connection: close',
    ...framing,
    ...more,
  ];
  const socket = connect(serving.port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const answer = await text(socket);
  return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3);
}

describe('on all interfaces, where every host is served', () => {
  const open = { host: '0.0.0.0' };

  test.each([
    ['/other', 'x/mcp?'],
    ['/other', 'x\\mcp?'],
    ['/mcp', 'x/mcp?'],
    ['/mcp', 'x#'],
    ['/mcp', 'ann@x'],
    ['/mcp', 'x:80:80'],
    ['/mcp', '[::1'],
  ])('the target %s of the host %s is a mistake of the client', async (target, host) => {
    expect(await statusOf(await serve(open), { target, hosts: [host] })).toBe('400');
  });

  test.each(['x', 'x.example:8080', '[::1]:80', '127.0.0.1', ''])('the host %j is served', async (host) => {
    expect(await statusOf(await serve(open), { hosts: [host] })).toBe('200');
  });

  test('a host is never a part of the path', async () => {
    const serving = await serve(open);
    expect(await statusOf(serving, { target: '/other', hosts: ['mcp'] })).toBe('404');
    expect(await statusOf(serving, { target: 'http://x/other', hosts: ['x'] })).toBe('404');
    expect(await statusOf(serving, { target: 'http://x/mcp?a=b', hosts: ['x'] })).toBe('200');
  });
});

test.each([
  '/x/%2e%2e/mcp',
  '/%2e/mcp',
  '/.\\mcp',
  '/./mcp',
  '/x/../mcp',
  '\\mcp',
  '/m%63p',
  '/mcp#x',
  '//mcp',
])('the path %s is another than the endpoint’s', async (target) => {
  expect(['404', '400']).toContain(await statusOf(await serve(), { target }));
});

test.each(['/mcp', '/mcp/', '/mcp?x=..', '/mcp?x=%2e%2e/y'])('%s is the endpoint', async (target) => {
  expect(await statusOf(await serve(), { target })).toBe('200');
});

describe('a request that a proxy may have read in another way is refused', () => {
  test.each<[string, Head, string]>([
    ['two hosts', { hosts: ['localhost', 'evil.example'] }, '400'],
    ['the same host twice', { hosts: ['localhost', 'localhost'] }, '400'],
    [
      'two hosts beside that of the target',
      { target: 'http://localhost/mcp', hosts: ['localhost', 'evil.example'] },
      '400',
    ],
    ['two types', { types: ['application/json', 'text/plain'] }, '400'],
    ['a coding within chunks', { more: ['Transfer-Encoding: gzip, chunked'] }, '501'],
    ['UTF-16', { types: ['application/json; charset=utf-16'] }, '415'],
    ['UTF-7', { types: ['application/json;charset="utf-7"'] }, '415'],
  ])('for %s', async (_name, head, status) => {
    const serving = await serve({ sessions: false });
    const body = head.more === undefined ? INITIALIZE : '0\r\n\r\n';
    expect(await statusOf(serving, head, body)).toBe(status);
    // The same once more, now that a head like it is known.
    const { target } = head;
    const like = target === undefined ? {} : { target };
    expect(await statusOf(serving, like)).toBe('200');
    expect(await statusOf(serving, like)).toBe('200');
    expect(await statusOf(serving, head, body)).toBe(status);
  });

  test.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'but not for %s',
    async (type) => {
      expect(await statusOf(await serve(), { types: [type] })).toBe('200');
    },
  );
});

describe('what a client repeats does not come back', () => {
  const HUGE = 'x'.repeat(100_000);
  const request2026 = (revision: string, method = 'tools/list') => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });

  test.each<[string, object, Record<string, string>]>([
    ['as an unknown member', { jsonrpc: '2.0', id: 1, method: 'ping', [HUGE]: 1 }, {}],
    ['as an id', { jsonrpc: '2.0', id: HUGE, method: 'ping' }, {}],
    ['as a method', { jsonrpc: '2.0', id: 1, method: HUGE }, {}],
    [
      'as a progress token',
      { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: HUGE } } },
      {},
    ],
    ['as a method of 2026-07-28', request2026('2026-07-28', HUGE), { 'mcp-protocol-version': '2026-07-28' }],
    ['as a revision', request2026(HUGE), { 'mcp-protocol-version': '2026-07-28' }],
    ['as a revision without a header', request2026(HUGE), {}],
  ])('%s', async (_name, body, headers) => {
    const { url } = await serve({ sessions: false });
    const response = await send(url, { body: JSON.stringify(body), headers });
    expect(response.status).toBe(400);
    expect(response.body.length).toBeLessThan(2000);
  });
});

test.each(['é', 'Z', '2026-7-28', '2027'])('%s is not a revision since 2026-07-28', async (revision) => {
  const { url } = await serve({ sessions: false });
  const headers = { 'mcp-protocol-version': Buffer.from(revision).toString('latin1') };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const response = await send(url, { headers, body });
  expect([response.status, response.error?.message]).toEqual([
    400,
    expect.stringMatching(/^Unsupported protocol version/),
  ]);
});
