import type { AuthInfo, Caller } from '../../call/request-context.ts';

/** The part of a request that says who calls. */
export interface CallerFacts {
  readonly authInfo: AuthInfo | undefined;
  /** It comes from this machine or process, and not over a network. */
  readonly isLocal: boolean;
}

/** Who calls. What may be seen and done is added by the one who decides it. */
export interface Authority {
  /** Undefined for an anonymous caller. */
  readonly caller: Caller | undefined;
  /** May do everything. */
  readonly isTrusted: boolean;
}
