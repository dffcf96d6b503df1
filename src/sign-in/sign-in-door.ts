import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { DoorRequest } from '../call/http-door.ts';
import type { SignInLimits, SignInPlace } from '../features/sign-in/options.ts';
import { isPlainObject, parseJson } from '../shared/json.ts';
import { failureCode, type AuthorizationServer } from './authorization-server.ts';
import { ID_JAG } from './grant-types.ts';
import { FAILURE_HEADER, ROUTES, SESSION_COOKIE } from './provider-configuration.ts';
import type { Pages } from './consent-page.ts';
import { clientName } from './registrations.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import type { RequestCounts } from './sign-in-limits.ts';

const FORM = 'application/x-www-form-urlencoded';
const RETRY_AFTER = 5;
/** OpenID Connect Core 3.1.2.1; others that clients send mean nothing here. */
const PROMPTS: readonly string[] = ['none', 'login', 'consent'];
const MAX_DEPTH = 6;

interface Current {
  readonly server: AuthorizationServer;
  readonly flow: SignInFlow;
}

export interface DoorPlace {
  readonly place: SignInPlace;
  readonly pages: Pages;
  readonly counts: RequestCounts;
  issuer(): string;
  current(): Current;
  /** Remembers where a request is from. */
  locate(request: IncomingMessage, address: string | undefined): void;
}

type Route =
  | 'metadata'
  | 'jwks'
  | 'register'
  | 'authorize'
  | 'resume'
  | 'token'
  | 'revoke'
  | 'backChannel'
  | 'account'
  | 'page';

/** Those that scripts of other origins may use. */
const SHARED: ReadonlySet<Route> = new Set<Route>(['metadata', 'jwks', 'register', 'token', 'revoke']);
const METHODS: Readonly<Record<Route, readonly string[]>> = {
  metadata: ['GET', 'HEAD'],
  jwks: ['GET', 'HEAD'],
  register: ['POST'],
  authorize: ['GET'],
  resume: ['GET'],
  token: ['POST'],
  revoke: ['POST'],
  backChannel: ['POST'],
  account: ['POST'],
  page: ['GET', 'POST'],
};
const PATHS: ReadonlyMap<string, Route> = new Map<string, Route>([
  [ROUTES.jwks, 'jwks'],
  [ROUTES.authorization, 'authorize'],
  [ROUTES.token, 'token'],
  [ROUTES.revocation, 'revoke'],
  ['/sign-in/backchannel', 'backChannel'],
  // Each leaves a record behind
  ['/sign-in/account/sign-in', 'account'],
]);
/** By which limit the requests of a route count. */
const COUNTED: Partial<Readonly<Record<Route, keyof SignInLimits>>> = {
  ...{ register: 'register', authorize: 'authorize', token: 'token', revoke: 'token' },
  ...{ backChannel: 'backChannel', account: 'authorize' },
};

/** The paths of the authorization server: what reaches oidc-provider, in which form, and what answers look like. */
export class SignInDoor {
  readonly #place: DoorPlace;

  constructor(place: DoorPlace) {
    this.#place = place;
  }

  serves(path: string): boolean {
    return this.#routeOf(path) !== undefined;
  }

