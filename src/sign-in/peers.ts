import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OpenidClient from 'openid-client';
import { ToolwrightError } from '../errors/toolwright-error.ts';

/** What a request of oidc-provider knows of itself. */
export interface ProviderContext {
  readonly req: IncomingMessage;
  body: unknown;
  type: string;
  status: number;
  readonly oidc?: {
    readonly route?: string;
    readonly params?: Readonly<Record<string, unknown>>;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly client?: ProviderClient;
    readonly result?: { readonly login?: object };
    readonly entities: { readonly RefreshToken?: ProviderToken };
  };
}

export interface ProviderClient {
  readonly clientId: string;
  readonly clientName?: string;
  readonly redirectUris?: readonly string[];
  grantTypeAllowed(type: string): boolean;
}

export interface ProviderToken {
  readonly accountId: string;
  readonly grantId?: string;
  /** What it is a token of: `AccessToken`, `ClientCredentials` and others. */
  readonly kind?: string;
}

/** A token that is to be issued. */
interface NewToken {
  scope: string | undefined;
  /** Seconds. */
  readonly expiration: number;
  /** @returns the token */
  save(): Promise<string>;
}

export interface ProviderGrant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(): Promise<string>;
}

export interface ProviderInteraction {
  readonly uid: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The part of oidc-provider that is used here; it has no types of its own. */
export interface Provider {
  proxy: boolean;
  readonly Grant: new (facts: {
    readonly jti: string;
    readonly accountId: string;
    readonly clientId: string;
  }) => ProviderGrant;
  readonly AccessToken: new (facts: {
    readonly accountId: string;
    readonly client: ProviderClient;
    readonly grantId: string;
    readonly gty: string;
    readonly expiresIn: number;
    readonly resourceServer: object;
  }) => NewToken;
  readonly ClientCredentials: new (facts: {
    readonly client: ProviderClient;
    readonly resourceServer: object;
  }) => NewToken;
  readonly ResourceServer: new (resource: string, facts: object) => object;
  registerGrantType(
    name: string,
    handler: (ctx: ProviderContext) => Promise<void>,
    parameters: readonly string[],
  ): void;
  readonly Client: { find(id: string): Promise<ProviderClient | undefined> };
  use(middleware: (ctx: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
  on(event: 'server_error', listener: (ctx: unknown, error: unknown) => void): void;
  on(event: 'grant.revoked', listener: (ctx: ProviderContext, grant: unknown) => void): void;
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<ProviderInteraction>;
  interactionResult(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options?: { readonly mergeWithLastSubmission: boolean },
  ): Promise<string>;
}

type ProviderError = new (description?: string) => Error;

/** What is used of the module. */
export interface ProviderModule {
  readonly Provider: new (issuer: string, configuration: object) => Provider;
  readonly errors: {
    readonly InvalidGrant: ProviderError;
    readonly InvalidScope: ProviderError;
    readonly InvalidTarget: ProviderError;
    readonly InvalidClientAuth: ProviderError;
    readonly InvalidClientMetadata: ProviderError;
    readonly TemporarilyUnavailable: ProviderError;
  };
  readonly interactionPolicy: {
    readonly base: () => { get(name: string): { readonly checks: { add(check: object): void } } };
    readonly Check: new (
      reason: string,
      description: string,
      error: string,
      check: (ctx: ProviderContext) => boolean,
    ) => object;
  };
}

/** The packages that do the work. */
export interface Peers {
  readonly provider: ProviderModule;
  readonly client: typeof OpenidClient;
}

/** @throws ToolwrightError TW_SIGN_IN_PEER, TW_SIGN_IN_RUNTIME */
export async function loadPeers(): Promise<Peers> {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function') throw noRuntime();
  const named = 'oidc-provider';
  const [provider, client] = await Promise.all([
    load(named, () => import(named) as Promise<ProviderModule>),
    load('openid-client', () => import('openid-client')),
  ]);
  return { provider, client };
}

async function load<Module>(name: string, read: () => Promise<Module>): Promise<Module> {
  try {
    return await read();
  } catch (cause) {
    throw new ToolwrightError('TW_SIGN_IN_PEER', {
      where: 'McpApplication.create(), option auth.signIn',
      what: `needs the package ${name}, which could not be loaded.`,
      fix: 'npm install oidc-provider@9.13 openid-client',
      cause,
    });
  }
}

function noRuntime(): ToolwrightError {
  return new ToolwrightError('TW_SIGN_IN_RUNTIME', {
    where: 'McpApplication.create(), option auth.signIn',
    what: 'needs node:http, which this runtime does not have.',
    fix: 'run the application on Node, Bun or Deno, or let another authorization server issue the tokens: verify: jwt({ issuer })',
  });
}
