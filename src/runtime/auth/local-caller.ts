import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { Logger } from '../../call/logger.ts';
import { AuthenticationError } from '../../errors/authentication-error.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import type { LocalCaller, ResourceServerOptions } from '../../metadata/token-verifier.ts';
import { catchMaybe, thenMaybe, toMaybePromise, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Handle } from '../../kernel/call/call.ts';
import type { Telemetry } from '../../kernel/call/telemetry.ts';
import { refusalOf } from '../../kernel/call/outcome.ts';

/** What verifies the token of the environment. */
interface Verifying {
  readonly options: Pick<ResourceServerOptions, 'local'>;
  readonly logger: Logger;
  verifyToken(token: string): MaybePromise<AuthInfo>;
  checked(given: unknown): AuthInfo;
  unlessRevoked(caller: AuthInfo): MaybePromise<AuthInfo>;
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

  /** Asks for the caller once, and again when it counts no more; undefined for an anonymous one. */
  caller(): MaybePromise<AuthInfo | 'unverified' | undefined> {
    const { local } = this.#server.options;
    if (typeof local !== 'function') return undefined;
    if ((this.#known?.expiresAt ?? Infinity) * 1000 <= Date.now()) this.#known = undefined;
    return catchMaybe<AuthInfo | 'unverified' | undefined>(
      () =>
        thenMaybe(this.#known ?? this.#ask(local), (caller) => caller && this.#server.unlessRevoked(caller)),
      (cause) => {
        this.#known = undefined;
        const message = 'auth.local could not verify who calls from this machine, so the call was refused.';
        // What other errors say may have the token in it
        const reason = AuthenticationError.is(cause) ? (cause.options.reason ?? cause.message) : undefined;
        const why = reason === undefined ? {} : { reason };
        this.#server.logger.log({ level: 'error', event: 'auth.refused', message, ...why });
        return 'unverified' as const;
      },
    );
  }

  #ask(local: LocalCaller): MaybePromise<AuthInfo | undefined> {
    const verify = async (token: string): Promise<AuthInfo> => this.#server.verifyToken(token);
    return thenMaybe(toMaybePromise(local({ verify })), (given) => {
      this.#known = given === undefined ? undefined : this.#server.checked(given);
      return this.#known;
    });
  }
}

/**
 * Finds who calls from this machine, before anything is decided about the call. Over HTTP, the transport has
 * authenticated the caller before it read the body.
 */
export function withLocalCaller(
  handle: Handle,
  auth: { readonly local: LocalIdentity } | undefined,
  telemetry: Pick<Telemetry, 'add'> | undefined,
): Handle {
  if (auth?.local.isAsked !== true) return handle;
  const { local } = auth;
  return (call) => {
    const { authInfo, carrier } = call.context;
    if (authInfo !== undefined || carrier !== 'local') return handle(call);
    return thenMaybe(local.caller(), (caller) => {
      if (caller === 'unverified') {
        telemetry?.add('toolwright.auth.failures', 1, { reason: 'unverified' });
        return refusalOf(unverified(), call.origin);
      }
      call.localCaller = caller;
      return handle(call);
    });
  };
}

function unverified(): ProtocolError {
  const message = 'Who calls from this machine could not be verified';
  return new ProtocolError(INTERNAL_ERROR, message, { code: 'UNAUTHENTICATED' });
}
