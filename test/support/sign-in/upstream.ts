import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const CLIENT_ID = 'toolwright';
export const CLIENT_SECRET = 'a-secret-of-the-application';

/** What the provider says of a person. */
export interface UpstreamPerson {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export interface Upstream {
  readonly url: string;
  /** Who signs in next; undefined for somebody who refuses there. */
  person: UpstreamPerson | undefined;
  /** Answers in place of the provider, where it gives true. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Paths that were asked for. */
  readonly asked: string[];
  close(): void;
}

/** An unmodified oidc-provider that applications sign people in with. Everybody agrees there, without a page. */
export async function startUpstream(callbacks: readonly string[]): Promise<Upstream> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const people = new Map<string, UpstreamPerson>();
  const provider = new Provider(url, {
    scopes: ['openid', 'offline_access', 'profile', 'email'],
    claims: { openid: ['sub', 'roles', 'tid'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: callbacks,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: ['a key of cookies'] },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    // Each that is left out writes a notice to stdout
    ttl: {
      ...{ AccessToken: 3600, AuthorizationCode: 60, Grant: 86_400, IdToken: 3600 },
      ...{ Interaction: 900, RefreshToken: 86_400, Session: 86_400 },
    },
    findAccount: (_ctx: unknown, id: string) =>
      people.has(id) ? { accountId: id, claims: () => people.get(id) } : undefined,
    interactions: { url: (_ctx: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
    } as never,
  } as never);
  const serve = provider.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (upstream.person === undefined) {
      const denied = { error: 'access_denied', error_description: '<script>alert(1)</script>' };
      await provider.interactionFinished(request, response, denied);
      return;
    }
    if (prompt.name === 'login') {
      people.set(upstream.person.sub, upstream.person);
      const login = { accountId: upstream.person.sub };
      await provider.interactionFinished(request, response, { login });
      return;
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params['client_id']),
    });
    const wanted = (prompt.details['missingOIDCScope'] ?? []) as readonly string[];
    if (wanted.length > 0) grant.addOIDCScope(wanted.join(' '));
    const result = { consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  };
  const upstream: Upstream = {
    url,
    person: { sub: 'ann', name: 'Ann', email: 'ann@acme.example', email_verified: true, roles: ['editor'] },
    instead: undefined,
    asked: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  server.on('request', (request, response) => {
    upstream.asked.push(`${request.method ?? ''} ${(request.url ?? '').split('?', 1)[0] ?? ''}`);
    if (upstream.instead?.(request, response) === true) return;
    if (request.url?.startsWith('/interaction/') === true) void interact(request, response);
    else void serve(request, response);
  });
  return upstream;
}
