import { Buffer } from 'node:buffer';
import type * as OpenidClient from 'openid-client';
import { fetchJson } from '../auth/fetch-json.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { within } from '../shared/platform.ts';
import type { ProviderDefinition } from './provider-definition.ts';

type Client = typeof OpenidClient;
type Configuration = OpenidClient.Configuration;

const TIMEOUT = 5000;
/** Milliseconds for which what a provider publishes counts. */
const DISCOVERY_TTL = 24 * 3_600_000;
const MAX_PERSON_BYTES = 256 * 1024;
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** The provider says no, for good: the person has to sign in again. */
export class UpstreamRefused extends Error {}
/** The provider cannot be asked now. */
export class UpstreamUnavailable extends Error {}

/** What a provider gave for a person. */
export interface UpstreamTokens {
  readonly access: string;
  readonly refresh?: string | undefined;
  /** Milliseconds since the epoch; undefined for a token that does not end. */
  readonly expiresAt?: number | undefined;
  readonly scope?: string | undefined;
}

/** What one browser was sent to a provider with. */
export interface Leg {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The owner of the sign-in whose consent counts again; undefined where the person has seen the page. */
  readonly agreed?: string | undefined;
}

/** A provider that people sign in with. */
export class UpstreamProvider {
  readonly definition: ProviderDefinition;
  readonly #client: Client;
  readonly #redirectUri: string;
  #configuration: Configuration | undefined;
  #readAt = -Infinity;

  constructor(definition: ProviderDefinition, client: Client, redirectUri: string) {
    this.definition = definition;
    this.#client = client;
    this.#redirectUri = redirectUri;
  }

  get name(): string {
    return this.definition.facts.name;
  }

  /** Where the browser goes. @throws UpstreamUnavailable */
  async authorizationUrl({ state, nonce, verifier }: Leg): Promise<string> {
    const { facts, options } = this.definition;
    const configuration = await this.#configured();
    const url = this.#client.buildAuthorizationUrl(configuration, {
      ...facts.parameters,
      ...options.parameters,
      ...{ redirect_uri: this.#redirectUri, scope: this.#scope(configuration), state },
      ...(facts.personUrl === undefined && { nonce }),
      code_challenge: await this.#client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * Redeems the code that a browser brought back.
   * @param query of the callback
   * @throws UpstreamRefused, UpstreamUnavailable
   */
  async redeem(
    query: string,
    leg: Leg,
  ): Promise<{ readonly tokens: UpstreamTokens; readonly claims: PlainObject }> {
    const configuration = await this.#configured();
    const hasIdToken = this.definition.facts.personUrl === undefined;
    const answer = await this.#ask(() =>
      this.#client.authorizationCodeGrant(configuration, new URL(`${this.#redirectUri}?${query}`), {
        ...{ pkceCodeVerifier: leg.verifier, expectedState: leg.state, idTokenExpected: hasIdToken },
        ...(hasIdToken && { expectedNonce: leg.nonce }),
      }),
    );
    const tokens = tokensIn(answer);
    return { tokens, claims: hasIdToken ? { ...answer.claims() } : await this.#person(tokens.access) };
  }

