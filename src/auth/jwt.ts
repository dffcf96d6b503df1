import { Buffer } from 'node:buffer';
import type { CryptoKey, JWTHeaderParameters, JWTPayload } from 'jose';
import {
  AuthenticationError,
  type AuthInfo,
  type ProtectedResource,
  type TokenRequest,
  type TokenVerifier,
} from '../index.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import {
  aFunction,
  either,
  filledText,
  listOf,
  objectOf,
  oneOf,
  positiveMilliseconds,
  rule,
  safeUrl,
  texts,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import { callerOf, CLAIM_RULES, refused, type ClaimPaths } from './claims.ts';
import { checkBinding, DPOP_SCHEMES, dpopMetadata, type DpopMode } from './dpop.ts';
import type { Fetch } from './fetch-json.ts';
import { issuerRule, TrustedIssuers, type TrustedIssuer } from './trusted-issuers.ts';
import type { KeyOptions, KeySet } from './key-set.ts';
import { TokenCache } from './token-cache.ts';

/** The signatures that tokens may have; those that need a key that both sides know are not among them. */
export type TokenAlgorithm =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'
  | 'Ed25519';

/** Options of {@link jwt}. */
export interface JwtOptions {
  /** The issuer, as it names itself in tokens. */
  readonly issuer?: string;
  /** Where its keys are. Default: where its metadata says. */
  readonly jwksUri?: string;
  /** What else tokens may be issued for, beside the URL of the server. Default: nothing. */
  readonly audiences?: readonly string[];
  /** The tenant that all tokens of the issuer are of. Default: none. */
  readonly tenant?: string;
  /**
   * Several issuers; a function finds the settings of one in a list that the server owns. It is asked with each request, so let
   * it answer from memory.
   */
  readonly issuers?:
    | readonly TrustedIssuer[]
    | ((issuer: string) => TrustedIssuer | undefined | Promise<TrustedIssuer | undefined>);
  /** Default RS256, PS256, ES256 and EdDSA. */
  readonly algorithms?: readonly TokenAlgorithm[];
  /** Takes tokens that say `JWT` or nothing of their type, and those without `iat` and `jti`. Default false. */
  readonly lenient?: boolean;
  /**
   * Takes tokens that are bound to a key, with a proof for each request (DPoP, RFC 9449): `accept` beside bearer tokens,
   * `require` instead of them. Default: bound tokens are refused.
   */
  readonly dpop?: 'accept' | 'require';
  /** Milliseconds by which clocks may differ, at most 60,000. Default 5,000. */
  readonly clockTolerance?: number;
  /** Milliseconds after which a token counts no more, however long it says. Default: no limit. */
  readonly maxTokenAge?: number;
  /** Where roles, tenant and client are in the claims. */
  readonly claims?: ClaimPaths;
  /** How the keys are fetched and kept. */
  readonly keys?: KeyOptions;
  /** Milliseconds for which a verified token is remembered, at most 5 minutes; 0 verifies each time. Default 5 minutes. */
  readonly tokenTtl?: number;
  /** How many are remembered. Default 10,000. */
  readonly maxTokens?: number;
  /** Fetches keys and metadata. Default: the global `fetch`. */
  readonly fetch?: Fetch;
}

const ALGORITHMS: readonly TokenAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const ALL_ALGORITHMS: readonly TokenAlgorithm[] = [
  ...ALGORITHMS,
  ...(['RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512', 'Ed25519'] as const),
];
const TOKEN_TTL = 5 * 60_000;
const MAX_TOKENS = 10_000;
const TOLERANCE = 5000;

const upTo = (most: number) =>
  rule(
    `a number of milliseconds from 0 to ${String(most)}`,
    (value) => typeof value === 'number' && value >= 0 && value <= most,
  );

const KEY_RULES: OptionRules<KeyOptions> = {
  ttl: positiveMilliseconds,
  staleTtl: upTo(7 * 24 * 3_600_000),
  cooldown: positiveMilliseconds,
  timeout: positiveMilliseconds,
};

