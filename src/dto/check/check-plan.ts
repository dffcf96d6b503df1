import type { UnknownFields } from '../../metadata/options.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { Fits } from './published-values.ts';
import type { Conversion } from './read-conversion.ts';

/** Everything that the check of a DTO does, before it is written as code or as closures. */
export interface CheckPlan {
  readonly root: ClassPlan;
  /** The root and every class below it, each once. */
  readonly classes: readonly ClassPlan[];
  readonly unknownFields: UnknownFields;
}

export interface ClassPlan {
  readonly type: new () => object;
  readonly properties: readonly PropertyPlan[];
}

export interface PropertyPlan {
  readonly name: string;
  /** `null` counts as if the property were not there. */
  readonly nullIsAbsent: boolean;
  readonly conversion: ConversionPlan;
  /** Whether the value, before it is converted, is a published one; undefined where the rules see to that. */
  readonly fits: Fits | undefined;
  /** The default that @Field fills in; it is copied for every call. */
  readonly preset: { readonly value: unknown } | undefined;
  readonly conditions: readonly ConditionPlan[];
  readonly rules: readonly RulePlan[];
  /** False where another contract checks the property: then only what throws counts. */
  readonly isOwn: boolean;
}

/** {@link Conversion}, with the plan of a nested class in place of the class. */
type ConversionPlan =
  | Exclude<Conversion, { readonly kind: 'open' | 'instance' }>
  | { readonly kind: 'instance'; readonly plan: () => ClassPlan; readonly takesArrays: boolean };

/** `present` is the test of @IsOptional, `notNull` that of `@Field({ nullable: true })`; others are called. */
export type ConditionPlan =
  | { readonly asks: 'present' | 'notNull' }
  | { readonly asks: 'test'; readonly test: (object: object, value: unknown) => unknown };

export interface RulePlan {
  readonly name: string;
  readonly each: boolean;
  /** A condition of this rule alone. */
  readonly condition: ((object: object, value: unknown) => unknown) | undefined;
  /** Undefined where the validator is called. */
  readonly inline: BoundRule | undefined;
  readonly call: CallValidator;
  /** Why it is called. */
  readonly why: string | undefined;
}

/** Calls the original validator with a value and the instance; for an item, also with the value that contains it. */
export type CallValidator = (value: unknown, object: object, whole: unknown) => boolean;

/**
 * A compiled check: from the input to the instance. If it returns undefined or throws, the libraries decide.
 */
export type RunCheck = (value: PlainObject) => object | undefined;

/** Puts a value into the constants of the generated code and gives the name it has there. */
export type UseConstant = (value: unknown) => string;

/** Runs the original validator on a value. */
export type AskOriginal = (value: unknown) => boolean;

/**
 * A validator of class-validator, rewritten so that it needs no call. It may be stricter than the
 * original, never looser: class-validator validates every rejected value again.
 */
export interface InlineRule {
  /** The beginning of the default message; a different message means a different validator of the same name. */
  readonly says: string;
  /** Undefined if the rule does not know how the validator treats these arguments. */
  readonly bind: (args: readonly unknown[], ask: AskOriginal) => BoundRule | undefined;
}

/** A rule with its arguments. */
export interface BoundRule {
  /** The same test as an expression in a variable, for the most common rules: inlined, they cost no call at all. */
  readonly code?: (value: string, use: UseConstant) => string;
  readonly test: (value: unknown) => boolean;
  /** Values near the arguments, on which test and original have to agree. */
  readonly probes?: readonly unknown[];
  /** A test for differences that probes cannot find. */
  readonly isOriginal?: () => boolean;
}

/** A rule without arguments. */
export function plainRule(
  says: string,
  test: BoundRule['test'],
  more: Pick<BoundRule, 'code' | 'probes'> = {},
): InlineRule {
  return { says, bind: () => ({ test, ...more }) };
}