  /** New tokens of a person, and what the provider says of them now, where it does. @throws UpstreamRefused, UpstreamUnavailable */
  async refresh(
    before: UpstreamTokens,
  ): Promise<{ readonly tokens: UpstreamTokens; readonly claims?: PlainObject }> {
    const { personUrl } = this.definition.facts;
    if (before.refresh === undefined) {
      if (personUrl === undefined) return { tokens: before };
      return { tokens: before, claims: await this.#person(before.access) };
    }
    const configuration = await this.#configured();
    const { refresh } = before;
    const answer = await this.#ask(() => this.#client.refreshTokenGrant(configuration, refresh));
    // Many providers send none, and the one before goes on to count
    const tokens = { refresh, ...withoutUndefined(tokensIn(answer)) };
    if (personUrl !== undefined) return { tokens, claims: await this.#person(tokens.access) };
    const claims = answer.claims();
    return claims === undefined ? { tokens } : { tokens, claims: { ...claims } };
  }

  /** A token for another service. @throws UpstreamRefused, UpstreamUnavailable */
  async exchange(
    token: string,
    wanted: { readonly audience: string; readonly scopes?: readonly string[]; readonly resource?: string },
  ): Promise<UpstreamTokens> {
    const configuration = await this.#configured();
    const { exchange } = this.definition.facts;
    const scope = wanted.scopes?.join(' ');
    const answer = await this.#ask(() =>
      exchange === 'on-behalf-of'
        ? this.#client.genericGrantRequest(configuration, 'urn:ietf:params:oauth:grant-type:jwt-bearer', {
            ...{ assertion: token, requested_token_use: 'on_behalf_of' },
            scope: scope ?? `${wanted.audience}/.default`,
          })
        : this.#client.genericGrantRequest(configuration, TOKEN_EXCHANGE, {
            ...{ subject_token: token, subject_token_type: ACCESS_TOKEN, audience: wanted.audience },
            ...(scope !== undefined && { scope }),
            ...(wanted.resource !== undefined && { resource: wanted.resource }),
          }),
    );
    return tokensIn(answer);
  }

  /** Ends what the person has allowed, where the provider can; once. */
  async revoke(tokens: UpstreamTokens): Promise<void> {
    const { revocation } = this.definition.facts;
    const token = tokens.refresh ?? tokens.access;
    if (revocation === undefined) {
      const configuration = await this.#configured();
      if (configuration.serverMetadata().revocation_endpoint === undefined) return;
      await this.#client.tokenRevocation(configuration, token);
      return;
    }
    const { clientId, clientSecret = '', timeout = TIMEOUT } = this.definition.options;
    const isForm = revocation.kind === 'rfc7009';
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    await this.#fetch(revocation.url, {
      method: isForm ? 'POST' : 'DELETE',
      headers: isForm
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : { 'content-type': 'application/json', authorization: `Basic ${basic}` },
      body: isForm
        ? new URLSearchParams({ token }).toString()
        : JSON.stringify({ access_token: tokens.access }),
      ...{ redirect: 'manual', signal: AbortSignal.timeout(timeout) },
    });
  }

  /** Reads what the provider publishes of itself; what it said before counts where it cannot be reached. */
  async #configured(): Promise<Configuration> {
    if (this.#configuration !== undefined && Date.now() - this.#readAt < DISCOVERY_TTL)
      return this.#configuration;
    try {
      this.#configuration = await this.#read();
      this.#readAt = Date.now();
    } catch (cause) {
      if (this.#configuration === undefined)
        throw new UpstreamUnavailable('the provider says nothing of itself', { cause });
    }
    return this.#configuration;
  }

  async #read(): Promise<Configuration> {
    const { facts, options } = this.definition;
    const { issuer, endpoints } = facts;
    const { clientId, timeout = TIMEOUT } = options;
    const client = this.#client;
    if (endpoints !== undefined) {
      const made = new client.Configuration(
        { issuer, ...endpoints },
        clientId,
        undefined,
        this.#authentication(),
      );
      made[client.customFetch] = this.#fetch as OpenidClient.CustomFetch;
      made.timeout = timeout / 1000;
      return made;
    }
    const discover = (algorithm: 'oidc' | 'oauth2'): Promise<Configuration> =>
      client.discovery(new URL(issuer), clientId, undefined, this.#authentication(), {
        ...{
          algorithm,
          timeout: timeout / 1000,
          [client.customFetch]: this.#fetch as OpenidClient.CustomFetch,
        },
        // On this machine only, as the rule of the option says
        // oxlint-disable-next-line typescript/no-deprecated
        ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
      });
    return within(
      discover('oidc').catch(() => discover('oauth2')),
      2 * timeout,
    );
  }

  #authentication(): OpenidClient.ClientAuth {
    const { facts, options } = this.definition;
    const { clientAssertion, clientSecret } = options;
    if (clientAssertion !== undefined)
      // It is awaited, though its type does not say so
      // oxlint-disable-next-line typescript/no-misused-promises
      return async (_server, _client, body) => {
        body.set('client_id', options.clientId);
        body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
        body.set('client_assertion', await clientAssertion());
      };
    if (clientSecret === undefined) return this.#client.None();
    const isHeader = facts.secretIn === 'header';
    return isHeader
      ? this.#client.ClientSecretBasic(clientSecret)
      : this.#client.ClientSecretPost(clientSecret);
  }

  #scope(configuration: Configuration): string {
    const { facts, options } = this.definition;
    const listed = configuration.serverMetadata().scopes_supported?.includes('offline_access') === true;
    const isOffline = facts.offlineAccess === 'always' || (facts.offlineAccess === 'listed' && listed);
    const scopes = options.scopes ?? facts.scopes;
    return [...new Set([...scopes, ...(isOffline ? ['offline_access'] : [])])].join(' ');
  }

  async #person(token: string): Promise<PlainObject> {
    const { personUrl = '' } = this.definition.facts;
    const { timeout = TIMEOUT } = this.definition.options;
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'toolwright' };
    try {
      const init = { headers };
      const found = await fetchJson(personUrl, {
        fetch: this.#fetch,
        timeout,
        limit: MAX_PERSON_BYTES,
        init,
      });
      if (isPlainObject(found)) return found;
      throw new Error('the provider answered with something other than a person');
    } catch (cause) {
      if (/status 40[13]/.test(String(cause)))
        throw new UpstreamRefused('the token counts no more', { cause });
      throw new UpstreamUnavailable('the provider does not say who the person is', { cause });
    }
  }

  readonly #fetch = (url: string, init: RequestInit): Promise<Response> =>
    (this.definition.options.fetch ?? fetch)(url, init);

  /** What a provider says is refused; what it cannot say now may be said later. */
  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (cause) {
      const { error, status, code } = cause as { error?: unknown; status?: number; code?: string };
      const isFailure = typeof status === 'number' && status >= 500;
      const isRefusal = typeof error === 'string' && error !== 'temporarily_unavailable' && !isFailure;
      const isInvalid = code !== undefined && INVALID.test(code);
      if (isRefusal || isInvalid)
        throw new UpstreamRefused(typeof error === 'string' ? error : (code ?? ''), { cause });
      throw new UpstreamUnavailable('the provider cannot be asked', { cause });
    }
  }
}

/** An answer whose form or claims are wrong: it would be the same the next time. */
const INVALID = /CLAIM|INVALID_RESPONSE|JWT|AUTHORIZATION_RESPONSE|UNSUPPORTED|KEY_SELECTION/;

function tokensIn(
  answer: OpenidClient.TokenEndpointResponse & Partial<OpenidClient.TokenEndpointResponseHelpers>,
): UpstreamTokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope } = answer;
  return {
    access,
    refresh,
    scope,
    expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1000,
  };
}

function withoutUndefined(tokens: UpstreamTokens): UpstreamTokens {
  return Object.fromEntries(
    Object.entries(tokens).filter(([, value]) => value !== undefined),
  ) as unknown as UpstreamTokens;
}
