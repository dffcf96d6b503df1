import type { AuthInfo } from '../../call/request-context.ts';
import { AuthenticationError } from '../../errors/authentication-error.ts';
import type { OwnIssuer, ProtectedResource } from '../../metadata/token-verifier.ts';
import { signInOptions, type SignInOptions, type SignInProvider, type SignInServer } from './options.ts';

/** Verifies the tokens that the application issues itself. Its server starts after the options are read. */
export class OwnTokens implements OwnIssuer {
  server: SignInServer | undefined;
  readonly #given: SignInProvider | SignInOptions;
  readonly #resource: () => string;

  constructor(given: SignInProvider | SignInOptions, resource: () => string) {
    this.#given = given;
    this.#resource = resource;
  }

  /** By default the origin, also of a URL with a place for tenants, which is in its path. */
  get issuers(): readonly string[] {
    return [signInOptions(this.#given).issuer ?? new URL(this.#resource()).origin];
  }

  recognizes(token: string): boolean {
    return this.server?.recognizes(token) === true;
  }

  verify(token: string, resource: ProtectedResource): AuthInfo | Promise<AuthInfo> {
    if (this.server === undefined) throw new AuthenticationError(503, { description: 'The server starts' });
    return this.server.verify(token, resource);
  }

  /** Clients that have a refresh token would get the same scopes again with it, and never ask for more. */
  insufficientScope(caller: AuthInfo): Promise<void> | undefined {
    return this.server?.stepUp(caller);
  }
}
