import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Logger, Store } from '../index.ts';
import type { SignInPlace } from '../features/sign-in/options.ts';
import type { SignInStep } from '../features/sign-in/step.ts';
import { splitKey } from '../shared/owners/owned-key.ts';
import type { Secret } from '../shared/sealed-text.ts';
import { BackChannel } from './back-channel.ts';
import { Grants } from './grants.ts';
import { inMemoryExchange, type InMemoryExchange } from './in-memory-http.ts';
import type { Peers, Provider } from './peers.ts';
import { ProviderConfiguration, SESSION_COOKIE, type MayFetch } from './provider-configuration.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { Records } from './records.ts';
import { Redirects } from './redirects.ts';
import { clientName, Registrations } from './registrations.ts';
import { Resources } from './resources.ts';
import { SigningKeys } from './signing-keys.ts';
import { UpstreamProvider } from './upstream-provider.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
interface ServerParts {
  readonly peers: Peers;
  readonly definitions: readonly ProviderDefinition[];
  readonly secrets: readonly Secret[];
  readonly issuer: string;
  /** Of known clients. */
  readonly redirects: readonly string[];
  readonly mayFetch: MayFetch;
  /** Told of each grant that is over. */
  onEnded(id: string): void;
}

/** The authorization server with the keys of one set of secrets: oidc-provider, and what it stands on. */
export class AuthorizationServer {
  readonly issuer: string;
  readonly keys: SigningKeys;
  readonly records: Records;
  readonly registrations: Registrations;
  readonly grants: Grants;
  readonly backChannel: BackChannel;
  readonly resources: Resources;
  readonly providers: ReadonlyMap<string, UpstreamProvider>;
  readonly provider: Provider;
  readonly scopes: readonly string[];
  readonly #place: SignInPlace;
  readonly #configuration: ProviderConfiguration;
  readonly #handle: ReturnType<Provider['callback']>;
  /** Who has authenticated, for requests that are answered here. */
  readonly clients = new WeakMap<IncomingMessage, string>();

  constructor(place: SignInPlace, parts: ServerParts) {
    const { issuer, secrets, definitions, peers } = parts;
    const { options, server, logger } = place;
    const { accessTokenTtl = 60 * MINUTE, signInTtl = 90 * DAY } = options;
    this.#place = place;
    this.issuer = issuer;
    this.keys = new SigningKeys(secrets, issuer);
    this.records = new Records(place.store as Store, { server, secrets, logger });
    this.resources = new Resources(place.resource());
    this.scopes =
      Object.keys(options.scopes ?? {}).length > 0 ? Object.keys(options.scopes ?? {}) : place.scopes;
    const callback = `${issuer}/sign-in/callback`;
    this.providers = new Map(
      definitions.map((each) => [each.facts.name, new UpstreamProvider(each, peers.client, callback)]),
    );
    const { records, providers } = this;
    this.grants = new Grants({
      issuer,
      records,
      providers,
      options,
      signInTtl,
      accessTokenTtl,
      logger,
      onEnded: (id) => {
        parts.onEnded(id);
      },
      tell: place.tell,
    });
    const { grants } = this;
    this.backChannel = new BackChannel({ records, grants, providers, logger, signInTtl });
    const warn = (message: string): void => {
      logger.log({ level: 'warning', event: 'sign-in.refused', message });
    };
    this.registrations = new Registrations({
      issuer,
      secrets,
      redirects: new Redirects(parts.redirects, options.redirects),
      warn,
    });
    const configuration = new ProviderConfiguration({
      ...{ place, peers, secrets, issuer, records, grants, signInTtl, accessTokenTtl },
      ...{ keys: this.keys, registrations: this.registrations, resources: this.resources },
      ...{ scopes: this.scopes, mayFetch: parts.mayFetch },
    });
    this.provider = new peers.provider.Provider(issuer, configuration.create());
    this.provider.proxy = true;
    this.#configuration = configuration;
    this.#listen();
    this.#handle = this.provider.callback();
  }

  #listen(): void {
    this.provider.on('server_error', (_, cause) => {
      const message = 'A request of a sign-in could not be served.';
      this.logger.log({ level: 'error', event: 'sign-in.failed', message, cause });
    });
    this.provider.on('grant.revoked', (ctx, id) => {
      // A client may end its own as well
      if (ctx.oidc?.route !== 'token' || typeof id !== 'string') return;
      const owner = splitKey(id)[0];
      this.tell({ outcome: 'reuse-detected', client: ctx.oidc.client?.clientId ?? '', owner });
    });
    this.provider.use(async (ctx, next) => {
      await next();
      const client = ctx.oidc?.client;
      if (client !== undefined) this.clients.set(ctx.req, client.clientId);
    });
  }

  /** Reports a step of a client to audits and metrics. */
  tell(step: Omit<SignInStep, 'registration'> & { readonly client: string }): void {
    const { client, redirects } = step;
    const isStatic = this.#place.options.clients?.static?.some(({ id }) => id === client) === true;
    const unlisted = client.startsWith('https://') ? 'document' : 'registered';
    this.#place.tell({
      ...{ ...step, client: clientName(client), redirects: redirects?.map(placeOf) },
      registration: isStatic ? 'static' : unlisted,
    });
  }

  get logger(): Logger {
    return this.#place.logger;
  }

  /** How tokens for a resource are made, as oidc-provider reads it. */
  describeResource(resource: string): object {
    return this.#configuration.describeResource(resource);
  }

  /** Lets oidc-provider answer. */
  async run(exchange: InMemoryExchange): Promise<Response> {
    void this.#handle(exchange.request, exchange.response);
    return exchange.answered;
  }

  /** A request as oidc-provider may see it: of what a client sends, only path, query and body say where it goes. */
  exchange(
    path: string,
    request: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly query?: string;
      readonly body?: string;
    },
  ): InMemoryExchange {
    const { protocol, host, pathname } = new URL(this.issuer);
    const { method, query = '', body } = request;
    const url = query === '' ? path : `${path}?${query}`;
    const { cookie, authorization, origin, 'content-type': type, dpop, accept } = request.headers;
    const sent = {
      authorization,
      origin,
      dpop,
      'content-type': type,
      accept,
      cookie: withoutSession(cookie),
    };
    const headers = {
      ...Object.fromEntries(
        Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    };
    const originalUrl = `${pathname.replace(/\/$/, '')}${url}`;
    return inMemoryExchange({ method, url, originalUrl, headers, ...(body !== undefined && { body }) });
  }
}

/** The host of a redirect, or the scheme that a program has for itself. */
function placeOf(redirect: string): string {
  const { protocol, host } = new URL(redirect);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

/** Nobody is known to this server beyond one sign-in: two people in one browser do not meet. */
function withoutSession(cookie: string | undefined): string | undefined {
  if (cookie === undefined) return undefined;
  const kept = cookie.split(/;\s*/).filter((each) => !each.startsWith(SESSION_COOKIE));
  return kept.length === 0 ? undefined : kept.join('; ');
}

/** A short name for what went wrong, by which the log can be searched. */
export function failureCode(): string {
  return randomBytes(5).toString('hex');
}
