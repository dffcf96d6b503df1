import type { UnknownFields } from '../../metadata/options.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { Conversion } from './read-conversion.ts';
import type { BoundRule } from './rules/inline-rule.ts';

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
  /** What @Field fills in; it is copied for every call. */
  readonly preset: { readonly value: unknown } | undefined;
  readonly conditions: readonly ConditionPlan[];
  readonly rules: readonly RulePlan[];
  /** False where another contract judges the property: then only what throws counts. */
  readonly isJudged: boolean;
}

/** {@link Conversion}, with the plan of a nested class in place of the class. */
type ConversionPlan =
  | Exclude<Conversion, { readonly kind: 'open' | 'instance' }>
  | { readonly kind: 'instance'; readonly plan: () => ClassPlan; readonly takesArrays: boolean };

/** `present` is what @IsOptional asks, `notNull` what `@Field({ nullable: true })` does; another condition is called. */
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

/** Calls the original validator with a value, the instance, and of an item the value that it stands in. */
export type CallValidator = (value: unknown, object: object, whole: unknown) => boolean;

/**
 * A compiled check: from the input to the instance. Undefined means that it does not know, and that the
 * libraries have to judge the value; so does everything it throws.
 */
export type RunCheck = (value: PlainObject) => object | undefined;
