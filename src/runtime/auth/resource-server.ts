import { AuthenticationError } from '../../errors/authentication-error.ts';
import type { Logger } from '../../call/logger.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import { subjectOf } from '../../call/subject.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import {
  canonicalUrl,
  withoutSlash,
  type OwnIssuer,
  type ProtectedResource,
  type ResourceServerOptions,
  type TokenRequest,
  type TokenVerifier,
} from '../../metadata/token-verifier.ts';
import type { PlainObject } from '../../shared/json.ts';
import { thenMaybe, toMaybePromise, type MaybePromise } from '../../shared/maybe-promise.ts';
import { within } from '../../shared/platform.ts';
import type { Store } from '../store/store.ts';
import { bearerChallenge, type BearerChallenge } from './challenge.ts';
import { LocalIdentity } from './local-caller.ts';
import { FirstTexts, PresentedToken, type Credentials } from './presented-token.ts';
import { TenantResources } from './tenant-resources.ts';
import { faultOfCaller, VerifiedCaller } from './verified-caller.ts';

/** RFC 6750, 2.1; the scheme in any case (RFC 9110, 11.1). */
const CREDENTIALS = /^[\w-]+ ([\w.~+/-]+=*)$/;
const IS_BEARER = /^bearer(?:[\s,]|$)/i;
const SCHEME = /^([\w-]+)(?:[\s,]|$)/;
const MAX_TOKEN_LENGTH = 8 * 1024;
const REVOCATION_TIMEOUT = 1000;

interface ResourceParts {
  readonly issuer?: OwnIssuer | undefined;
  /** The only one whose tokens count. */
  readonly tenant?: string;
  /** The server of all tenants. */
  readonly whole?: ResourceServer;
  /** What a path may have behind that of the resource and still name it: `/flat`. Default: nothing. */
  readonly ends?: readonly string[];
}

/** The application as a resource server: it verifies who calls, and says where clients sign in. */
export class ResourceServer implements ProtectedResource {
  readonly options: ResourceServerOptions;
  readonly logger: Logger;
  /** Whether a request without a token is served: there is something for anonymous callers. */
  allowsAnonymous: boolean;
  /** Who calls where no request brings a token. */
  readonly local = new LocalIdentity(this);
  /** Undefined where all tenants share the endpoint. */
  readonly tenants: TenantResources<ResourceServer> | undefined;
  /** Undefined where other servers issue all tokens. */
  readonly issuer: OwnIssuer | undefined;
  readonly #tenant: string | undefined;
  readonly #ends: readonly string[];
  readonly #verifiers: readonly TokenVerifier[];
  /** Where a token may come from beside `Authorization`. */
  readonly #headers: readonly string[];
  /** The schemes beside `Bearer`, in lower case. */
  readonly #schemes: ReadonlySet<string>;
  /** The further challenges, one for each scheme. */
  readonly #challenges: readonly string[];
  /** What counts once of tokens, such as proofs. */
  readonly #texts: FirstTexts;
  /** By what a verifier gave: one that remembers its tokens gives the same object again. */
  readonly #known = new WeakMap<object, VerifiedCaller>();
  #resource: string | undefined;