export const JWT_RULES: OptionRules<JwtOptions> = {
  issuer: safeUrl,
  jwksUri: safeUrl,
  audiences: texts,
  tenant: filledText,
  issuers: either(listOf(issuerRule), aFunction),
  algorithms: listOf(oneOf(...ALL_ALGORITHMS)),
  lenient: trueOrFalse,
  dpop: oneOf('accept', 'require'),
  clockTolerance: upTo(60_000),
  maxTokenAge: positiveMilliseconds,
  claims: objectOf(CLAIM_RULES),
  keys: objectOf(KEY_RULES),
  tokenTtl: upTo(TOKEN_TTL),
  maxTokens: wholeNumber(1),
  fetch: aFunction,
};

/**
 * Verifies JWT access tokens (RFC 9068) with the keys of their issuers.
 *
 * @throws ToolwrightError `TW_APPLICATION_OPTION`
 * @example
 * const app = await McpApplication.create(AppModule, {
 *   auth: { resource: 'https://mcp.example/mcp', verify: jwt({ issuer: 'https://id.example' }) },
 * });
 */
export function jwt(options: JwtOptions): TokenVerifier {
  refuseOptions('TW_APPLICATION_OPTION', 'jwt()', options, JWT_RULES);
  return Object.freeze(new JwtVerifier(options));
}

interface Verified {
  readonly caller: AuthInfo;
  readonly issuer: TrustedIssuer;
  readonly keys: KeySet;
  readonly version: number;
}

class JwtVerifier implements TokenVerifier {
  readonly issuers: readonly string[];
  readonly clockTolerance: number;
  readonly schemes?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly #options: JwtOptions;
  readonly #trusted: TrustedIssuers;
  readonly #tokens = new WeakMap<ProtectedResource, TokenCache<Verified>>();

  constructor(options: JwtOptions) {
    this.#options = options;
    this.#trusted = new TrustedIssuers(options);
    this.issuers = this.#trusted.names;
    this.clockTolerance = options.clockTolerance ?? TOLERANCE;
    if (options.dpop === undefined) return;
    this.schemes = DPOP_SCHEMES;
    this.metadata = dpopMetadata(options.dpop);
  }

  issuersOf(tenant: string): readonly string[] {
    return this.#trusted.namesFor(tenant);
  }

  recognizes(token: string): boolean {
    return FORM.test(token) && readPart(token.slice(0, token.indexOf('.'))) !== undefined;
  }

  verify(token: string, server: ProtectedResource, request?: TokenRequest): AuthInfo | Promise<AuthInfo> {
    const caller = this.#callerOf(token, server);
    const { dpop } = this.#options;
    return dpop === undefined ? caller : this.#proved(caller, dpop, server, request);
  }

