import type { SignInPlace, StaticClient } from '../features/sign-in/options.ts';
import { AssertionRefused } from '../auth/identity-assertion.ts';
import { Assertions, splitScope } from './assertions.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Peers, ProviderClient, ProviderContext } from './peers.ts';
import { PersonRefused } from './person.ts';
import { JWT_BEARER } from './provider-configuration.ts';
import { StoreUnavailable } from './records.ts';
import { UpstreamUnavailable } from './upstream-provider.ts';

/** In the metadata (Enterprise-Managed Authorization). */
export const ID_JAG = 'urn:ietf:params:oauth:grant-profile:id-jag';
const PARAMETERS = ['scope', 'resource'];
/** Seconds: nothing refreshes it. */
const ASSERTED_TTL = 300;

/** The grants of clients that open no browser: for a person whom a provider names, and for themselves. */
export class GrantTypes {
  readonly #server: AuthorizationServer;
  readonly #place: SignInPlace;
  readonly #errors: Peers['provider']['errors'];
  readonly #assertions: Assertions;

  constructor(server: AuthorizationServer, place: SignInPlace, errors: Peers['provider']['errors']) {
    this.#server = server;
    this.#place = place;
    this.#errors = errors;
    const { issuer, records, resources, providers, scopes, logger } = server;
    const { defaultScopes, options } = place;
    this.#assertions = new Assertions(
      { issuer, records, resources, providers, scopes, defaultScopes, logger },
      options.assertions ?? [],
    );
  }

  /** Adds those that the options ask for. */
  register(): void {
    const { provider } = this.#server;
    const { assertions = [], clients } = this.#place.options;
    if (assertions.length > 0)
      provider.registerGrantType(JWT_BEARER, (ctx) => this.#assert(ctx), ['assertion', ...PARAMETERS]);
    if (clients?.static?.some(isMachine) === true)
      provider.registerGrantType('client_credentials', (ctx) => this.#serve(ctx), PARAMETERS);
  }

  /** A person of a provider, who opens no browser. All failures look alike to the client. */
  async #assert(ctx: ProviderContext): Promise<void> {
    const client = clientIn(ctx);
    const brought = {
      ...{ assertion: textIn(ctx, 'assertion') ?? '', client: client.clientId },
      ...{ resource: textIn(ctx, 'resource'), scope: textIn(ctx, 'scope') },
    };
    try {
      const { provider, person, resource, scopes } = await this.#assertions.read(brought);
      if (scopes.length === 0) throw new AssertionRefused('nothing that is asked for is allowed');
      const event = { person, client: client.clientId, scopes };
      if ((await this.#place.options.onSignIn?.(event)) === false)
        throw new PersonRefused('onSignIn() refused');
      const expiresIn = Math.min(
        ASSERTED_TTL,
        Math.ceil((this.#place.options.accessTokenTtl ?? Infinity) / 1000),
      );
      const { grants } = this.#server;
      const grantId = await grants.addAsserted(
        { provider, person, client: client.clientId, scopes },
        expiresIn * 1000,
      );
      const token = new this.#server.provider.AccessToken({
        ...{ accountId: person.sub, client, grantId, gty: 'jwt-bearer', expiresIn },
        resourceServer: this.#resourceServer(resource),
      });
      token.scope = scopes.join(' ');
      answer(ctx, await token.save(), token);
      const [owner] = grantId.split('.', 1);
      const facts = { provider: provider.name, owner, tenant: person.tenant, scopes };
      this.#server.tell({ outcome: 'assertion', client: client.clientId, ...facts });
    } catch (error) {
      throw this.#asAnswer(error, client);
    }
  }

  /** A client of the application, for itself. */
  async #serve(ctx: ProviderContext): Promise<void> {
    const client = clientIn(ctx);
    const { resources, provider, scopes: known } = this.#server;
    const { options, defaultScopes } = this.#place;
    const listed = options.clients?.static?.find(({ id }) => id === client.clientId);
    const allowed = (listed?.scopes ?? defaultScopes).filter((each) => known.includes(each));
    const asked = splitScope(textIn(ctx, 'scope') ?? allowed.join(' '));
    if (asked.some((each) => !allowed.includes(each)))
      throw new this.#errors.InvalidScope('the client may not have this scope');
    const resource = resources.find(textIn(ctx, 'resource'));
    // It belongs to no tenant
    if (resource === undefined || resources.tenantOf(resource) !== undefined)
      throw new this.#errors.InvalidTarget('the resource is another one');
    const token = new provider.ClientCredentials({ client, resourceServer: this.#resourceServer(resource) });
    token.scope = asked.length === 0 ? undefined : asked.join(' ');
    answer(ctx, await token.save(), token);
  }

  #resourceServer(resource: string): object {
    return new this.#server.provider.ResourceServer(resource, this.#server.describeResource(resource));
  }

  /** What went wrong is for the audit and the log. */
  #asAnswer(error: unknown, { clientId: client }: ProviderClient): unknown {
    const isPassing = error instanceof StoreUnavailable || error instanceof UpstreamUnavailable;
    if (isPassing) return new this.#errors.TemporarilyUnavailable('it cannot be checked now');
    if (!(error instanceof AssertionRefused) && !(error instanceof PersonRefused)) return error;
    const { message: reason } = error;
    this.#server.tell({ outcome: 'refused', client, reason });
    const message = 'An assertion of who a person is was refused.';
    this.#server.logger.log({ level: 'notice', event: 'sign-in.refused', message, reason });
    return new this.#errors.InvalidGrant('the assertion does not count');
  }
}

/** Whether a client gets tokens for itself. */
function isMachine({ grants }: StaticClient): boolean {
  return grants?.includes('client_credentials') === true;
}

function clientIn(ctx: ProviderContext): ProviderClient {
  const client = ctx.oidc?.client;
  if (client === undefined) throw new Error('oidc-provider names no client');
  return client;
}

function textIn(ctx: ProviderContext, name: string): string | undefined {
  const value = ctx.oidc?.params?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** RFC 6749, 5.1. */
function answer(
  ctx: ProviderContext,
  token: string,
  { expiration, scope }: { readonly expiration: number; readonly scope: string | undefined },
): void {
  ctx.body = { access_token: token, expires_in: expiration, scope, token_type: 'Bearer' };
}
