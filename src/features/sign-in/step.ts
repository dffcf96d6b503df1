/** How a step of signing in has ended. */
export type SignInOutcome =
  | 'registered'
  | 'refused'
  | 'allowed'
  | 'denied'
  | 'signed-in'
  | 'assertion'
  | 'provider-refused'
  | 'reuse-detected'
  | 'ended';

/** How a client has made itself known. */
export type ClientRegistration = 'document' | 'registered' | 'static';

/** A step of signing in, as audits and metrics may know it: without codes, tokens and claims. */
export interface SignInStep {
  readonly outcome: SignInOutcome;
  /** The client, by its URL, or by a hash where it has registered itself. */
  readonly client?: string | undefined;
  readonly registration?: ClientRegistration | undefined;
  /** The name of the provider in the options. */
  readonly provider?: string | undefined;
  /** Where the client is led back to: hosts, and schemes of programs. */
  readonly redirects?: readonly string[] | undefined;
  /** What keys of stores call the person. */
  readonly owner?: string | undefined;
  readonly tenant?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Why it was refused or ended, in words of ours. */
  readonly reason?: string | undefined;
}
