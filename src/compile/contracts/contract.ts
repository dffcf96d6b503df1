import type { CheckOutcome } from '../../call/issue.ts';
import type { CheckExplanation } from '../../dto/check/explanation.ts';
import type { Redaction } from '../../dto/check/redaction.ts';
import type { LooseField } from '../../dto/schema/emission.ts';
import type { Problem } from '../../errors/problem-list.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { Class } from '../../shared/class-type.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';

/**
 * One DTO class, Standard Schema or JSON Schema, ready to be published and enforced.
 * The published schema (`schema`) and the enforced one (`check`) come from the same source.
 */
export interface Contract {
  readonly source: SchemaSource;
  /** The class whose instances {@link check} gives; undefined for schemas. */
  readonly type: Class | undefined;
  /** The whole schema of the source; a frozen object whose root is `type: object`. */
  readonly schema: ObjectSchema;
  /** The names it declares at the top level; unknown names are checked by the caller over all contracts. */
  readonly names: readonly string[];
  /** Further names it declares, which another contract checks; {@link names} does not contain them. */
  readonly redeclared: readonly string[];
  /** True when the source itself allows further names (`additionalProperties`, `z.looseObject`). */
  readonly acceptsFurtherNames: boolean;
  /** Rules that the check enforces but the schema cannot express; shown as compile warnings. */
  readonly looseFields: readonly LooseField[];
  /** Declarations that work, but probably not as their author intended. */
  readonly warnings: readonly Problem[];
  /** How a DTO class is checked; undefined for schemas. */
  readonly explanation: CheckExplanation | undefined;
  /** What is left out of all that is said about its values; undefined where nothing is sensitive. */
  readonly redaction?: Redaction | undefined;
  /**
   * Validates and converts. The arguments hold the declared names (with {@link acceptsFurtherNames} all others, too)
   * and the raw values of {@link redeclared}: rules over several fields read those, but this contract neither reports
   * issues of them nor decides their values.
   * Unknown names inside nested DTO objects are checked here, by the mode of the contract.
   * All issues come in one answer, including errors that a rule throws. If this method itself throws, the framework
   * is at fault.
   */
  readonly check: (value: PlainObject) => CheckOutcome<object> | Promise<CheckOutcome<object>>;
}

/** A declared output, ready to be published and enforced. */
export interface OutputContract {
  readonly schema: JsonSchema;
  /** False when the root of the schema is not an object; the value is then wrapped as `{ result }`. */
  readonly isObject: boolean;
  /**
   * Converts a handler's value to its sent form, which {@link check} validates.
   * @throws TypeError for what JSON cannot carry
   */
  readonly view: (value: unknown) => unknown;
  /** What is left out of all that is said about it; undefined where nothing is sensitive. */
  readonly redaction?: Redaction | undefined;
  /** Checks the {@link view} of a handler's value without converting it. Errors of the author's rules propagate. */
  readonly check: (value: unknown) => CheckOutcome | Promise<CheckOutcome>;
}

export interface ContractOptions {
  /** How names that a DTO does not declare are treated, nested DTOs included. */
  readonly unknownFields: UnknownFields;
  /** The place to name in error messages. */
  readonly where: string;
  /** Top-level names that another contract checks; this contract is created without them. */
  readonly without?: readonly string[];
  /** True if the scanner has checked the class and found no problems. */
  readonly isScanned?: boolean;
}
