import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { AuthenticationError, type AuthInfo, type ProtectedResource } from '../index.ts';
import type { Upstream } from '../call/upstream.ts';
import type { DoorRequest } from '../call/http-door.ts';
import { callerOf } from '../auth/claims.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type {
  SignIn,
  SignInAssertions,
  SignInPlace,
  SignInServer,
  SignInTarget,
} from '../features/sign-in/options.ts';
import type { PlainObject } from '../shared/json.ts';
import { madeOf } from '../shared/sealed-text.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { Pages } from './consent-page.ts';
import { GrantTypes } from './grant-types.ts';
import { loadPeers, type Peers } from './peers.ts';
import { CLIENT_PREFIX } from './person.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { knownRedirects } from './redirects.ts';
import { SignInDoor } from './sign-in-door.ts';
import { SignInFlow } from './sign-in-flow.ts';
import { RequestCounts } from './sign-in-limits.ts';
import { issuerIn } from './signing-keys.ts';

const MAX_TOKENS = 10_000;
/** Milliseconds within which all instances refuse what was ended. */
const ENDED_TTL = 900;

/**
 * Starts the authorization server of an application.
 * @throws ToolwrightError TW_SIGN_IN_PEER, TW_SIGN_IN_PATH, TW_SIGN_IN_RUNTIME
 */
export async function openSignIn(
  definitions: readonly ProviderDefinition[],
  place: SignInPlace,
): Promise<SignInServer> {
  const [peers, redirects] = await Promise.all([loadPeers(), knownRedirects()]);
  return new OpenSignIn(definitions, place, peers, redirects);
}

interface Started {
  readonly server: AuthorizationServer;
  readonly flow: SignInFlow;
}

interface KnownToken {
  readonly caller: AuthInfo;
  /** Undefined for a client that acts for itself: it has no sign-in that could end. */
  readonly grant: string | undefined;
}

/** The server of an application, with the keys of the moment. */
class OpenSignIn implements SignInServer {
  readonly maxBodyBytes = 16 * 1024;
  readonly #place: SignInPlace;
  readonly #current: () => Started;
  readonly #counts: RequestCounts;
  readonly #door: SignInDoor;
  /** Where requests to oidc-provider are from. */
  readonly #addresses = new WeakMap<IncomingMessage, string | undefined>();
  readonly #tokens = new LRUCache<string, KnownToken>({ max: MAX_TOKENS });
  readonly #standing = new LRUCache<string, true>({ max: MAX_TOKENS, ttl: ENDED_TTL });
  /** What this instance knows to be over, also where the store cannot be asked. */
  readonly #ended = new LRUCache<string, true>({ max: MAX_TOKENS });
  #issuer: string | undefined;