  /** @throws ToolwrightError `TW_APPLICATION_OPTION` for a verifier that is never asked */
  constructor(options: ResourceServerOptions, logger: Logger, parts: ResourceParts = {}) {
    const { verify = [] } = options;
    const { issuer, tenant, whole, ends = [] } = parts;
    this.options = options;
    this.logger = logger;
    this.#tenant = tenant;
    this.#ends = ends;
    this.allowsAnonymous = options.default === 'public' && tenant === undefined;
    this.#resource = options.resource === undefined ? undefined : withoutSlash(options.resource);
    this.issuer = issuer;
    const given = 'verify' in verify ? [verify] : [...verify];
    this.#verifiers = Object.freeze(issuer === undefined ? given : [issuer, ...given]);
    this.#headers = this.#verifiers.flatMap(({ header }) => header?.toLowerCase() ?? []);
    checkOrder(this.#verifiers);
    const schemes = Object.assign({}, ...this.#verifiers.map((each) => each.schemes)) as Record<
      string,
      string
    >;
    this.#schemes = new Set(Object.keys(schemes).map((name) => name.toLowerCase()));
    this.#challenges = Object.entries(schemes).map(([name, parameters]) => `${name} ${parameters}`);
    this.#texts = whole === undefined ? new FirstTexts() : whole.#texts;
    this.tenants = TenantResources.of(this.#resource, (name, resource) => {
      const authorizationServers = this.#issuersFor(name);
      return new ResourceServer({ ...options, resource, authorizationServers, rootMetadata: false }, logger, {
        issuer,
        tenant: name,
        whole: this,
        ends,
      });
    });
  }

  /** The resource that a request is for. */
  at(request: { readonly path: string }): ResourceServer {
    return this.tenants === undefined ? this : (this.tenants.at(request.path) ?? this);
  }

  /** The resource that callers of a tenant use. */
  ofTenant(tenant: string | undefined): ResourceServer {
    return tenant === undefined || this.tenants === undefined ? this : this.tenants.of(tenant);
  }

  #issuersFor(tenant: string): readonly string[] {
    const { authorizationServers } = this.options;
    return (
      authorizationServers ??
      this.#verifiers.flatMap((each) => each.issuersOf?.(tenant) ?? each.issuers ?? [])
    );
  }

