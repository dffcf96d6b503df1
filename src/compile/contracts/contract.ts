import type { CheckOutcome } from '../../call/issue.ts';
import type { CheckExplanation } from '../../dto/check/explanation.ts';
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
  /** The names it declares, too, but which another contract checks; they are not among {@link names}. */
  readonly redeclared: readonly string[];
  /** True when the source itself allows further names (`additionalProperties`, `z.looseObject`). */
  readonly acceptsFurtherNames: boolean;
  /** What the schema cannot say and the check enforces all the same; shown as compile warnings. */
  readonly looseFields: readonly LooseField[];
  /** What works, but hardly as its author meant it. */
  readonly warnings: readonly Problem[];
  /** How a DTO class is checked; undefined for schemas. */
  readonly explanation: CheckExplanation | undefined;
  /**
   * Validates and converts. The arguments hold the declared names (with {@link acceptsFurtherNames} all others, too)
   * and the raw values of {@link redeclared}: rules over several fields read those, but this contract neither reports
   * issues of them nor decides their values.
   * Unknown names inside nested DTO objects are checked here, by the mode of the contract.
   * All issues are in one answer, including what a rule throws. If this method itself throws, the framework is at fault.
   */
  readonly check: (value: PlainObject) => CheckOutcome<object> | Promise<CheckOutcome<object>>;
}

/** A declared output, ready to be published and enforced. */
export interface OutputContract {
  readonly schema: JsonSchema;
  /** False when the root of the schema is not an object; the value is then wrapped as `{ result }`. */
  readonly isObject: boolean;
  /** A handler's value as it would be sent: what {@link check} gets. @throws TypeError for what JSON cannot carry */
  readonly view: (value: unknown) => unknown;
  /** Checks the {@link view} of a handler's value as it is; it converts nothing. It throws what a rule of the author throws. */
  readonly check: (value: unknown) => CheckOutcome | Promise<CheckOutcome>;
}

export interface ContractOptions {
  /** How names that a DTO does not declare are treated, nested DTOs included. */
  readonly unknownFields: UnknownFields;
  /** Who asks, for error messages. */
  readonly where: string;
  /** Names at the top level that another contract checks; this one is made as if it did not have them. */
  readonly without?: readonly string[];
  /** The scanner has looked at the class and found nothing wrong. */
  readonly isScanned?: boolean;
}