  constructor(
    definitions: readonly ProviderDefinition[],
    place: SignInPlace,
    peers: Peers,
    redirects: readonly string[],
  ) {
    this.#place = place;
    this.#counts = new RequestCounts(place.options.limits);
    const pages = new Pages(place.options.page ?? {}, place.title);
    const secrets = place.secrets ?? [randomBytes(32)];
    const mayFetch = (request: IncomingMessage): boolean =>
      this.#counts.refusal('metadata', this.#addresses.get(request)) === undefined;
    this.#current = madeOf(secrets, (current = []) => {
      this.#tokens.clear();
      const onEnded = (grant: string): void => {
        this.#standing.delete(grant);
        this.#ended.set(grant, true);
      };
      const parts = {
        peers,
        definitions,
        secrets: current,
        issuer: this.issuer,
        redirects,
        mayFetch,
        onEnded,
      };
      const server = new AuthorizationServer(place, parts);
      new GrantTypes(server, place, peers.provider.errors).register();
      return { server, flow: new SignInFlow(server, pages, place.options) };
    });
    this.#door = new SignInDoor({
      ...{ place, pages, counts: this.#counts },
      issuer: () => this.issuer,
      current: this.#current,
      locate: (request, address) => this.#addresses.set(request, address),
    });
    this.#checkPath();
    checkAssertions(definitions, place.options.assertions);
  }

  get issuer(): string {
    return (this.#issuer ??= this.#place.options.issuer ?? new URL(this.#place.resource()).origin);
  }

  serves(path: string): boolean {
    return this.#door.serves(path);
  }

  answer(request: DoorRequest): Promise<Response> {
    return this.#door.answer(request);
  }

  recognizes(token: string): boolean {
    return issuerIn(token) === this.issuer;
  }

  /** From memory where the token is known, and its grant stood a moment ago. */
  verify(token: string, resource: ProtectedResource): AuthInfo | Promise<AuthInfo> {
    const { server } = this.#current();
    const name = `${resource.resource} ${token}`;
    const known = this.#tokens.get(name) ?? this.#read(server, token, resource);
    this.#tokens.set(name, known);
    const { caller, grant } = known;
    if (grant === undefined || this.#standing.get(grant) === true) return caller;
    return this.#unlessEnded(server, caller, grant);
  }

  async list(person: {
    readonly sub: string;
    readonly tenant?: string | undefined;
  }): Promise<readonly SignIn[]> {
    return this.#current().server.grants.list(person);
  }

  async end(target: SignInTarget): Promise<number> {
    return this.#current().server.grants.end(target);
  }

  upstreamOf(authInfo: AuthInfo): Upstream | undefined {
    const grant = this.#grantIn(authInfo);
    return grant === undefined ? undefined : this.#current().server.grants.upstreamOf(grant);
  }

  stepUp(authInfo: AuthInfo): Promise<void> | undefined {
    const grant = this.#grantIn(authInfo);
    return grant === undefined ? undefined : this.#current().server.grants.stepUp(grant);
  }

  #grantIn({ extra }: AuthInfo): string | undefined {
    const claims = extra?.['claims'] as Readonly<Record<string, unknown>> | undefined;
    const grant = claims?.['iss'] === this.issuer ? claims['grant'] : undefined;
    return typeof grant === 'string' ? grant : undefined;
  }

  #read({ keys, issuer }: AuthorizationServer, token: string, server: ProtectedResource): KnownToken {
    const claims = keys.claimsOf(token);
    const grant = claims?.['grant'];
    // One of no grant could not be ended, and is of nobody
    const isKnown = typeof grant === 'string' || (grant === undefined && isOfClient(claims));
    if (claims === undefined || claims['iss'] !== issuer || !isKnown) {
      throw new AuthenticationError(401, {
        error: 'invalid_token',
        description: 'The token is not valid here',
      });
    }
    const paths = { tenant: 'tenant', roles: 'roles' };
    const expected = { server, audiences: [], issuer, tenant: undefined, paths };
    const isOfTenant = claims['tenant'] !== undefined;
    const caller = callerOf(token, claims, { ...expected, paths: isOfTenant ? paths : { roles: 'roles' } });
    return { caller, grant: typeof grant === 'string' ? grant : undefined };
  }

  /** A store that cannot be reached ends nothing that was not known to be over: tokens are short. */
  async #unlessEnded({ grants }: AuthorizationServer, caller: AuthInfo, grant: string): Promise<AuthInfo> {
    const isEnded = this.#ended.has(grant) || (await grants.isEnded(grant).catch(() => false));
    if (isEnded) this.#ended.set(grant, true);
    if (isEnded)
      throw new AuthenticationError(401, { error: 'invalid_token', description: 'The sign-in was ended' });
    this.#standing.set(grant, true);
    return caller;
  }

  /** What has no URL yet is on this machine, and checked by its listen(). */
  #checkPath(): void {
    let resource: string;
    try {
      resource = this.#place.resource();
    } catch {
      return;
    }
    const { pathname } = new URL(resource);
    if (!this.serves(pathname)) return;
    throw new ToolwrightError('TW_SIGN_IN_PATH', {
      where: 'McpApplication.create(), option auth.resource',
      what: `has the path ${pathname}, where people sign in.`,
      fix: 'another path for the endpoint, or an issuer with a path: signIn: { provider, issuer: "https://…/sign-in" }',
    });
  }
}

/** What a provider says of people counts for those who could sign in with it: their subjects are the same. */
function checkAssertions(
  definitions: readonly ProviderDefinition[],
  assertions: readonly SignInAssertions[] = [],
): void {
  const issuers = definitions.flatMap(({ facts }) => (facts.personUrl === undefined ? [facts.issuer] : []));
  const unknown = assertions.find(({ issuer }) => !issuers.includes(issuer));
  if (unknown === undefined) return;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option auth.signIn.assertions',
    what: `names the issuer ${unknown.issuer}, which people do not sign in with.`,
    fix: `one of ${issuers.join(', ')}`,
  });
}

/** Whether a token is of a client that acts for itself. */
function isOfClient(claims: PlainObject | undefined): boolean {
  return claims !== undefined && claims['sub'] === `${CLIENT_PREFIX}${String(claims['client_id'])}`;
}
