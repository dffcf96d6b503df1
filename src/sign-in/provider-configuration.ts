import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { SignInOptions, SignInPlace, StaticClient } from '../features/sign-in/options.ts';
import { isPlainObject, parseJson } from '../shared/json.ts';
import { readBody } from '../shared/read-body.ts';
import { deriveKeys, type Secret } from '../shared/sealed-text.ts';
import { Adapter } from './adapter.ts';
import type { Grants } from './grants.ts';
import { fetchGuarded } from './guarded-fetch.ts';
import type { Peers, ProviderContext, ProviderToken } from './peers.ts';
import { CLIENT_PREFIX } from './person.ts';
import type { Records } from './records.ts';
import { clientName, type Registrations } from './registrations.ts';
import type { Resources } from './resources.ts';
import type { SigningKeys } from './signing-keys.ts';
import { UpstreamUnavailable } from './upstream-provider.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Seconds that a browser has to sign in. */
const INTERACTION_TTL = 15 * 60;
const CODE_TTL = 60;
/** Seconds for which what a client signs to name itself may count: for as long, that it came is remembered. */
const MAX_ASSERTION_AGE = 3600;
/** Of documents and keys of clients. */
const MAX_DOCUMENT_BYTES = 64 * 1024;
/** Where oidc-provider would show a page of its own. */
export const FAILURE_HEADER = 'tw-failure';
export const SESSION_COOKIE = 'tw_session';

/** The grant of assertions (RFC 7523). */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The paths below the issuer. */
export const ROUTES = {
  authorization: '/authorize',
  jwks: '/jwks',
  registration: '/register',
  revocation: '/revoke',
  token: '/token',
} as const;

/** What is the same for every application. */
const FIXED = {
  allowOmittingSingleRegisteredRedirectUri: false,
  claims: { openid: ['sub'] },
  clientAuthMethods: ['none', 'private_key_jwt', 'client_secret_basic', 'client_secret_post'],
  clientBasedCORS: () => true,
  enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
  expiresWithSession: () => false,
  fetchResponseBodyLimits: { 'client_id metadata document': 16_384, jwks_uri: 65_536 },
  issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
    client.grantTypeAllowed('refresh_token'),
  pkce: { required: () => true },
  responseTypes: ['code'],
  rotateRefreshToken: () => true,
  routes: ROUTES,
  scopes: ['openid', 'offline_access'],
} as const;

/** Whether a document of a client may be fetched for a request. */
export type MayFetch = (request: IncomingMessage, url: string) => boolean;

/** What the configuration is made of. */
interface ConfigurationParts {
  readonly place: SignInPlace;
  readonly peers: Peers;
  readonly secrets: readonly Secret[];
  readonly issuer: string;
  readonly keys: SigningKeys;
  readonly records: Records;
  readonly registrations: Registrations;
  readonly grants: Grants;
  readonly resources: Resources;
  readonly scopes: readonly string[];
  readonly mayFetch: MayFetch;
  /** Milliseconds. */
  readonly signInTtl: number;
  readonly accessTokenTtl: number;
}

/** How oidc-provider serves one application. */
export class ProviderConfiguration {
  readonly #parts: ConfigurationParts;

  constructor(parts: ConfigurationParts) {
    this.#parts = parts;
  }

