import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { jwt } from '../../src/auth/index.ts';
import { McpApplication } from '../../src/index.ts';
import { clientOfUser, signIn, startIdentityProvider } from '../support/identity-provider.ts';
import { WhoModule, type Seen } from '../support/protected-app.ts';

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let app: McpApplication;
let url: URL;

beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await McpApplication.create(WhoModule, {
    auth: { verify: jwt({ issuer: provider.url }), scopesSupported: ['tasks:read'] },
  });
  url = new URL((await app.listen({ port: 0, signals: false })).url);
});
afterAll(async () => {
  await app.close();
  provider.close();
});

const CALL = { name: 'who', arguments: { action: 'ami' } };

function check(result: unknown): void {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  const { authInfo } = JSON.parse(content[0]?.text ?? '') as Seen;
  expect(authInfo).toMatchObject({ scopes: ['tasks:read'], extra: { sub: 'ann', issuer: provider.url } });
}

test('a client of SDK 1 signs in from the first refusal, without configuration', async () => {
  const authProvider = clientOfUser();
  const first = new Transport1(url, { authProvider: authProvider as never });
  await expect(new Client1({ name: 'tester', version: '1.0.0' }).connect(first as never)).rejects.toThrow();
  const answer = await signIn(authProvider.kept.asked as URL);
  await first.finishAuth(answer.get('code') ?? '');
  const client = new Client1({ name: 'tester', version: '1.0.0' });
  await client.connect(new Transport1(url, { authProvider: authProvider as never }));
  check(await client.callTool(CALL));
  await client.close();
});

test.each([
  ['2025', 'legacy' as const],
  ['2026', { pin: '2026-07-28' } as const],
])(
  'a client of SDK 2 signs in from the first refusal, without configuration, in the era of %s',
  async (_era, mode) => {
    const authProvider = clientOfUser();
    const made = () => new Client2({ name: 'tester', version: '2.0.0' }, { versionNegotiation: { mode } });
    const first = new Transport2(url, { authProvider: authProvider as never });
    await expect(made().connect(first)).rejects.toThrow();
    const answer = await signIn(authProvider.kept.asked as URL);
    await first.finishAuth(answer);
    const client = made();
    await client.connect(new Transport2(url, { authProvider: authProvider as never }));
    check(await client.callTool(CALL));
    await client.close();
  },
);
