/** The part of the package that is used here; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }
  interface Interaction {
    readonly prompt: { readonly name: string; readonly details: Readonly<Record<string, unknown>> };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
  }
  interface Configuration {
    readonly scopes: readonly string[];
    readonly clients: readonly object[];
    readonly findAccount: (ctx: unknown, id: string) => object | undefined;
    readonly extraTokenClaims?: (ctx: unknown, token: { readonly accountId: string }) => object | undefined;
    readonly interactions?: { readonly url: (ctx: unknown, interaction: { readonly uid: string }) => string };
    readonly pkce: { readonly required: () => boolean };
    readonly claims?: Readonly<Record<string, readonly string[]>>;
    readonly conformIdTokenClaims?: boolean;
    readonly issueRefreshToken?: () => boolean;
    readonly features?: Readonly<Record<string, object>> & {
      readonly resourceIndicators: {
        readonly enabled: boolean;
        readonly getResourceServerInfo: (ctx: unknown, resource: string) => object;
      };
    };
  }
  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Grant: new (facts: { readonly accountId: string; readonly clientId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
