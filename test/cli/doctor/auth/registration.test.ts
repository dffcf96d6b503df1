import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { examineSignIn, problems } from '../../../support/examine-sign-in.ts';
import { SignInServer } from '../../../support/sign-in-server.ts';

let server: SignInServer;

beforeEach(async () => {
  server = await SignInServer.start();
});
afterEach(() => server.close());

describe('a server that takes documents of clients', () => {
  const documents = (url: string): object => ({
    client_id: url,
    client_name: 'A client',
    redirect_uris: ['http://localhost/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  });

  beforeEach(async () => {
    await server.close();
    server = await SignInServer.start({
      ...{ features: { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } } },
      // The hosts of the clients, as seen from the provider
      fetch: (url: URL | string) => Promise.resolve(Response.json(documents(String(url)))),
    });
  });

  test('needs no registration of a client that has one', async () => {
    const examined = await examineSignIn(server.url, ['--client', 'claude-code']);
    expect(problems(examined)).toEqual([]);
    expect(examined.checks.find(({ about }) => about === 'registration')?.found).toBe(
      'none needed: its document is https://claude.ai/oauth/claude-code-client-metadata',
    );
    expect(server.asked).not.toContain('POST /reg');
    expect(examined.checks.filter(({ about }) => about === 'authorize').length).toBe(2);
  });

  test('cannot be tried with a document that only the client knows', async () => {
    const { checks } = await examineSignIn(server.url, ['--client', 'chatgpt']);
    const { state, found } = checks.find(({ about }) => about === 'registration') ?? {};
    expect([state, found]).toEqual([
      'note',
      expect.stringContaining('https://chatgpt.com/oauth/*/client.json'),
    ]);
  });

  test('registers a client that has none', async () => {
    expect(problems(await examineSignIn(server.url, ['--client', 'cursor']))).toEqual([]);
    expect(server.asked).toContain('POST /reg');
  });

  test('that cannot fetch one has to reach its host', async () => {
    await server.close();
    server = await SignInServer.start({
      ...{ features: { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } } },
      fetch: () => Promise.reject(new Error('no way out')),
    });
    const [first] = problems(await examineSignIn(server.url, ['--client', 'claude-code']));
    expect(first).toMatchObject({
      about: 'authorize',
      state: 'problem',
      fix: expect.stringContaining(
        'let the server fetch https://claude.ai/oauth/claude-code-client-metadata',
      ),
    });
  });
});

test('a client that has lost all its redirects is taken no further', async () => {
  server.fault = ({ path, method }) => {
    if (path === '/reg' && method === 'POST')
      return { status: 201, body: { client_id: 'x', redirect_uris: [] } };
    return path === '/auth' ? { status: 303, headers: { location: 'https://id.example/login' } } : undefined;
  };
  const examined = await examineSignIn(server.url, ['--client', 'cursor']);
  expect(examined.code).toBe(1);
  expect(problems(examined).map(({ about }) => about)).toEqual(['registration']);
});
