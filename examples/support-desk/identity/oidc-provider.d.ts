/** The part of the package that is used here; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Configuration {
    readonly scopes: readonly string[];
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly conformIdTokenClaims: boolean;
    readonly clients: readonly object[];
    readonly findAccount: (ctx: unknown, id: string) => object | undefined;
    readonly issueRefreshToken: () => boolean;
    readonly pkce: { readonly required: () => boolean };
  }
  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