  /** Each request brings a proof of its own, however well the token is known. */
  async #proved(
    verified: AuthInfo | Promise<AuthInfo>,
    mode: DpopMode,
    server: ProtectedResource,
    request: TokenRequest | undefined,
  ): Promise<AuthInfo> {
    const caller = await verified;
    await checkBinding(caller, mode, server, request);
    return caller;
  }

  #callerOf(token: string, server: ProtectedResource): AuthInfo | Promise<AuthInfo> {
    const tokens = this.#tokens.get(server) ?? this.#remember(server);
    // Not by a hash, which takes longer than all else here: the caller has the token as well
    const known = tokens.get(token, Date.now());
    if (known === undefined || !known.keys.isCurrent() || known.version !== known.keys.version) {
      return this.#verifyOnce(token, server, tokens);
    }
    const isTrusted = this.#trusted.stillTrusts(known.issuer);
    if (isTrusted === true) return known.caller;
    return this.#verifyUnless(isTrusted, known, () => this.#verifyOnce(token, server, tokens));
  }

  async #verifyUnless(
    isTrusted: boolean | Promise<boolean>,
    { caller }: Verified,
    verify: () => Promise<AuthInfo>,
  ): Promise<AuthInfo> {
    return (await isTrusted) ? caller : verify();
  }

  async #verifyOnce(
    token: string,
    server: ProtectedResource,
    tokens: TokenCache<Verified>,
  ): Promise<AuthInfo> {
    const verified = await tokens.ask(token, () => this.#verify(token, server));
    const { tokenTtl = TOKEN_TTL } = this.#options;
    const ends = ((verified.caller.expiresAt ?? 0) + this.clockTolerance / 1000) * 1000;
    tokens.set(token, verified, Math.min(ends, Date.now() + tokenTtl));
    return verified.caller;
  }

  #remember(server: ProtectedResource): TokenCache<Verified> {
    const tokens = new TokenCache<Verified>(this.#options.maxTokens ?? MAX_TOKENS);
    this.#tokens.set(server, tokens);
    return tokens;
  }

  /** The issuer, which nobody has verified yet, chooses the keys; only those of an issuer that is trusted are fetched. */
  async #verify(token: string, server: ProtectedResource): Promise<Verified> {
    const { header, claims } = partsOf(token) ?? {};
    if (header === undefined || claims === undefined) throw refused(undefined, 'the token is not a JWT');
    this.#checkHeader(header);
    const issuer = await this.#trusted.find(claims['iss']);
    if (issuer === undefined) throw refused('The issuer of the token is not trusted here');
    const keys = this.#trusted.keysOf(issuer, server.logger);
    const { payload, version } = await this.#verifySignature(token, issuer.issuer, keys);
    const { tenant, audiences = [] } = issuer;
    const expected = { server, audiences, issuer: issuer.issuer, tenant };
    const { claims: paths = {}, dpop } = this.#options;
    if (payload.sub === undefined) throw refused(undefined, 'the token does not name who calls');
    return {
      caller: callerOf(token, payload, { ...expected, paths, isProved: dpop !== undefined }),
      issuer,
      keys,
      version,
    };
  }

  #checkHeader({ alg, typ }: PlainObject): void {
    const { algorithms = ALGORITHMS, lenient = false } = this.#options;
    if (!algorithms.some((each) => each === alg)) throw refused('The algorithm of the token is not accepted');
    // RFC 9068, 2.1; RFC 8725, 3.11: a token of another kind must not pass for an access token
    const kind = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
    const isAccepted = kind === 'at+jwt' || (lenient && (kind === undefined || kind === 'jwt'));
    if (!isAccepted) throw refused('The token is not an access token');
  }

  async #verifySignature(
    token: string,
    issuer: string,
    keys: KeySet,
  ): Promise<{ readonly payload: JWTPayload; readonly version: number }> {
    const { algorithms = ALGORITHMS, maxTokenAge, lenient = false } = this.#options;
    const { jwtVerify } = await import('jose');
    let version = 0;
    const find = async (header: JWTHeaderParameters): Promise<CryptoKey> => {
      const found = await keys.find(header);
      version = found.version;
      return found.key;
    };
    try {
      const { payload } = await jwtVerify(token, find, {
        issuer,
        algorithms: [...algorithms],
        requiredClaims: ['iss', 'aud', 'exp', 'sub', ...(lenient ? [] : ['iat', 'jti'])],
        clockTolerance: this.clockTolerance / 1000,
        ...(maxTokenAge === undefined ? {} : { maxTokenAge: maxTokenAge / 1000 }),
      });
      return { payload, version };
    } catch (cause) {
      throw AuthenticationError.is(cause) ? cause : refused(reasonOf(cause), faultOf(cause));
    }
  }
}

/** In our own words: those of the library repeat claims. */
function reasonOf(cause: unknown): string | undefined {
  const { code, claim } = cause as { readonly code?: string; readonly claim?: string };
  if (code === 'ERR_JWT_EXPIRED') return 'The token has expired';
  return claim === 'nbf' ? 'The token is not valid yet' : undefined;
}

/** What the library found wrong, for the log; its sentences name claims and no values. */
function faultOf(cause: unknown): string | undefined {
  const { code = '', message } = cause as { readonly code?: string; readonly message?: string };
  return code.startsWith('ERR_J') ? message : undefined;
}

interface TokenParts {
  readonly header: PlainObject;
  readonly claims: PlainObject;
}

const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** What a token says of itself, unverified; undefined for what has not the form of a JWT (RFC 7519, 3). */
function partsOf(token: string): TokenParts | undefined {
  if (!FORM.test(token)) return undefined;
  const [header = '', claims = ''] = token.split('.');
  const read = readPart(header);
  return read && { header: read, claims: readPart(claims) ?? {} };
}

function readPart(text: string): PlainObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
