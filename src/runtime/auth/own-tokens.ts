import type { AuthInfo } from '../../call/request-context.ts';
import { AuthenticationError } from '../../errors/authentication-error.ts';
import type { ProtectedResource, TokenVerifier } from '../../metadata/auth-options.ts';
import type { SignInServer } from '../../metadata/sign-in-options.ts';

/** Verifies the tokens that the application issues itself. Its server starts after the options are read. */
export class OwnTokens implements TokenVerifier {
  server: SignInServer | undefined;
  readonly #issuer: () => string;

  constructor(issuer: () => string) {
    this.#issuer = issuer;
  }

  get issuers(): readonly string[] {
    return [this.#issuer()];
  }

  recognizes(token: string): boolean {
    return this.server?.recognizes(token) === true;
  }

  verify(token: string, { resource }: ProtectedResource): AuthInfo | Promise<AuthInfo> {
    if (this.server === undefined) throw new AuthenticationError(503, { description: 'The server starts' });
    return this.server.verify(token, resource);
  }
}
