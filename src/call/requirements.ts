import type { Caller } from './request-context.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * What happens to a caller that does not meet a requirement.
 *
 * - `hide`: it is not listed, and a call of it gets the answer of an unknown name.
 * - `challenge`: it is listed, and a call is answered with 403 and the scopes to ask for. Of scopes only.
 * - `refuse`: it is listed, and a call fails with `FORBIDDEN`.
 */
export type Denied = 'hide' | 'challenge' | 'refuse';

/** Options of a requirement, behind its values. */
export interface RequirementOptions {
  /** What a caller gets that does not meet it. Default: `challenge` for scopes, `hide` for roles and policies. */
  readonly denied?: Denied;
}

/** Decides by code of the application what a caller may see and do. Denied is also what throws or takes too long. */
export interface PolicyObject {
  /** Whether the caller may see what the policy stands on. The answer is kept for a while. Default: everybody may. */
  list?(caller: Caller): boolean | Promise<boolean>;
  /** Whether a call with this input may run: a frozen copy of what the handler gets. Default: every call may. */
  call?(caller: Caller, input: never, context: ToolContext): boolean | Promise<boolean>;
  /** The text of the `FORBIDDEN` for a call that was denied. Default: a sentence with the name of the policy. */
  readonly reason?: string;
}

/** A policy that decides calls and lists for everybody. */
export type PolicyFunction = NonNullable<PolicyObject['call']>;

/** What an action of the plain API requires of its callers; all of it has to be met. */
export interface RequiresOptions extends RequirementOptions {
  /** As in `@Scopes`. Default: none. */
  readonly scopes?: readonly (string | readonly string[])[];
  /** As in `@Roles`: one of them. Default: none. */
  readonly roles?: readonly string[];
  /** As in `@Policy`. Default: none. */
  readonly policy?: PolicyFunction | PolicyObject;
  /** Admits everybody, also without a token. Default false. */
  readonly public?: boolean;
  /** Requires a caller that is signed in. Default: whether the application has `auth`. */
  readonly authenticated?: boolean;
}
