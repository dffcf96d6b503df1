import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Where the client of a test waits for the answer of the provider. Nobody listens there. */
export const CALLBACK = 'http://127.0.0.1:9/callback';

const CLIENT = {
  client_name: 'tester',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
};

/** What `clientOfUser` may be given; a client that registers itself is bound to the scopes of its first challenge. */
export const REGISTERED = Object.freeze({ client_id: 'registered' });

/** An identity provider where everybody is signed in as Ann, and agrees to all scopes that there are. */
export async function startIdentityProvider(
  scopes: readonly string[] = ['tasks:read'],
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const provider = new Provider(url, {
    scopes: ['openid', ...scopes],
    clients: [{ ...REGISTERED, ...CLIENT }],
    pkce: { required: () => true },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  const serve = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) {
      void serve(request, response);
      return;
    }
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      if (prompt.name === 'login') {
        await provider.interactionFinished(request, response, { login: { accountId: 'ann' } });
        return;
      }
      const grant = new provider.Grant({
        accountId: session?.accountId ?? '',
        clientId: String(params['client_id']),
      });
      const missing = (prompt.details['missingResourceScopes'] ?? {}) as Readonly<
        Record<string, readonly string[]>
      >;
      for (const [resource, wanted] of Object.entries(missing))
        grant.addResourceScope(resource, wanted.join(' '));
      const wanted = (prompt.details['missingOIDCScope'] ?? []) as readonly string[];
      if (wanted.length > 0) grant.addOIDCScope(wanted.join(' '));
      const result = { consent: { grantId: await grant.save() } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    })();
  });
  return {
    url,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a client remembers while its user signs in. It knows nothing of the provider. */
export function clientOfUser(client?: object) {
  const kept: { client?: unknown; tokens?: unknown; verifier?: string; asked?: URL } = { client };
  return {
    kept,
    redirectUrl: CALLBACK,
    clientMetadata: CLIENT,
    clientInformation: () => kept.client,
    saveClientInformation: (given: unknown) => void (kept.client = given),
    tokens: () => kept.tokens,
    saveTokens: (given: unknown) => void (kept.tokens = given),
    redirectToAuthorization: (given: URL) => void (kept.asked = given),
    saveCodeVerifier: (given: string) => void (kept.verifier = given),
    codeVerifier: () => kept.verifier ?? '',
  };
}

/** Follows redirects with cookies, as a browser does, up to the one that leads back to the client. */
export async function signIn(authorizationUrl: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = authorizationUrl.href;
  for (let n = 0; n < 10; n += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${String(response.status)} ${await response.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(CALLBACK)) return new URL(url).searchParams;
  }
  throw new Error('The sign-in does not end');
}
