import type { Logger } from '../call/logger.ts';
import type { AuthInfo } from '../call/request-context.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import { rule } from '../shared/option-rules.ts';

/** The server, as the verifier of its tokens sees it. There is one of it for each application. */
export interface ProtectedResource {
  /** The public URL of the endpoint, which tokens have to be issued for. */
  readonly resource: string;
  /**
   * Whether a URL names it: with another case of scheme and host, with a slash at the end, or with the path of one of its
   * surfaces, which a client that calls `/mcp/flat` asks for a token of.
   */
  isNamedBy(url: string): boolean;
  /** Takes problems of the verifier. Tokens and claims do not belong in it. */
  readonly logger: Logger;
}

/** The request that brought a token, for verifiers that name {@link TokenVerifier.schemes}. */
export interface TokenRequest {
  /** The scheme that the token came with, in lower case: `bearer`, or one of the verifier. */
  readonly scheme: string;
  /** The HTTP method. */
  readonly method: string;
  /** A header by its name in lower case, as it was sent; several of one name with commas between. */
  sentHeader(name: string): string | null;
  /**
   * Whether a text comes for the first time within so many milliseconds, to any instance that shares the store of the
   * backplane. It is kept as one of the caller. Rejects where the store cannot be reached or has no room.
   */
  isFirst(text: string, ttl: number, caller: AuthInfo): Promise<boolean>;
}

/** Verifies the tokens of one kind: `jwt()`, `introspection()` and `apiKeys()` of `toolwright/auth`, or your own. */
export interface TokenVerifier {
  /** The issuers of its tokens, where clients sign in. Default: none. */
  readonly issuers?: readonly string[];
  /** Those of one tenant, for an endpoint with a path for each. Default: all of them. */
  issuersOf?(tenant: string): readonly string[];
  /** A header that its tokens may come in, instead of `Authorization`. Default: none. */
  readonly header?: string;
  /**
   * The schemes of `Authorization` that its tokens may come with beside `Bearer`, each with the parameters of its
   * challenge: `{ DPoP: 'algs="ES256"' }`. Default: none.
   */
  readonly schemes?: Readonly<Record<string, string>>;
  /** What the metadata of the server says because of it (RFC 9728, 2). Default: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Milliseconds for which its tokens count beyond `expiresAt`, because clocks differ. Default 0. */
  readonly clockTolerance?: number;
  /** Whether a token has the form of this verifier, so that no other one is asked. Default: every token has. */
  recognizes?(token: string): boolean;
  /**
   * The caller; undefined refuses the token.
   * @param request what brought the token: undefined over stdio, and for a verifier without schemes
   * @throws AuthenticationError to say why it is refused, or 503 where it cannot be verified now
   */
  verify(
    token: string,
    server: ProtectedResource,
    request?: TokenRequest,
  ): AuthInfo | undefined | Promise<AuthInfo | undefined>;
}

/** Knows the tokens that count no more before they expire. Asked for each request, so let it answer from memory. */
export interface RevocationList {
  /** Whether the token of this caller is revoked. */
  isRevoked(authInfo: AuthInfo): boolean | Promise<boolean>;
}

/** What a {@link LocalCaller} may use. */
export interface LocalCredentials {
  /** Verifies a token of the environment, as one of an HTTP request. */
  verify(token: string): Promise<AuthInfo>;
}

/** Who calls over stdio, or inside the process. Asked again when what it gave has expired. */
export type LocalCaller = (
  credentials: LocalCredentials,
) => AuthInfo | undefined | Promise<AuthInfo | undefined>;

/** Issues tokens in the application itself: it is asked before all other verifiers. */
export interface OwnIssuer extends TokenVerifier {
  /** One of its callers was refused for a lack of scopes; undefined where that changes nothing. */
  insufficientScope(caller: AuthInfo): MaybePromise<void>;
}

/** What the resource server reads of the option `auth`, which says more of each member. */
export interface ResourceServerOptions {
  readonly resource?: string;
  readonly verify?: TokenVerifier | readonly TokenVerifier[] | undefined;
  readonly default?: 'authenticated' | 'public';
  readonly local?: 'anonymous' | 'trusted' | LocalCaller;
  readonly challenges?: 'http' | 'result';
  readonly scopesSupported?: readonly string[];
  readonly authorizationServers?: readonly string[];
  readonly resourceName?: string;
  readonly resourceDocumentation?: string;
  readonly rootMetadata?: boolean;
  readonly revocation?: RevocationList;
  readonly revocationTimeout?: number;
}

/** A URL without one slash at its end, as MCP names resources (spec: basic/authorization, Canonical Server URI). */
export function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

/** A URL with scheme and host in lower case, and without one slash at the end; the rest letter by letter. */
export function canonicalUrl(url: string): string {
  const [, origin, rest = ''] = /^([a-z][\w+.-]*:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  return origin === undefined ? url : `${origin.toLowerCase()}${withoutSlash(rest)}`;
}

/** RFC 6749, 3.3. What a client needs to refresh tokens is a matter between it and the authorization server. */
export const scopeRule = rule(
  'a scope other than offline_access: printable ASCII without spaces, quotes and backslashes',
  (value) =>
    typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) && value !== 'offline_access',
);

/** Scopes that stand for further ones: for each, those that it stands for. */
export type ImpliedScopes = Readonly<Record<string, readonly string[]>>;
