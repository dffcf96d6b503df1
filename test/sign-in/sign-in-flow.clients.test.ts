import { afterEach, describe, expect, test } from '@jest/globals';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { clientOfUser } from '../support/identity-provider.ts';
import { Browser } from '../support/sign-in/browser.ts';
import { CALLBACK, isCallback, startDesk, type Desk, type DeskOptions } from '../support/sign-in/desk.ts';
import { textOf } from '../support/text-of.ts';

const DOCUMENT = 'https://client.example/oauth/document.json';
const METADATA = { client_name: 'The tester', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened(options: DeskOptions): Promise<Desk> {
  const desk = await startDesk(options);
  closing.push(() => desk.close());
  return desk;
}

/** What a client keeps for its user, who agrees on the page. */
function user(hasDocument: boolean) {
  const kept = clientOfUser();
  const metadata = {
    ...METADATA,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  const invalidateCredentials = (which: string): void => {
    if (which === 'all' || which === 'tokens') kept.saveTokens(undefined);
  };
  return Object.assign(kept, {
    invalidateCredentials,
    clientMetadata: metadata,
    ...(hasDocument && { clientMetadataUrl: DOCUMENT }),
  });
}

async function agree(kept: ReturnType<typeof user>): Promise<URLSearchParams> {
  const browser = new Browser();
  const page = await browser.open((kept.kept.asked as URL).href, isCallback);
  return new URL((await browser.press(page, 'allow', isCallback)).url).searchParams;
}

interface SignedIn {
  call(action: string): Promise<string>;
  agree(): Promise<void>;
  readonly kept: ReturnType<typeof user>;
}

async function withClient1(url: URL, kept: ReturnType<typeof user>): Promise<SignedIn> {
  const options = { authProvider: kept as never };
  const first = new Transport1(url, options);
  await expect(new Client1({ name: 'tester', version: '1.0.0' }).connect(first as never)).rejects.toThrow();
  await first.finishAuth((await agree(kept)).get('code') ?? '');
  const client = new Client1({ name: 'tester', version: '1.0.0' });
  const transport = new Transport1(url, options);
  await client.connect(transport);
  closing.push(() => client.close());
  return {
    kept,
    call: async (action) => textOf((await client.callTool({ name: 'desk', arguments: { action } })) as never),
    agree: async () => transport.finishAuth((await agree(kept)).get('code') ?? ''),
  };
}

const withClient2 =
  (mode: 'legacy' | { readonly pin: string }) =>
  async (url: URL, kept: ReturnType<typeof user>): Promise<SignedIn> => {
    const options = { authProvider: kept as never };
    const made = () => new Client2({ name: 'tester', version: '2.0.0' }, { versionNegotiation: { mode } });
    const first = new Transport2(url, options);
    await expect(made().connect(first)).rejects.toThrow();
    await first.finishAuth(await agree(kept));
    const client = made();
    const transport = new Transport2(url, options);
    await client.connect(transport);
    closing.push(() => client.close());
    return {
      kept,
      call: async (action) => textOf(await client.callTool({ name: 'desk', arguments: { action } })),
      agree: async () => transport.finishAuth(await agree(kept)),
    };
  };

const CLIENTS = [
  ['SDK 1', withClient1],
  ['SDK 2, in the era of 2025', withClient2('legacy')],
  ['SDK 2, in the era of 2026', withClient2({ pin: '2026-07-28' })],
] as const;

/** The document of the client, without a network. */
const DOCUMENTS = {
  fetch: async () => Response.json({ ...METADATA, client_id: DOCUMENT }),
};

describe.each(CLIENTS)('a client of %s', (_name, signedIn) => {
  test.each([
    ['registers itself', false, {}],
    ['shows a document', true, {}],
    ['registers itself where the issuer has a path', false, { issuerPath: '/people' }],
  ] as const)('%s, signs a person in, and calls', async (_case, hasDocument, options) => {
    const desk = await opened({
      ...options,
      signIn: { clients: { metadata: hasDocument ? DOCUMENTS : false } },
    });
    const client = await signedIn(new URL(desk.url), user(hasDocument));
    expect(JSON.parse(await client.call('who'))).toMatchObject({
      ...{ sub: 'ann', roles: ['editor'], scopes: ['desk:read'] },
      client: hasDocument ? DOCUMENT : (expect.stringMatching(/^dcr-[\w-]{22}$/) as unknown),
    });
  });

  test('signs in once more for what a call lacks', async () => {
    const desk = await opened({});
    const client = await signedIn(new URL(desk.url), user(false));
    await expect(client.call('close')).rejects.toThrow();
    await client.agree();
    expect(await client.call('close')).toBe('closed');
  });
});