  async answer(request: DoorRequest): Promise<Response> {
    const [path, query] = split(request.target);
    const route = this.#routeOf(path);
    if (route === undefined) return json(404, { error: 'not_found' });
    const answered = await this.#answer(route, path, query, request).catch((cause: unknown) =>
      this.#failed(cause),
    );
    const answer = SHARED.has(route) ? shared(answered) : answered;
    return request.method === 'HEAD' ? new Response(null, answer) : answer;
  }

  async #answer(route: Route, path: string, query: string, request: DoorRequest): Promise<Response> {
    const { method, address } = request;
    if (method === 'OPTIONS' && SHARED.has(route)) return preflight(METHODS[route]);
    if (!METHODS[route].includes(method))
      return json(405, { error: 'invalid_request' }, { allow: METHODS[route].join(', ') });
    const counted = COUNTED[route];
    const wait = counted && this.#place.counts.refusal(counted, address);
    if (wait !== undefined) return this.#tooMany(route, wait);
    return this.#pass(route, path, query, request);
  }

  async #pass(route: Route, path: string, query: string, request: DoorRequest): Promise<Response> {
    const below = path.slice(this.#base.length);
    switch (route) {
      case 'metadata':
        return this.#metadata();
      case 'jwks':
        return cached(await this.#run(ROUTES.jwks, request));
      case 'register':
        return this.#register(request);
      case 'authorize':
        return this.#authorize(request, new URLSearchParams(query));
      case 'resume':
        return this.#run(below, request, { query });
      case 'token':
        return this.#token(request);
      case 'revoke':
        return this.#revoke(request);
      case 'backChannel':
      case 'account':
      case 'page':
        return this.#page(below.slice('/sign-in/'.length), query, request);
    }
  }

  get #base(): string {
    return new URL(this.#place.issuer()).pathname.replace(/\/$/, '');
  }

  #routeOf(path: string): Route | undefined {
    const base = this.#base;
    if (this.#documents(base).includes(path)) return 'metadata';
    if (!path.startsWith(`${base}/`)) return undefined;
    const below = path.slice(base.length);
    if (below === ROUTES.registration)
      return this.#place.place.options.clients?.register === false ? undefined : 'register';
    const named = PATHS.get(below);
    if (named !== undefined) return named;
    if (/^\/authorize\/[\w-]+$/.test(below)) return 'resume';
    return below.startsWith('/sign-in/') ? 'page' : undefined;
  }

  /** RFC 8414, 3.1 and 5; OpenID Connect Discovery; and the root, which clients of 2025-03-26 ask. */
  #documents(base: string): readonly string[] {
    const [oauth, openid] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
    if (base === '') return [oauth, openid];
    const root = this.#place.place.rootMetadata ? [oauth] : [];
    return [`${oauth}${base}`, `${openid}${base}`, `${base}${openid}`, ...root];
  }

  async #metadata(): Promise<Response> {
    const { place } = this.#place;
    const answer = await this.#run('/.well-known/openid-configuration', NOTHING);
    const written = parseJson(await answer.text());
    if (!isPlainObject(written)) throw new Error('oidc-provider has no metadata');
    const document = {
      ...written,
      scopes_supported: [...place.defaultScopes, 'offline_access'],
      code_challenge_methods_supported: ['S256'],
      response_modes_supported: ['query'],
      token_endpoint_auth_methods_supported: [
        'none',
        'private_key_jwt',
        'client_secret_basic',
        'client_secret_post',
      ],
      client_id_metadata_document_supported: place.options.clients?.metadata !== false,
      authorization_response_iss_parameter_supported: true,
      ...((place.options.assertions ?? []).length > 0 && {
        authorization_grant_profiles_supported: [ID_JAG],
      }),
    };
    return cached(json(200, document));
  }

  /** Hands over what counts of a registration. */
  async #register(request: DoorRequest): Promise<Response> {
    const { server } = this.#place.current();
    if (!isMediaType(request, 'application/json'))
      return json(400, {
        error: 'invalid_client_metadata',
        error_description: 'it has to be application/json',
      });
    const given = parseJson(Buffer.from(request.body).toString());
    if (!isPlainObject(given) || isDeeper(given, MAX_DEPTH))
      return json(400, { error: 'invalid_client_metadata', error_description: 'it has to be a JSON object' });
    const read = server.registrations.read(given);
    if ('error' in read) {
      this.#place.place.tell({ outcome: 'refused', registration: 'registered', reason: read.error });
      return json(400, read);
    }
    const answer = await this.#run(ROUTES.registration, request, { body: JSON.stringify(read) });
    if (answer.status === 201) await this.#tellRegistered(server, answer.clone());
    return answer;
  }

  async #tellRegistered(server: AuthorizationServer, answer: Response): Promise<void> {
    const { client_id: client, redirect_uris: redirects } = (await answer.json()) as ClientAnswer;
    server.tell({ outcome: 'registered', client, redirects });
  }

  /** Writes into the request what the client has left out, and takes out what must not count. */
  async #authorize(request: DoorRequest, query: URLSearchParams): Promise<Response> {
    const { server } = this.#place.current();
    const resource = server.resources.find(query.get('resource'));
    if (resource !== undefined) query.set('resource', resource);
    query.delete('response_mode');
    const prompts = (query.get('prompt') ?? '').split(' ').filter((prompt) => PROMPTS.includes(prompt));
    if (prompts.length === 0) query.delete('prompt');
    else query.set('prompt', prompts.join(' '));
    const asked = (query.get('scope') ?? '').split(' ');
    const known = asked.filter((scope) => server.scopes.includes(scope));
    const wanted = known.length > 0 ? known : this.#place.place.defaultScopes;
    const offline = asked.includes('offline_access') ? ['offline_access'] : [];
    query.set('scope', [...new Set([...wanted, ...offline])].join(' '));
    if (resource === undefined) query.set('resource', query.get('resource') ?? this.#place.issuer());
    return this.#run(ROUTES.authorization, request, { query: query.toString() });
  }

  /** Checks the resource first: oidc-provider would use the code up for a wrong one. */
  async #token(request: DoorRequest): Promise<Response> {
    const { server } = this.#place.current();
    const form = formOf(request);
    if (form === undefined)
      return json(400, { error: 'invalid_request', error_description: `it has to be ${FORM}` });
    const named = form.getAll('resource');
    if (named.some((each) => server.resources.find(each) === undefined))
      return json(400, { error: 'invalid_target', error_description: 'the resource is another one' });
    if (named.length > 0) form.set('resource', server.resources.find(named[0]) ?? '');
    return this.#run(ROUTES.token, request, { body: form.toString(), type: FORM });
  }

  /** Access tokens are JWTs, which oidc-provider does not revoke: the client is asked for, and its grant ends. */
  async #revoke(request: DoorRequest): Promise<Response> {
    const { server } = this.#place.current();
    const form = formOf(request);
    if (form === undefined)
      return json(400, { error: 'invalid_request', error_description: `it has to be ${FORM}` });
    const claims = server.keys.claimsOf(form.get('token') ?? '');
    if (claims === undefined)
      return this.#run(ROUTES.revocation, request, { body: form.toString(), type: FORM });
    form.set('token', 'a-token-that-nobody-has');
    let client: string | undefined;
    const answer = await this.#run(
      ROUTES.revocation,
      request,
      { body: form.toString(), type: FORM },
      (asked) => {
        client = server.clients.get(asked);
      },
    );
    const grant = claims['grant'];
    if (answer.status === 200 && client !== undefined && typeof grant === 'string')
      if (clientName(client) === claims['client_id']) await server.grants.end({ grant });
    return answer;
  }

  #page(below: string, query: string, request: DoorRequest): Promise<Response> {
    const form = formOf(request) ?? new URLSearchParams();
    const { method, headers } = request;
    return this.#place
      .current()
      .flow.answer(below, { method, headers, form, query: new URLSearchParams(query) });
  }

  /** Lets oidc-provider answer, in our form. */
  async #run(
    path: string,
    { method, headers, address }: Pick<DoorRequest, 'method' | 'headers' | 'address'>,
    {
      query = '',
      body,
      type,
    }: { readonly query?: string; readonly body?: string; readonly type?: string } = {},
    after?: (request: IncomingMessage) => void,
  ): Promise<Response> {
    const { server } = this.#place.current();
    const accept = path.startsWith('/authorize') ? 'text/html' : 'application/json';
    const sent = {
      ...headers,
      accept,
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
    };
    const given = { method: method === 'HEAD' ? 'GET' : method, headers: sent, query };
    const exchange = server.exchange(path, { ...given, ...(body !== undefined && { body }) });
    this.#place.locate(exchange.request, address);
    const answer = await server.run(exchange);
    after?.(exchange.request);
    return this.#finished(answer);
  }

  #finished(answer: Response): Promise<Response> | Response {
    const failure = answer.headers.get(FAILURE_HEADER);
    if (failure !== null) return this.#page400(failure, answer.status);
    const headers = new Headers(answer.headers);
    headers.delete('set-cookie');
    for (const cookie of answer.headers.getSetCookie()) {
      if (!cookie.startsWith(SESSION_COOKIE)) headers.append('set-cookie', cookie);
    }
    headers.set('cache-control', 'no-store');
    const isJson = headers.get('content-type')?.startsWith('application/json') === true;
    if (answer.status !== 400 || !isJson)
      return new Response(answer.body, { status: answer.status, headers });
    return asUnavailable(answer, headers);
  }

  #page400(failure: string, status: number): Response {
    const code = failureCode();
    const isLater = failure === 'temporarily_unavailable';
    const message = `A page of a sign-in was not shown, with the code ${code}.`;
    this.#place.place.logger.log({ level: 'notice', event: 'sign-in.refused', message, reason: failure });
    return this.#place.pages.failure(
      isLater ? 503 : Math.max(status, 400),
      code,
      isLater ? later(RETRY_AFTER) : {},
    );
  }

  #tooMany(route: Route, seconds: number): Response {
    if (route === 'authorize' || route === 'account')
      return this.#place.pages.failure(429, failureCode(), later(seconds));
    const error_description = 'too many requests come from this address';
    return json(429, { error: 'temporarily_unavailable', error_description }, later(seconds));
  }

  #failed(cause: unknown): Response {
    const message = 'A request of a sign-in could not be served.';
    this.#place.place.logger.log({ level: 'error', event: 'sign-in.failed', message, cause });
    return json(503, { error: 'temporarily_unavailable' }, later(RETRY_AFTER));
  }
}

