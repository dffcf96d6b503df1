import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Action,
  ApplicationError,
  McpApplication,
  Module,
  ReadOnly,
  ToolGroup,
  type ApplicationOptions,
} from 'toolwright';
import { testVerifier } from '../../support/callers.ts';
import { documentFaults } from '../../support/published-schemas.ts';
import { INITIALIZE } from '../../support/raw-http.ts';
import { rejectionOf } from '../../support/thrown.ts';

@ToolGroup('forecasts')
class Forecasts {
  @Action('Say how it will be') @ReadOnly() tomorrow(): string {
    return 'fine';
  }
}

@Module({ controllers: [Forecasts] })
class WeatherModule {}

const CARD = { description: 'Weather and forecasts', remotes: [{ url: 'https://weather.example.com/mcp' }] };
const NAMED = { name: 'com.example/weather', version: '1.2.0', card: CARD };
const OWN = '/mcp/server-card';
const SCANNED = '/.well-known/mcp/server-card.json';
const CATALOG = '/.well-known/ai-catalog.json';

let app: McpApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const serve = async (
  options: ApplicationOptions = NAMED,
): Promise<(path: string, init?: RequestInit) => Promise<Response>> => {
  app = await McpApplication.create(WeatherModule, options);
  const { url } = await app.listen({ port: 0, signals: false });
  return (path, init) => fetch(new URL(path, url), init);
};

describe('a server card', () => {
  test('says who the server is, at both places, to pages of every origin, and names no tool', async () => {
    const ask = await serve({ ...NAMED, title: 'Weather', icons: [{ src: 'https://example.com/icon.png' }] });
    const response = await ask(OWN, { headers: { origin: 'https://elsewhere.example' } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/mcp-server-card+json',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
      'cache-control': 'public, max-age=3600',
    });
    const text = await response.text();
    const card: unknown = JSON.parse(text);
    expect(documentFaults('card', card)).toEqual([]);
    expect(card).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      ...{ name: 'com.example/weather', version: '1.2.0', description: CARD.description, title: 'Weather' },
      icons: [{ src: 'https://example.com/icon.png' }],
      remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
    });
    expect(text).not.toContain('tomorrow');
    expect(await (await ask(SCANNED)).text()).toBe(text);
    expect(await (await ask(CATALOG)).json()).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:example.com:mcp:weather',
          type: 'application/mcp-server-card+json',
          data: card,
        },
      ],
    });
  });

  test('is not sent again to who has it', async () => {
    const ask = await serve();
    const { headers } = await ask(OWN);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(OWN, { headers: { 'if-none-match': sent } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    }
    expect((await ask(OWN, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await ask(CATALOG)).headers.get('etag')).not.toBe(etag);
  });

  test('is read only, and leaves the endpoint as it is', async () => {
    const ask = await serve();
    const answers = await Promise.all(
      ['HEAD', 'OPTIONS', 'POST', 'DELETE'].map((method) => ask(OWN, { method })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 405, 405]);
    expect(answers[2]?.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const accept = 'application/json, text/event-stream';
    const begun = await ask('/mcp', {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: INITIALIZE,
    });
    const session = begun.headers.get('mcp-session-id') ?? '';
    const gone = new AbortController();
    const stream = await ask('/mcp', { headers: { accept, 'mcp-session-id': session }, signal: gone.signal });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    gone.abort();
  });

  test('is open where the endpoint asks for a token, and its address is the one for signing in', async () => {
    const auth = { resource: 'https://weather.example.com/t/{tenant}/mcp', verify: testVerifier };
    const { remotes: _none, ...card } = CARD;
    const ask = await serve({ ...NAMED, auth, card });
    expect((await ask('/t/acme/mcp', { method: 'POST' })).status).toBe(401);
    const response = await ask('/t/acme/mcp/server-card');
    const found = (await response.json()) as object;
    expect(documentFaults('card', found)).toEqual([]);
    expect(found).toMatchObject({
      remotes: [{ url: auth.resource, variables: { tenant: { isRequired: true } } }],
    });
    expect((await ask('/other/server-card')).status).toBe(404);
  });

  test('names no address of this machine, and describes headers without their values', async () => {
    const remotes = [
      { url: CARD.remotes[0]!.url, headers: [{ name: 'X-API-Key', isRequired: true, isSecret: true }] },
    ];
    app = await McpApplication.create(WeatherModule, { ...NAMED, card: { ...CARD, remotes } });
    const card: unknown = await (
      await app.fetch(new Request('https://weather.example.com/any/server-card'))
    ).json();
    expect(documentFaults('card', card)).toEqual([]);
    expect(card).toMatchObject({ remotes: [{ type: 'streamable-http', ...remotes[0] }] });
    await app.close();
    const auth = { resource: 'http://localhost:3000/mcp', verify: testVerifier };
    app = await McpApplication.create(WeatherModule, { ...NAMED, auth, card: { description: 'Weather' } });
    const local = await app.fetch(new Request(`http://localhost:3000${SCANNED}`));
    expect(await local.json()).not.toHaveProperty('remotes');
  });

  test('is one for all surfaces, and is there where another server passes requests on', async () => {
    const ask = await serve({ ...NAMED, surface: { use: 'grouped', choose: ['path'] } });
    expect([(await ask(OWN)).status, (await ask('/mcp/flat/server-card')).status]).toEqual([200, 404]);
    const server = createServer((request, response) => void app?.node(request, response));
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve((server.address() as AddressInfo).port);
      });
    });
    const passed = await fetch(`http://127.0.0.1:${String(port)}${OWN}`);
    expect([passed.status, await passed.json()]).toMatchObject([200, { name: NAMED.name }]);
    server.closeAllConnections();
    server.close();
  });

  test('is there with the option only', async () => {
    const ask = await serve({ name: 'weather' });
    for (const path of [OWN, SCANNED, CATALOG]) expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });
});

test('what no catalogue would take keeps the application from starting, all of it in one error', async () => {
  const error = await rejectionOf(
    McpApplication.create(WeatherModule, {
      ...{ name: 'weather', title: 'W'.repeat(101), version: '^1.2.0' },
      card: {
        description: 'one\u0007line',
        websiteUrl: 'javascript:alert(1)',
        repository: { url: 'git@github.com:ann/weather.git', source: 'github' },
        remotes: [{ url: 'not a URL' }, { url: 'https://ann:secret@example.com/mcp' }],
      },
    }),
    ApplicationError,
  );
  const places = error.problems.map(({ where }) => where.replace('McpApplication.create(), option ', ''));
  expect(places.sort()).toEqual([
    'card.description',
    'card.remotes[0].url',
    'card.remotes[1].url',
    'card.repository',
    'card.websiteUrl',
    'name',
    'title',
    'version',
  ]);
  expect(String(error)).not.toContain('\u0007');
});
