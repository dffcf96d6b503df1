import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

/** A request to the server of a test, and what answers it as it should be. */
export interface Visit {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Of a request that a fault reads itself. */
  readonly read: () => Promise<string>;
}

/** An answer in place of the right one; undefined leaves it. A text goes out as HTML. */
export type SignInFault = (
  visit: Visit,
  origin: string,
) => Promise<FaultyAnswer | undefined> | FaultyAnswer | undefined;

export interface FaultyAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const SCOPES = 'tasks:read tasks:write';
const OPEN = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };

/** A resource server in front of an unmodified oidc-provider, which does what a test says where it says something. */
export class SignInServer {
  /** The requests, as `GET /path`. */
  readonly asked: string[] = [];
  fault: SignInFault | undefined;
  readonly origin: string;
  readonly #server;
  #serve: (request: IncomingMessage, response: ServerResponse) => Promise<void> = () => Promise.resolve();

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  static async start(more: Readonly<Record<string, unknown>> = {}): Promise<SignInServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const started = new SignInServer(server);
    const provider = started.#provider(more);
    const serve = provider.callback();
    started.#serve = async (request, response) => {
      if (request.url?.startsWith('/interaction/') === true) await agree(provider, request, response);
      else await serve(request, response);
    };
    server.on('request', (request, response) => {
      void started.#answer(request, response);
    });
    return started;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    const { method = 'GET', headers } = request;
    this.asked.push(`${method} ${pathname}`);
    const visit = { method, path: pathname, query: searchParams, headers, read: () => text(request) };
    const faulty = await this.fault?.(visit, this.origin);
    if (faulty !== undefined) send(response, faulty);
    // It has no CORS at the endpoint for registrations: what stands in front of it does
    else if (pathname === '/reg' && method === 'OPTIONS')
      send(response, { status: 204, headers: OPEN, body: '' });
    else if (pathname === '/mcp') send(response, await this.#resource(visit));
    else if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      send(response, { body: this.metadata });
    else if (pathname === '/.well-known/oauth-authorization-server')
      send(response, { body: await (await fetch(`${this.origin}/.well-known/openid-configuration`)).json() });
    else await this.#serve(request, response);
  }

  get metadata(): object {
    return { resource: this.url, authorization_servers: [this.origin], scopes_supported: SCOPES.split(' ') };
  }

  /** Every token will do: these tests ask what a token costs, not what it is worth. */
  async #resource({ headers, read }: Visit): Promise<FaultyAnswer> {
    const metadata = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
    if (headers.authorization === undefined)
      return {
        status: 401,
        headers: { 'www-authenticate': `Bearer resource_metadata="${metadata}"` },
        body: {},
      };
    const { id, method } = JSON.parse(await read()) as { readonly id?: number; readonly method: string };
    if (id === undefined) return { status: 202, body: '' };
    const known: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'tasks', version: '1.0.0' },
      },
      'tools/list': { tools: [{ name: 'tasks', inputSchema: { type: 'object' } }] },
    };
    const result = known[method];
    if (result !== undefined) return { body: { jsonrpc: '2.0', id, result } };
    return { body: { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Not found' } } };
  }

  #provider(more: Readonly<Record<string, unknown>>): Provider {
    const { features, ...others } = more;
    const configuration = {
      scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
      pkce: { required: () => true },
      clientBasedCORS: () => true,
      issueRefreshToken: () => true,
      clientDefaults: {
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
      // Desktop programs, as the server of a person who reads RFC 8252
      extraClientMetadata: {
        properties: ['tw'],
        validator: (_ctx: unknown, _key: string, _value: unknown, metadata: Record<string, unknown>) => {
          const uris = metadata['redirect_uris'] as readonly string[];
          metadata['application_type'] = uris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native';
          delete metadata['scope'];
          metadata['grant_types'] = ['authorization_code', 'refresh_token'];
          metadata['token_endpoint_auth_method'] ??= 'client_secret_basic';
        },
      },
      rotateRefreshToken: () => false,
      ...others,
      findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
      interactions: { url: (_ctx: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_ctx: unknown, resource: string) => ({
            scope: SCOPES,
            audience: resource,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
        ...(features as object | undefined),
      },
    };
    // The package has no types of its own
    return new Provider(this.origin, configuration as never);
  }
}

/** Everybody is Ann, and agrees to all. */
async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
}

function send(response: ServerResponse, { status = 200, headers = {}, body = {} }: FaultyAnswer): void {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Follows redirects with cookies, as a browser does, to the page of the program that waits for it. */
export async function visitAsBrowser(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return response.text();
    url = new URL(location, url).href;
  }
  throw new Error('The sign-in does not end');
}