/** What a registration is answered with (RFC 7591, 3.2.1). */
interface ClientAnswer {
  readonly client_id: string;
  readonly redirect_uris: readonly string[];
}

const NOTHING = { method: 'GET', headers: {}, address: undefined } as const;

/** Clients keep their tokens after 503, and sign in again after a failure of the server. */
async function asUnavailable(answer: Response, headers: Headers): Promise<Response> {
  const text = await answer.text();
  const isLater = (parseJson(text) as { error?: string } | undefined)?.error === 'temporarily_unavailable';
  if (isLater) headers.set('retry-after', String(RETRY_AFTER));
  return new Response(text, { status: isLater ? 503 : 400, headers });
}

function split(target: string): readonly [path: string, query: string] {
  const at = target.indexOf('?');
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

function isMediaType({ headers, isDecoded }: DoorRequest, type: string): boolean {
  return isDecoded || (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === type;
}

/** A form; a server in front may have read it into JSON. */
function formOf(request: DoorRequest): URLSearchParams | undefined {
  const text = Buffer.from(request.body).toString();
  if (!isMediaType(request, FORM)) return undefined;
  if (!request.isDecoded) return new URLSearchParams(text);
  const read = parseJson(text);
  if (!isPlainObject(read)) return undefined;
  const entries = Object.entries(read).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((each) => typeof each === 'string').map((each): [string, string] => [name, each]);
  });
  return new URLSearchParams(entries);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  const type = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
}

function later(seconds: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(seconds) };
}

function cached(answer: Response): Response {
  answer.headers.set('cache-control', 'public, max-age=3600');
  return answer;
}

/** Fetch standard, 3.3: for scripts of every origin, and never with cookies. */
function shared(answer: Response): Response {
  answer.headers.delete('access-control-allow-credentials');
  answer.headers.set('access-control-allow-origin', '*');
  answer.headers.set('access-control-expose-headers', 'WWW-Authenticate, Retry-After');
  return answer;
}

function preflight(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version, DPoP',
      'access-control-max-age': '3600',
    },
  });
}