  /** The configuration, as oidc-provider reads it. */
  create(): object {
    const { place: application, peers, secrets, issuer, signInTtl, accessTokenTtl } = this.#parts;
    const { refreshGrace = 2 * MINUTE, refreshTokenTtl = 30 * DAY, clients = {} } = application.options;
    const { errors } = peers.provider;
    const place = {
      ...{ records: this.#parts.records, errors, refreshGrace },
      registrations: clients.register === false ? undefined : this.#parts.registrations,
      ended: (id: string) => this.#parts.grants.ended(id),
    };
    const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);
    const short = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true };
    const base = new URL(issuer).pathname.replace(/\/$/, '');
    return {
      adapter: (name: string) => new Adapter(name, place),
      assertJwtClientAuthClaimsAndHeader: this.#checkAssertion,
      ...FIXED,
      clientDefaults: {
        id_token_signed_response_alg: this.#parts.keys.algorithm,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      clients: (clients.static ?? []).map((each) => staticClient(each, application.options)),
      cookies: {
        keys: deriveKeys(secrets, `sign-in:cookies:${issuer}`).map((key) => key.toString('base64url')),
        names: { session: SESSION_COOKIE, interaction: 'tw_interaction', resume: 'tw_resume' },
        ...{ short, long: short },
      },
      extraTokenClaims: (_: unknown, token: ProviderToken) => this.#claimsOf(token),
      features: this.#features(),
      fetch: (url: string | URL, init: RequestInit) => this.#fetch(String(url), init),
      findAccount: (ctx: ProviderContext, sub: string, token?: ProviderToken) =>
        this.#account(ctx, sub, token),
      formats: {
        customizers: { jwt: nameClient },
      },
      interactions: {
        url: (_: unknown, { uid }: { readonly uid: string }) => `${base}/sign-in/${uid}`,
        policy: this.#policy(),
      },
      jwks: { keys: this.#parts.keys.jwks },
      renderError: (
        ctx: ProviderContext & { set(name: string, value: string): void },
        out: { error: string },
      ) => {
        ctx.set(FAILURE_HEADER, out.error);
        ctx.body = '';
      },
      ttl: {
        AccessToken: seconds(accessTokenTtl),
        AuthorizationCode: CODE_TTL,
        ClientCredentials: seconds(accessTokenTtl),
        Grant: seconds(signInTtl),
        IdToken: seconds(accessTokenTtl),
        Interaction: INTERACTION_TTL,
        RefreshToken: seconds(Math.min(refreshTokenTtl, signInTtl)),
        Session: 60,
      },
    };
  }

  readonly #checkAssertion = (_: unknown, { exp }: { readonly exp: number }): void => {
    if (exp > Date.now() / 1000 + MAX_ASSERTION_AGE)
      throw new this.#parts.peers.provider.errors.InvalidClientAuth('the assertion counts for too long');
  };

  #features(): object {
    const { clients = {} } = this.#parts.place.options;
    const { metadata = true, register = true } = clients;
    const off = { enabled: false };
    return {
      ...{ devInteractions: off, userinfo: off, rpInitiatedLogout: off, pushedAuthorizationRequests: off },
      // A token that is bound to a key would not count at the endpoint
      dPoP: off,
      clientIdMetadataDocument: {
        ...{ enabled: metadata !== false, ack: 'draft-02' },
        allowFetch: (ctx: ProviderContext, url: string) =>
          this.#isListed(url) && this.#parts.mayFetch(ctx.req, url),
        allowClient: () => true,
        cacheDuration: { min: 60, max: 3600 },
      },
      registration: {
        ...{ enabled: register, initialAccessToken: false, issueRegistrationAccessToken: false },
        idFactory: (ctx: ProviderContext) => this.#sealClient(ctx).id,
        secretFactory: (ctx: ProviderContext) => this.#sealClient(ctx).secret,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => this.#parts.resources.find(undefined),
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => this.describeResource(resource),
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_: unknown, client: { clientId: string }, token: { clientId: string }) =>
          client.clientId === token.clientId,
      },
      rpMetadataChoices: { enabled: true },
    };
  }

  /** How tokens for a resource are made. */
  describeResource(resource: string): object {
    if (this.#parts.resources.find(resource) !== resource)
      throw new this.#parts.peers.provider.errors.InvalidTarget('the resource is another one');
    return {
      ...{ scope: this.#parts.scopes.join(' '), audience: resource, accessTokenFormat: 'jwt' },
      jwt: { sign: { alg: this.#parts.keys.algorithm, kid: this.#parts.keys.kid } },
    };
  }

  /** Everybody sees our page, and the provider's after it. */
  #policy(): object {
    const { interactionPolicy } = this.#parts.peers.provider;
    const policy = interactionPolicy.base();
    const ask = new interactionPolicy.Check('sign_in', 'A person has to sign in', 'login_required', (ctx) => {
      return ctx.oidc?.result?.login === undefined;
    });
    policy.get('login').checks.add(ask);
    return policy;
  }

  readonly #sealed = new WeakMap<object, { readonly id: string; readonly secret: string | undefined }>();

  #sealClient(ctx: ProviderContext): { readonly id: string; readonly secret: string | undefined } {
    const known = this.#sealed.get(ctx);
    if (known !== undefined) return known;
    const made = this.#parts.registrations.seal(ctx.oidc?.body as never);
    if (made === undefined)
      throw new this.#parts.peers.provider.errors.InvalidClientMetadata('the metadata is too long');
    this.#sealed.set(ctx, made);
    return made;
  }

  /** A sign-in may end while a token of it is made. */
  async #claimsOf({ grantId, kind }: ProviderToken): Promise<object> {
    if (kind === 'ClientCredentials') return {};
    const claims = grantId === undefined ? undefined : await this.#parts.grants.claimsOf(grantId);
    if (claims === undefined) throw new this.#parts.peers.provider.errors.InvalidGrant('the sign-in is over');
    return claims;
  }

  /** A person who may not sign in any more has no account, which ends the refresh. */
  async #account(ctx: ProviderContext, sub: string, token?: ProviderToken): Promise<object | undefined> {
    const account = { accountId: sub, claims: () => ({ sub }) };
    const isRefresh = ctx.oidc?.route === 'token' && ctx.oidc.params?.['grant_type'] === 'refresh_token';
    if (!isRefresh || token?.grantId === undefined) return account;
    try {
      return (await this.#parts.grants.renew(token.grantId)) ? account : undefined;
    } catch (error) {
      if (!(error instanceof UpstreamUnavailable)) throw error;
      throw new this.#parts.peers.provider.errors.TemporarilyUnavailable(
        'the identity provider cannot be reached',
      );
    }
  }

  #isListed(url: string): boolean {
    const { metadata = true } = this.#parts.place.options.clients ?? {};
    const only = Array.isArray(metadata) ? (metadata as readonly string[]) : undefined;
    const listed =
      only ?? (isPlainObject(metadata) ? (metadata as { only?: readonly string[] }).only : undefined);
    return listed === undefined || listed.some((each) => isCovered(url, each));
  }

  /** Documents of clients, and the keys that they name. */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const { metadata } = this.#parts.place.options.clients ?? {};
    const given = isPlainObject(metadata) ? (metadata as { fetch?: typeof fetchGuarded }).fetch : undefined;
    const answer = await (given ?? fetchGuarded)(url, { ...init, redirect: 'manual' });
    if (answer.status !== 200) return answer;
    const bytes = await readBody(answer.body, MAX_DOCUMENT_BYTES);
    if (bytes === undefined) throw new Error('the answer is too large');
    const response = new Response(new Uint8Array(bytes), { status: 200, headers: answer.headers });
    const read = parseJson(Buffer.from(bytes).toString());
    if (!isPlainObject(read) || read['client_id'] !== url) return response;
    const document = this.#parts.registrations.readDocument(read, url);
    return new Response(JSON.stringify({ ...document, client_id: url }), {
      status: 200,
      headers: response.headers,
    });
  }
}

