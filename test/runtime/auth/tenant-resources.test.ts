import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiKeys, createApiKey, jwt } from '../../../src/auth/index.ts';
import {
  Action,
  McpApplication,
  Module,
  Public,
  Scopes,
  ToolContext,
  ToolGroup,
} from '../../../src/index.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { ResourceServer } from '../../../src/runtime/auth/resource-server.ts';
import { WhoModule } from '../../support/protected-app.ts';
import { message, send, type RawResponse } from '../../support/raw-http.ts';
import { TokenIssuer } from '../../support/token-issuer.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const at = (tenant: string): string => `https://mcp.example/t/${tenant}/mcp`;

@ToolGroup({ name: 'desk' })
class DeskTools {
  @Action('Says whose desk it is')
  whose(ctx: ToolContext) {
    return `the desk of ${String(ctx.tenant)}`;
  }

  @Action('Says what this is')
  @Public()
  about() {
    return 'a desk';
  }

  @Action('Closes the desk')
  @Scopes('desk:close')
  close() {
    return 'closed';
  }
}

@Module({ controllers: [DeskTools] })
class DeskModule {}

let acme: TokenIssuer;
let globex: TokenIssuer;
let app: McpApplication;
let url: string;
const created = createApiKey('desk_');

beforeAll(async () => {
  [acme, globex] = await Promise.all([TokenIssuer.start(), TokenIssuer.start()]);
  const tokens = jwt({
    issuers: [
      { issuer: acme.url, tenant: 'acme' },
      { issuer: globex.url, tenant: 'globex' },
    ],
  });
  const keys = apiKeys({
    prefix: 'desk_',
    find: (hash) => (hash === created.hash ? { clientId: 'cron', tenant: 'acme' } : undefined),
  });
  app = await McpApplication.create(DeskModule, {
    logger: new MemoryLogger(),
    auth: { resource: at('{tenant}'), verify: [tokens, keys] },
  });
  ({ url } = await app.listen({ port: 0, signals: false, sessions: false }));
});
afterAll(async () => {
  await app.close();
  await Promise.all([acme.close(), globex.close()]);
});

