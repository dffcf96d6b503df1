import { afterEach, describe, expect, test } from '@jest/globals';
import type { HttpListenOptions } from 'toolwright';
import { callBy, KINDS, serve, socketPath, waitBy } from '../../support/listening-desk.ts';
import { fetchBy } from '../../support/node-fetch.ts';
import { INITIALIZE, JSON_HEADERS } from '../../support/raw-http.ts';
import { PUBLIC_NAME, tlsProxy, type TlsProxy } from '../../support/tls-proxy.ts';

const PROXY = '127.0.0.1';
const CLIENT = '127.0.0.2';
const OPTIONS: HttpListenOptions = {
  port: 0,
  allowedHosts: [PUBLIC_NAME],
  allowedOrigins: ['https://app.example'],
  trustedProxies: [PROXY],
};

const proxies: TlsProxy[] = [];

afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

async function proxied(options: HttpListenOptions = OPTIONS, application = {}): Promise<TlsProxy> {
  const { url, socketPath: path } = await serve(options, application);
  const proxy = await tlsProxy(path === undefined ? { url } : { socketPath: path });
  proxies.push(proxy);
  return proxy;
}

/** Calls from an address that is not the proxy's, with headers beside those of the client. */
function through({ ca }: TlsProxy, headers: Readonly<Record<string, string>> = {}): typeof fetch {
  const by = fetchBy({ ca, localAddress: CLIENT, resolvesTo: PROXY });
  return (url, init) => {
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return by(url, { ...init, headers: all });
  };
}

describe('behind a proxy that ends TLS', () => {
  test.each(KINDS)('a client of %s gets its answers, and is known by its own address', async (kind) => {
    const proxy = await proxied();
    expect(await callBy(kind, proxy.url, through(proxy))).toBe(CLIENT);
  });

  test.each(KINDS)('a client of %s gets at once what a running call sends', async (kind) => {
    const proxy = await proxied();
    expect(await waitBy(kind, proxy.url, through(proxy))).toEqual([1, 'done']);
  });

  test('a stream that has nothing to send yet is open for its client', async () => {
    const proxy = await proxied();
    const by = through(proxy);
    const opened = await by(proxy.url, { method: 'POST', body: INITIALIZE, headers: JSON_HEADERS });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const leaving = new AbortController();
    const { signal } = leaving;
    const stream = await by(proxy.url, { headers: { accept: 'text/event-stream', ...session }, signal });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    leaving.abort();
  });

  test('a socket is reached alike', async () => {
    const { port: _, trustedProxies: __, ...options } = OPTIONS;
    const proxy = await proxied({ ...options, socketPath: socketPath(), trustedProxies: ['unix:'] });
    expect(await callBy('SDK v1', proxy.url, through(proxy))).toBe(CLIENT);
  });

  test('what a client writes into X-Forwarded-For is not believed', async () => {
    const forged = { 'x-forwarded-for': '198.51.100.7' };
    const proxy = await proxied();
    expect(await callBy('SDK v1', proxy.url, through(proxy, forged))).toBe(CLIENT);
    const unnamed = await proxied({ ...OPTIONS, trustedProxies: ['192.0.2.0/24'] });
    expect(await callBy('SDK v1', unnamed.url, through(unnamed, forged))).toBe(PROXY);
  });

  test('who passes the proxy by is known by the connection, whatever it says', async () => {
    const { url } = await serve({ ...OPTIONS, allowedHosts: [PROXY] });
    const by = fetchBy({ localAddress: CLIENT });
    const forging: typeof fetch = (target, init) => {
      const headers = new Headers(init?.headers);
      headers.set('x-forwarded-for', '198.51.100.7');
      return by(target, { ...init, headers });
    };
    expect(await callBy('SDK v1', url, forging)).toBe(CLIENT);
  });

  test.each([
    ['the public name', {}, 200],
    ['another Host', { host: 'evil.example' }, 403],
    ['the name of the server itself', { host: PROXY }, 403],
    [
      'another Host beside the name in X-Forwarded-Host',
      { host: 'evil.example', 'x-forwarded-host': PUBLIC_NAME },
      403,
    ],
    ['a page of an allowed origin', { origin: 'https://app.example' }, 200],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
  ])('a request with %s is checked by what the client sent', async (_what, headers, status) => {
    const proxy = await proxied();
    const asked = { method: 'POST', body: INITIALIZE, headers: JSON_HEADERS };
    expect((await through(proxy, headers)(proxy.url, asked)).status).toBe(status);
  });

  test('the metadata is that of the public URL, whatever X-Forwarded-Host says', async () => {
    const verify = { verify: () => undefined, issuers: ['https://login.example'] };
    const resource = `https://${PUBLIC_NAME}/mcp`;
    const proxy = await proxied(OPTIONS, { auth: { verify, resource } });
    const by = through(proxy, { 'x-forwarded-host': 'evil.example' });
    const refused = await by(proxy.url, { method: 'POST', body: INITIALIZE, headers: JSON_HEADERS });
    expect(refused.headers.get('www-authenticate')).toContain(
      `https://${PUBLIC_NAME}/.well-known/oauth-protected-resource/mcp`,
    );
    const document = await by(new URL('/.well-known/oauth-protected-resource/mcp', proxy.url));
    expect(await document.json()).toMatchObject({ resource });
  });

  test('its connections stay open between requests, for longer than nginx keeps idle ones', async () => {
    const proxy = await proxied({ ...OPTIONS, sessions: false });
    const ping = () => through(proxy)(proxy.url, { method: 'POST', body: INITIALIZE, headers: JSON_HEADERS });
    for (let count = 0; count < 3; count += 1) await (await ping()).text();
    expect(proxy.connections()).toBe(1);
    expect(Number(/^timeout=(\d+)$/.exec(proxy.keepAlive() ?? '')?.[1])).toBeGreaterThan(60);
  });
});