/** Puts the short name of a client into its tokens, and the subject of one that acts for itself. */
function nameClient(
  _: unknown,
  { kind }: ProviderToken,
  { payload }: { payload: Record<string, unknown> },
): void {
  payload['client_id'] = clientName(String(payload['client_id']));
  if (kind === 'ClientCredentials') payload['sub'] = `${CLIENT_PREFIX}${String(payload['client_id'])}`;
}

/** The grants of a client that the application has listed, as oidc-provider names them. */
function listGrantTypes(
  { id, grants, redirects = [] }: StaticClient,
  { assertions = [] }: SignInOptions,
): readonly string[] {
  const signsIn = redirects.length > 0 && (grants?.includes('authorization_code') ?? true);
  return [
    ...(signsIn ? ['authorization_code', 'refresh_token'] : []),
    ...(grants?.includes('client_credentials') === true ? ['client_credentials'] : []),
    ...(assertions.some(({ clients }) => clients.includes(id)) ? [JWT_BEARER] : []),
  ];
}

/** A client that the application has listed, as oidc-provider has it. */
function staticClient(client: StaticClient, options: SignInOptions): object {
  const { id, name, redirects = [], secret, jwks } = client;
  const grants = listGrantTypes(client, options);
  const byPeople = secret === undefined ? 'none' : 'client_secret_basic';
  return {
    ...{ client_id: id, client_name: name, redirect_uris: redirects, grant_types: grants },
    response_types: grants.includes('authorization_code') ? ['code'] : [],
    application_type: redirects.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
    token_endpoint_auth_method: jwks === undefined ? byPeople : 'private_key_jwt',
    ...(secret !== undefined && { client_secret: secret }),
    ...(jwks !== undefined && { jwks }),
  };
}

function isCovered(url: string, pattern: string): boolean {
  return pattern.endsWith('*') ? url.startsWith(pattern.slice(0, -1)) : url === pattern;
}