const call = (tenant: string, token?: string, action = 'whose'): Promise<RawResponse> =>
  send(url, {
    path: `/t/${tenant}/mcp`,
    body: message('tools/call', { name: 'desk', arguments: { action } }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

describe('with a path for each tenant', () => {
  test('each tenant has metadata of its own, with those who sign its people in', async () => {
    for (const [tenant, issuer] of [
      ['acme', acme],
      ['globex', globex],
    ] as const) {
      const response = await send(url, { method: 'GET', path: `${WELL_KNOWN}/t/${tenant}/mcp` });
      expect(JSON.parse(response.body)).toMatchObject({
        resource: at(tenant),
        authorization_servers: [issuer.url],
      });
    }
  });

  test.each([
    WELL_KNOWN,
    `${WELL_KNOWN}/t/nobody/mcp`,
    `${WELL_KNOWN}/t/{tenant}/mcp`,
    `${WELL_KNOWN}/t/acme/mcp/more`,
    '/t/acme/globex/mcp',
    '/t/{tenant}/mcp',
    '/t/%7Btenant%7D/mcp',
    '/t/../mcp',
    '/t/.acme/mcp',
    '/t/acme%2fmcp',
    '/t/acme/../acme/mcp',
    '/t/acme/mcp//',
    '//t/acme/mcp',
    '/T/acme/mcp',
    `/t/${'a'.repeat(65)}/mcp`,
    '/t/%61cme/mcp',
    '/t//mcp',
    '/mcp',
  ])('nothing is at %s', async (path) => {
    expect((await send(url, { method: 'POST', path, body: '{}' })).status).toBe(404);
  });

  test('a token counts at the path that it was issued for, with the tenant that it names', async () => {
    const ours = await acme.sign({ aud: at('acme') });
    const wide = await acme.sign({ aud: [at('acme'), at('globex')] });
    const theirs = await globex.sign({ aud: at('globex') });
    expect((await call('acme', ours)).body).toContain('the desk of acme');
    expect((await call('globex', theirs)).body).toContain('the desk of globex');
    expect((await call('acme', wide)).status).toBe(200);
    const refusals = [
      await call('globex', ours),
      await call('globex', wide),
      await call('acme', theirs),
      await call('nobody', wide),
      await call('acme', await acme.sign({ aud: at('{tenant}') })),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(refusals[1]?.headers['www-authenticate']).toContain('another tenant');
  });

  test('an API key counts at the path of its tenant', async () => {
    expect([(await call('acme', created.key)).status, (await call('globex', created.key)).status]).toEqual([
      200, 401,
    ]);
  });

  test('every request needs a token, and is shown the metadata of its path', async () => {
    const refused = await call('globex', undefined, 'about');
    expect(refused.status).toBe(401);
    const challenge = refused.headers['www-authenticate'];
    expect(challenge).toContain(`https://mcp.example${WELL_KNOWN}/t/globex/mcp"`);
    expect(challenge).not.toContain('error=');
  });

  test('a missing scope is asked for with the metadata of the tenant', async () => {
    const refused = await call('acme', await acme.sign({ aud: at('acme') }), 'close');
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain(`${WELL_KNOWN}/t/acme/mcp"`);
  });
});

test('a claim names the tenant where one issuer has several', async () => {
  const resource = at('{tenant}');
  const verify = jwt({ issuer: acme.url, claims: { tenant: 'org' } });
  const shared = await McpApplication.create(WhoModule, { auth: { resource, verify } });
  const serve = async (path: string, token: string) =>
    shared.fetch(
      new Request(`https://mcp.example${path}`, {
        method: 'POST',
        body: message('tools/call', { name: 'who', arguments: { action: 'ami' } }),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
      }),
    );
  const token = await acme.sign({ aud: at('initech'), org: 'initech' });
  expect((await serve('/t/initech/mcp', token)).status).toBe(200);
  expect((await serve('/t/acme/mcp', token)).status).toBe(401);
  const unnamed = await acme.sign({ aud: at('initech') });
  expect((await serve('/t/initech/mcp', unnamed)).status).toBe(401);
  const metadata = await shared.fetch(new Request(`https://mcp.example${WELL_KNOWN}/t/initech/mcp`));
  expect(await metadata.json()).toMatchObject({ resource: at('initech') });
  await shared.close();
});

test('a place for the tenant is one part of the path, and the path of listen() is the same', async () => {
  const verify = jwt({ issuer: acme.url });
  for (const resource of [
    'https://{tenant}/mcp',
    'https://{tenant}.example/mcp',
    'https://mcp.example/t-{tenant}/mcp',
    'https://mcp.example/{tenant}/{tenant}',
  ]) {
    await expect(McpApplication.create(WhoModule, { auth: { resource, verify } })).rejects.toThrow(
      'auth.resource',
    );
  }
  await expect(app.listen({ port: 0, path: '/mcp', signals: false })).rejects.toThrow('leave path out');
});

test('tenants that requests only name take little memory', async () => {
  const auth = { resource: at('{tenant}'), verify: jwt({ issuer: acme.url }) };
  const server = new ResourceServer(auth, new MemoryLogger());
  const sentHeader = (name: string) => (name === 'authorization' ? 'Bearer x' : null);
  const credentials = { method: 'POST', sentHeader };
  const used = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = used();
  let refused = 0;
  for (let each = 0; each < 1000; each += 1) {
    const tenant = server.at({ path: `/t/t${String(each)}/mcp` });
    await Promise.resolve(tenant.callerOf(credentials)).catch(() => (refused += 1));
  }
  expect(refused).toBe(1000);
  expect(used() - before).toBeLessThan(64 * 1024 * 1024);
});