  get resource(): string {
    if (this.#resource === undefined) throw withoutResource();
    return this.#resource;
  }

  isNamedBy(url: string): boolean {
    const [named, resource] = [canonicalUrl(url), canonicalUrl(this.resource)];
    return named === resource || this.#ends.some((end) => named === `${resource}${end}`);
  }

  /**
   * Serves an endpoint. One that only this machine reaches may give the URL.
   * @throws ToolwrightError `TW_APPLICATION_OPTION` where the URL is not known
   */
  placeAt(url: string, isLoopback: boolean): void {
    if (isLoopback) this.#resource ??= withoutSlash(url);
    if (this.#resource === undefined) throw withoutResource();
  }

  /** Where it keeps what counts once. */
  keepIn(store: Store | undefined): void {
    this.#texts.keepIn(store);
  }

  /** Takes the place of another one. */
  succeed(former: ResourceServer): void {
    this.#resource ??= former.#resource;
  }

  /** The issuers that clients may sign in with. */
  get authorizationServers(): readonly string[] {
    return this.options.authorizationServers ?? this.#verifiers.flatMap(({ issuers }) => issuers ?? []);
  }

  /** Where the metadata is; undefined where there is nothing to sign in with. */
  get metadataUrl(): string | undefined {
    if (this.#resource === undefined || this.authorizationServers.length === 0) return undefined;
    const { origin, pathname } = new URL(this.resource);
    return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
  }

  /** The document for clients (RFC 9728, 2); undefined where there is nothing to sign in with. */
  get metadata(): PlainObject | undefined {
    const { scopesSupported, resourceName, resourceDocumentation } = this.options;
    if (this.metadataUrl === undefined) return undefined;
    return {
      resource: this.resource,
      authorization_servers: this.authorizationServers,
      ...(scopesSupported === undefined ? {} : { scopes_supported: scopesSupported }),
      bearer_methods_supported: ['header'],
      ...(resourceName === undefined ? {} : { resource_name: resourceName }),
      ...(resourceDocumentation === undefined ? {} : { resource_documentation: resourceDocumentation }),
      ...(Object.assign({}, ...this.#verifiers.map((each) => each.metadata)) as PlainObject),
    };
  }

  /** The `WWW-Authenticate` header of a refusal, with where to sign in. */
  challenge(challenge: BearerChallenge): string {
    const header = bearerChallenge({ resourceMetadata: this.metadataUrl, ...challenge });
    // Clients read a scheme with a parameter, and the first one
    return [header === 'Bearer' ? 'Bearer realm="mcp"' : header, ...this.#challenges].join(', ');
  }

  /** Reports to the issuer that one of its callers was refused for a lack of scopes. */
  insufficientScope(caller: AuthInfo): MaybePromise<void> {
    return this.issuer?.insufficientScope(caller);
  }

  /** The scopes that a client without a token asks for. */
  get firstScope(): string | undefined {
    const { scopesSupported = [] } = this.options;
    return scopesSupported.length === 0 ? undefined : scopesSupported.join(' ');
  }

  /**
   * The caller; undefined for an anonymous one. A verifier that answers at once costs no promise.
   * @throws AuthenticationError, or what a verifier throws
   */
  callerOf(credentials: Credentials): MaybePromise<AuthInfo | undefined> {
    const authorization = credentials.sentHeader('authorization');
    if (this.#headers.length > 0) {
      const keyed = this.#keyOf(credentials, authorization);
      if (keyed !== undefined) return this.#verify(keyed.verifier, keyed.token);
    }
    const scheme = this.#schemeOf(authorization);
    if (authorization === null || (scheme === undefined && !authorization.includes(','))) {
      const isAllowed = this.allowsAnonymous && this.tenants === undefined;
      if (isAllowed && authorization === null) return undefined;
      throw new AuthenticationError(401, { description: 'A token is needed' });
    }
    return this.#verifyPresented(tokenOf(authorization), scheme ?? 'bearer', credentials);
  }

  /** The scheme of a token, in lower case; undefined for any other one. */
  #schemeOf(authorization: string | null): string | undefined {
    if (authorization === null || IS_BEARER.test(authorization))
      return authorization === null ? undefined : 'bearer';
    if (this.#schemes.size === 0) return undefined;
    const scheme = SCHEME.exec(authorization)?.[1]?.toLowerCase();
    return scheme !== undefined && this.#schemes.has(scheme) ? scheme : undefined;
  }

  #verifyPresented(token: string, scheme: string, credentials: Credentials): MaybePromise<AuthInfo> {
    const verifier = this.#verifierOf(token);
    const { schemes } = verifier;
    if (schemes === undefined) {
      if (scheme !== 'bearer') throw refused(undefined, 'the token does not come with this scheme');
      return this.#verify(verifier, token);
    }
    return this.#verify(verifier, token, new PresentedToken(scheme, credentials, this.#texts));
  }

  /** Whether a request says who calls, however. */
  bringsCredential(credentials: Credentials): boolean {
    return ['authorization', ...this.#headers].some((name) => credentials.sentHeader(name) !== null);
  }

  /** The caller that a token stands for. @throws AuthenticationError, or what a verifier throws */
  verifyToken(token: string): MaybePromise<AuthInfo> {
    return this.#verify(this.#verifierOf(token), token);
  }

  #verifierOf(token: string): TokenVerifier {
    const [only, ...others] = this.#verifiers;
    const verifier =
      others.length === 0 ? only : this.#verifiers.find((each) => each.recognizes?.(token) ?? true);
    if (verifier === undefined) throw refused(undefined, 'no verifier recognizes the form of the token');
    return verifier;
  }

  #verify(verifier: TokenVerifier, token: string, request?: TokenRequest): MaybePromise<AuthInfo> {
    const given = toMaybePromise(verifier.verify(token, this, request));
    return thenMaybe(given, (caller) => this.#accept(caller, verifier));
  }

  /** Checks the value at run time: what passes here has access to the server. */
  #accept(given: unknown, { clockTolerance = 0 }: TokenVerifier): MaybePromise<AuthInfo> {
    if (given === undefined || given === null)
      throw refused(undefined, 'the verifier knows no caller for it');
    const caller = this.#known.get(given) ?? this.checked(given);
    if (caller.expiresAt !== undefined && caller.expiresAt * 1000 + clockTolerance <= Date.now())
      throw refused('The token has expired');
    if (this.#tenant !== undefined && subjectOf(caller).tenant !== this.#tenant) {
      throw refused('The token is for another tenant');
    }
    return this.unlessRevoked(caller);
  }

  /** Asks the revocation list, if there is one. @throws AuthenticationError for a caller that counts no more */
  unlessRevoked(caller: AuthInfo): MaybePromise<AuthInfo> {
    const { revocation, revocationTimeout = REVOCATION_TIMEOUT } = this.options;
    if (revocation === undefined) return caller;
    const asked = toMaybePromise(revocation.isRevoked(caller));
    return thenMaybe(asked instanceof Promise ? within(asked, revocationTimeout) : asked, (isRevoked) => {
      if (isRevoked !== false) throw refused('The token has been revoked');
      return caller;
    });
  }

  /** What a verifier gave, or somebody in its place. @throws AuthenticationError for what is not a caller */
  checked(given: unknown): VerifiedCaller {
    if (given instanceof VerifiedCaller) return given;
    const missing = faultOfCaller(given);
    if (missing === undefined) {
      const caller = new VerifiedCaller(given as AuthInfo);
      // Any other may be changed by then
      if (Object.isFrozen(given)) this.#known.set(given as object, caller);
      return caller;
    }
    const message = `A verifier gave a caller without ${missing}.`;
    this.logger.log({ level: 'warning', event: 'auth.refused', message });
    throw refused(undefined, message);
  }

  /** A key in a header of its own. RFC 6750, 2: credentials come in one way only. */
  #keyOf(
    credentials: Credentials,
    authorization: string | null,
  ): { readonly token: string; readonly verifier: TokenVerifier } | undefined {
    const given = this.#headers.flatMap((name) => {
      const token = credentials.sentHeader(name);
      const verifier = this.#verifiers.find(({ header }) => header?.toLowerCase() === name);
      return token === null || verifier === undefined ? [] : [{ token, verifier }];
    });
    const [first] = given;
    if (first === undefined) return undefined;
    if (given.length > 1 || this.#schemeOf(authorization) !== undefined)
      throw malformed('Credentials have to come in one header');
    if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(first.token) || first.token.length > MAX_TOKEN_LENGTH)
      throw malformed();
    return first;
  }
}

function tokenOf(authorization: string): string {
  const token = CREDENTIALS.exec(authorization)?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw malformed();
  return token;
}

/** A verifier that takes every token leaves nothing to those after it. */
function checkOrder(verifiers: readonly TokenVerifier[]): void {
  const where = 'McpApplication.create(), option auth.verify';
  const code = 'TW_APPLICATION_OPTION';
  if (verifiers.length === 0) {
    throw new ToolwrightError(code, {
      where,
      what: 'has no verifier.',
      fix: "auth: { verify: jwt({ issuer: '…' }) }",
    });
  }
  const first = verifiers.findIndex((each) => each.recognizes === undefined);
  if (first === -1 || first === verifiers.length - 1) return;
  throw new ToolwrightError(code, {
    where,
    what: `has a verifier at [${String(first)}] that takes every token, so that those after it are never asked.`,
    fix: 'put jwt() first and introspection() last, and give apiKeys() a prefix',
  });
}

function withoutResource(): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option auth',
    what: 'has no resource.',
    why: 'the public URL of the endpoint is what tokens are issued for, and requests cannot be trusted to name it.',
    fix: "auth: { resource: 'https://mcp.example/mcp', … }",
  });
}

/** The hook of a transport and the option of the application would each let in whom the other one refuses. */
export function authenticatesTwice(where: string): ToolwrightError {
  return new ToolwrightError('TW_SERVER_OPTION', {
    where,
    what: 'has authenticate, on an application with the option auth.',
    fix: 'remove authenticate, or give auth a verifier of your own: { verify: (token) => … }',
  });
}

function malformed(
  description = 'The Authorization header is not of the form: Bearer <token>',
): AuthenticationError {
  return new AuthenticationError(400, { description });
}

function refused(description = 'The token is not valid here', reason = description): AuthenticationError {
  return new AuthenticationError(401, { error: 'invalid_token', description, reason });
}
