import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from 'toolwright';
import { exposeNest, type ExposeNestOptions } from 'toolwright/nest';
import { oidc } from 'toolwright/sign-in';
import { freePort, HandClient, SECRET } from '../support/sign-in/desk.ts';
import { CLIENT_ID, CLIENT_SECRET, startUpstream } from '../support/sign-in/upstream.ts';
import { textOf } from '../support/text-of.ts';
import { createShop, loadNest, type Listening } from './shop.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Started {
  readonly origin: string;
  readonly issuer: string;
  readonly shop: Listening;
}

async function start(
  platform: 'express' | 'fastify',
  options: ExposeNestOptions = {},
  issuerPath = '/mcp-sign-in',
): Promise<Started> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const issuer = `${origin}${issuerPath}`;
  const upstream = await startUpstream([`${issuer}/sign-in/callback`]);
  ends.push(() => {
    upstream.close();
  });
  const provider = oidc({
    issuer: upstream.url,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    title: 'Acme ID',
  });
  const shop = await createShop(loadNest(11), platform);
  ends.push(() => shop.close());
  await exposeNest(shop, {
    name: 'shop',
    include: ['answers.echo', 'tasks.find'],
    logger: () => undefined,
    secrets: [SECRET],
    identity: (caller) => ({ authorization: `Own ${String(caller?.extra?.['sub'])}` }),
    auth: { resource: `${origin}/mcp`, signIn: { provider, issuer, scopes: { 'shop:use': 'Use the shop' } } },
    ...options,
  });
  await shop.listen(port, '127.0.0.1');
  return { origin, issuer, shop };
}

describe.each(['express', 'fastify'] as const)(
  'signing in beside an application of Nest on %s',
  (platform) => {
    test('people sign in, their token counts at /mcp, and guards see the identity alone', async () => {
      const { origin, issuer } = await start(platform);
      const client = await HandClient.register(issuer);
      const { access_token: token } = (await client.tokens(undefined, { scope: 'shop:use' })) as unknown as {
        readonly access_token: string;
      };
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const mcp = new Client({ name: 'tester', version: '1.0.0' });
      await mcp.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
      ends.push(() => mcp.close());
      const result = (await mcp.callTool({
        name: 'answers',
        arguments: { action: 'echo' },
      })) as CallToolResult;
      const { headers } = JSON.parse(textOf(result)) as { headers: { authorization: string } };
      expect(headers.authorization).toMatch(/^Own ./);
      expect(JSON.stringify(headers)).not.toContain(token);
    });

    test('metadata is where clients look for it, and REST is as it was', async () => {
      const { origin, issuer } = await start(platform);
      for (const path of ['oauth-authorization-server', 'openid-configuration']) {
        const metadata = await fetch(`${origin}/.well-known/${path}/mcp-sign-in`);
        expect(await metadata.json()).toMatchObject({ issuer });
      }
      expect((await fetch(`${origin}/api/tasks?text=a`)).status).toBe(200);
      const created = await fetch(`${origin}/api/tasks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"title":"T"}',
      });
      expect(created.status).toBe(201);
      expect((await fetch(`${origin}/api/mcp-sign-in`)).status).toBe(404);
    });
  },
);

test.each<[ExposeNestOptions, string, RegExp]>([
  [{}, '', /TW_SIGN_IN_PATH[^]*has no path/],
  [{}, '/api/tasks', /TW_SIGN_IN_PATH[^]*answers GET \/api\/tasks/],
  [{ identity: 'same-server' }, '/mcp-sign-in', /TW_APPLICATION_OPTION[^]*identity: 'none'/],
])('refuses %j at the issuer path "%s"', async (options, path, message) => {
  await expect(start('express', options, path)).rejects.toThrow(message);
});
