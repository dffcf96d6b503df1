import type { CheckOutcome } from '../../call/issue.ts';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import type { CheckExplanation } from '../../dto/check/explanation.ts';
import type { LooseField } from '../../dto/schema/emission.ts';
import type { Problem } from '../../errors/problem-list.ts';
import type { SensitiveValues } from '../../errors/redact.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import type { ProviderKey } from '../../scanner/providers/scanned-provider.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { Slots } from '../../shared/slots.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';

/** Validated input: the handler's input, and one instance per common schema. */
export interface ResolvedInput {
  readonly input: unknown;
  /** First that of the tool's common schema, then those of the groups, outermost first. */
  readonly common: readonly unknown[];
}

export type ResolvedInputOutcome = CheckOutcome<ResolvedInput>;

export type ResolveInput = (args: PlainObject) => MaybePromise<ResolvedInputOutcome>;

/** What must not be shown of the arguments of a call. */
export interface SensitiveArguments {
  /** The values of sensitive fields, as texts. */
  readonly valuesIn: (args: PlainObject) => SensitiveValues;
  /** Arguments with `[redacted]` in the place of sensitive values, and of unknown names, which may be misspelt ones. */
  readonly shown: (args: PlainObject) => PlainObject;
}

/** What is known of a handler before one of its calls runs: an action, a prompt, a resource, a completing or listing method. */
export interface CompiledCallable {
  /** What its callers have to be; undefined where nothing is said. */
  readonly requirements: ScannedCallable['requirements'];
  /** Rules that the check enforces but the schema cannot express. */
  readonly looseFields: readonly LooseField[];
  /** Declarations in its DTOs that work, but probably not as their author intended. */
  readonly warnings: readonly Problem[];
  /** How its inputs are checked: those of the common schemas, then its own. */
  readonly explain: () => readonly CheckExplanation[];
  /** Providers that are created for each call; usually empty, and then no scope is opened. */
  readonly perCall: readonly ProviderKey[];
  /** Validates the arguments and hydrates them. */
  readonly resolveInput: ResolveInput;
  /** What must not be shown of its arguments; undefined where nothing is sensitive. */
  readonly sensitive: SensitiveArguments | undefined;
  /** Its output without sensitive values; undefined where nothing in it is sensitive. */
  readonly shownOutput?: ((output: PlainObject) => PlainObject) | undefined;
  /** What features made of it for their stages. */
  readonly bound: Slots;
  /** Opens the scopes that {@link perCall} needs. */
  readonly resolver: InstanceResolver;
}
