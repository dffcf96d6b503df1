import type { Logger } from '../../call/logger.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import type { AuthOptions } from '../../metadata/auth-options.ts';
import { catchMaybe, thenMaybe, toMaybePromise, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call, Handle } from '../call.ts';
import type { Outcome } from '../outcome.ts';

/** What verifies the token of the environment. */
interface Verifying {
  readonly options: Pick<AuthOptions, 'local'>;
  readonly logger: Logger;
  verifyToken(token: string): MaybePromise<AuthInfo>;
  checked(given: unknown): AuthInfo;
}

/** Who calls over stdio and inside the process, where no request brings a token. */
export class LocalIdentity {
  readonly #server: Verifying;
  #known: AuthInfo | undefined;

  constructor(server: Verifying) {
    this.#server = server;
  }

  get isAsked(): boolean {
    return typeof this.#server.options.local === 'function';
  }

  /** Asks for the caller once, and again when it has expired. One that cannot be found is anonymous. */
  caller(): MaybePromise<AuthInfo | undefined> {
    const { local } = this.#server.options;
    if (typeof local !== 'function') return undefined;
    const known = this.#known;
    if (known !== undefined && (known.expiresAt ?? Infinity) * 1000 > Date.now()) return known;
    return catchMaybe<AuthInfo | undefined>(
      () => {
        const verify = async (token: string): Promise<AuthInfo> => this.#server.verifyToken(token);
        return thenMaybe(toMaybePromise(local({ verify })), (given) => {
          this.#known = given === undefined ? undefined : this.#server.checked(given);
          return this.#known;
        });
      },
      () => {
        const message = 'auth.local found no caller, so that calls of this machine are anonymous.';
        this.#server.logger.log({ level: 'warning', event: 'auth.refused', message });
        return undefined;
      },
    );
  }
}

/**
 * Finds who calls from this machine, before anything is decided about the call. Over HTTP, the transport has
 * authenticated the caller before it read the body.
 */
export function withLocalCaller(
  call: Call,
  { local }: { readonly local: LocalIdentity },
  next: Handle,
): MaybePromise<Outcome> {
  const { authInfo, carrier } = call.context;
  if (!local.isAsked || authInfo !== undefined || carrier !== 'local') return next(call);
  return thenMaybe(local.caller(), (caller) => {
    call.localCaller = caller;
    return next(call);
  });
}
