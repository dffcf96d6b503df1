import { AuthenticationError, type AuthInfo, type ProtectedResource, type TokenVerifier } from '../index.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import {
  aFunction,
  filledText,
  objectOf,
  oneOf,
  positiveMilliseconds,
  milliseconds,
  required,
  safeUrl,
  secret,
  texts,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import { callerOf, CLAIM_RULES, refused, type ClaimPaths } from './claims.ts';
import { fetchJson, type Fetch } from './fetch-json.ts';
import { hashToken, TokenCache } from './token-cache.ts';

/** Options of {@link introspection}. */
export interface IntrospectionOptions {
  /** The issuer of the tokens. */
  readonly issuer: string;
  /** Where it answers what a token is. */
  readonly endpoint: string;
  /** The name of this server there. */
  readonly clientId: string;
  /** The password of this server there. */
  readonly clientSecret: string;
  /** Whether name and password go into a header or into the form. Default `basic`. */
  readonly clientAuthentication?: 'basic' | 'post';
  /** What else tokens may be issued for, beside the URL of the server. Default: nothing. */
  readonly audiences?: readonly string[];
  /** The tenant that all tokens are of. Default: none. */
  readonly tenant?: string;
  /** Where roles, tenant and client are in the answer. */
  readonly claims?: ClaimPaths;
  /** Milliseconds for which an answer is believed: a revoked token counts for so long. Default 0. */
  readonly ttl?: number;
  /** Milliseconds to wait for an answer. Default 3 seconds. */
  readonly timeout?: number;
  /** How many answers are remembered. Default 10,000. */
  readonly maxTokens?: number;
  /** Asks the endpoint. Default: the global `fetch`. */
  readonly fetch?: Fetch;
}

export const INTROSPECTION_RULES: OptionRules<IntrospectionOptions> = {
  issuer: required(safeUrl),
  endpoint: required(safeUrl),
  clientId: required(filledText),
  clientSecret: required(secret(filledText)),
  clientAuthentication: oneOf('basic', 'post'),
  audiences: texts,
  tenant: filledText,
  claims: objectOf(CLAIM_RULES),
  ttl: milliseconds,
  timeout: positiveMilliseconds,
  maxTokens: wholeNumber(1),
  fetch: aFunction,
};

const TIMEOUT = 3000;
const MOST_BYTES = 256 * 1024;
const MOST_TOKENS = 10_000;
/** Milliseconds for which a token that counts for nothing is not asked for again. */
const REFUSED_TTL = 5000;

/**
 * Asks the issuer what a token is, each time (RFC 7662): for opaque tokens, and for those that may be revoked.
 *
 * @throws ToolwrightError `TW_APPLICATION_OPTION`
 * @example
 * const clientSecret = process.env['CLIENT_SECRET'] ?? '';
 * const endpoint = 'https://id.example/introspect';
 * const verify = introspection({ issuer: 'https://id.example', endpoint, clientId: 'tasks', clientSecret });
 */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  refuseOptions('TW_APPLICATION_OPTION', 'introspection()', options, INTROSPECTION_RULES);
  return Object.freeze(new Introspection(options));
}

/** What an issuer said of a token. */
type Answer = { readonly caller: AuthInfo } | { readonly refusal: AuthenticationError };

class Introspection implements TokenVerifier {
  readonly issuers: readonly string[];
  readonly #options: IntrospectionOptions;
  readonly #answers = new WeakMap<ProtectedResource, TokenCache<Answer>>();

  constructor(options: IntrospectionOptions) {
    this.#options = options;
    this.issuers = Object.freeze([options.issuer]);
  }

  verify(token: string, server: ProtectedResource): AuthInfo | Promise<AuthInfo> {
    const answers = this.#answers.get(server) ?? this.#remember(server);
    const key = hashToken(token);
    const known = answers.get(key, Date.now());
    if (known !== undefined) return callerIn(known);
    return answers.ask(key, () => this.#ask(token, key, server, answers)).then(callerIn);
  }

  #remember(server: ProtectedResource): TokenCache<Answer> {
    const answers = new TokenCache<Answer>(this.#options.maxTokens ?? MOST_TOKENS);
    this.#answers.set(server, answers);
    return answers;
  }

  async #ask(
    token: string,
    key: string,
    server: ProtectedResource,
    answers: TokenCache<Answer>,
  ): Promise<Answer> {
    const claims = await this.#claimsOf(token);
    const answer = this.#read(token, claims, server);
    const { ttl = 0 } = this.#options;
    const now = Date.now();
    if ('refusal' in answer) answers.set(key, answer, now + REFUSED_TTL);
    else if (ttl > 0) answers.set(key, answer, Math.min(now + ttl, (answer.caller.expiresAt ?? 0) * 1000));
    return answer;
  }

  #read(token: string, claims: PlainObject, server: ProtectedResource): Answer {
    const { issuer, audiences = [], tenant, claims: paths = {} } = this.#options;
    try {
      if (claims['active'] !== true) throw refused(undefined, 'its issuer says that the token is not active');
      if (claims['iss'] !== undefined && claims['iss'] !== issuer)
        throw refused(undefined, 'the token is of another issuer');
      checkTimes(claims);
      return {
        caller: callerOf(token, claims, { server, audiences, issuer, tenant, paths }),
      };
    } catch (cause) {
      if (!AuthenticationError.is(cause)) throw cause;
      return { refusal: cause };
    }
  }

  async #claimsOf(token: string): Promise<PlainObject> {
    const { endpoint, timeout = TIMEOUT, fetch } = this.#options;
    const init = { method: 'POST', ...this.#form(token) };
    const answer = await fetchJson(endpoint, { fetch, timeout, limit: MOST_BYTES, init }).catch(
      (cause: unknown) => {
        throw unreachable(cause);
      },
    );
    if (isPlainObject(answer) && typeof answer['active'] === 'boolean') return answer;
    throw unreachable(new Error('the provider answered with something other than what a token is'));
  }

  #form(token: string): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
    const { clientId, clientSecret, clientAuthentication = 'basic' } = this.#options;
    const form = { token, token_type_hint: 'access_token' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    if (clientAuthentication === 'post') {
      const named = { ...form, client_id: clientId, client_secret: clientSecret };
      return { headers, body: new URLSearchParams(named).toString() };
    }
    // RFC 6749, 2.3.1: each is written as in a form first
    const encoded = [clientId, clientSecret].map((part) =>
      new URLSearchParams([['', part]]).toString().slice(1),
    );
    const authorization = `Basic ${btoa(encoded.join(':'))}`;
    return { headers: { ...headers, authorization }, body: new URLSearchParams(form).toString() };
  }
}

function callerIn(answer: Answer): AuthInfo {
  if ('refusal' in answer) throw answer.refusal;
  return answer.caller;
}

/** The issuer has looked as well, but its answer may be old. */
function checkTimes({ exp, nbf }: PlainObject): void {
  const now = Date.now() / 1000;
  if (typeof exp !== 'number' || !(exp > now)) throw refused('The token has expired');
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + 5))
    throw refused('The token is not valid yet');
}

/** Without its cause, whose text may name the address and what was sent to it. */
function unreachable(cause: unknown): AuthenticationError {
  const reason =
    cause instanceof Error && cause.message.startsWith('the provider') ? cause.message : 'it gave no answer';
  return new AuthenticationError(503, { description: `Introspection failed: ${reason}` });
}
