import { refused, makeIssue, type CheckOutcome } from '../../call/issue.ts';
import { createChecker, createClassCheck } from '../../dto/check/class-check.ts';
import { concerns, withoutNames } from '../../dto/check/copy-input.ts';
import type { CheckPath } from '../../dto/check/explanation.ts';
import { createLibraryCheck } from '../../dto/check/library-check.ts';
import { createRedaction, redactingCheck } from '../../dto/check/redaction.ts';
import { emitJsonSchema } from '../../dto/schema/emit-json-schema.ts';
import { readShape } from '../../dto/shape/read-shape.ts';
import { shapeProblems, shapeWarnings } from '../../dto/shape/shape-problems.ts';
import { createValidationReader } from '../../dto/shape/validation-metadata.ts';
import { ApplicationError, type Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isStandardSchema, type SchemaSource, type StandardSchema } from '../../shared/schema-source.ts';
import type { Contract, ContractOptions, OutputContract } from './contract.ts';
import { fillInheritedDefaults, omitNames } from './field-names.ts';
import { compileInputSchema, jsonSchemaIssues, compileOutputSchema } from './json-schema-issues.ts';
import { compileCopy, membersOf, plainSchema, isObjectSchema, objectRoot } from './plain-schema.ts';
import { createStandardContract, standardIssues, standardJsonSchema } from './standard-contract.ts';
import { jsonView } from '../../call/handler-value.ts';
import { hasOwnNames, nestedClasses, toPlain } from '../../dto/shape/transformer-metadata.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { isPlainObject } from '../../shared/json.ts';
import { describesObject } from '../tools/join-schemas.ts';
import type { StandardIssue } from './zod-schema.ts';

export type CreateContract = (source: SchemaSource, options: ContractOptions) => Contract;

// Symbol.for: a second installed copy of the package knows it.
export const OWN_CONTRACT: unique symbol = Symbol.for('toolwright:own-contract');

/** A source that makes its contract itself, of those of other sources. */
export interface OwnContract {
  readonly [OWN_CONTRACT]: (options: ContractOptions, create: CreateContract) => Contract;
}

/** Creates the contract of an input from its source. ArkType's schemas are functions, so they are tested first. */
export function createContract(source: SchemaSource, options: ContractOptions): Contract {
  const own = (source as Partial<OwnContract>)[OWN_CONTRACT];
  if (own !== undefined) return own(options, createContract);
  if (isStandardSchema(source)) return createStandardContract(source, options);
  return isClass(source) ? createClassContract(source, options) : createJsonSchemaContract(source, options);
}

interface ClassContractOptions extends ContractOptions {
  /** The form that class-transformer reads (`input`, the default) or writes (`output`). */
  readonly side?: 'input' | 'output';
  /** The kind of check, where there is a choice; by default the fastest. */
  readonly path?: CheckPath;
}

/** The contract of a DTO class: the schema is read from its validators, the check runs them. */
export function createClassContract(type: Class, options: ClassContractOptions): Contract {
  const {
    unknownFields,
    where,
    without = [],
    isScanned = false,
    side = 'input',
    path = 'generated',
  } = options;
  const reader = createValidationReader();
  if (!isScanned) refuseBroken(shapeProblems(type, reader), where);
  const shape = readShape(type, reader, side);
  const { schema, looseFields } = emitJsonSchema(shape, unknownFields);
  const declared = Object.keys(schema.properties ?? {});
  const redeclared = Object.freeze(declared.filter((name) => without.includes(name)));
  const redaction = createRedaction(shape);
  const checker = createChecker(shape, { unknownFields, redeclared, path });
  return Object.freeze({
    source: type,
    type,
    schema: omitNames(schema, without),
    names: Object.freeze(declared.filter((name) => !without.includes(name))),
    redeclared,
    acceptsFurtherNames: false,
    looseFields: Object.freeze(looseFields.filter(({ field }) => !concerns(field, redeclared))),
    warnings: shapeWarnings(type, reader),
    get explanation() {
      return checker.explanation;
    },
    redaction,
    check: redactingCheck(
      createClassCheck(checker, () =>
        createLibraryCheck(shape, schema, { unknownFields, redeclared, side, checker }),
      ),
      redaction,
    ),
  } satisfies Contract);
}

/** The builder runs without the scanner, so a class that can never work is rejected here as well. */
function refuseBroken(problems: readonly Problem[], where: string): void {
  const [first] = problems;
  if (first === undefined) return;
  if (problems.length > 1) throw new ApplicationError(where, problems);
  throw new ToolwrightError(first.code, first);
}

/** The contract of a raw JSON Schema 2020-12; what is checked is a copy, into which defaults are filled. */
function createJsonSchemaContract(source: JsonSchema, options: ContractOptions): Contract {
  const { where } = options;
  const { whole, ...members } = membersOf(plainSchema(source, where), options);
  const { redeclared } = members;
  // errors in fields that another contract checks must not crowd out the errors that count
  const most = redeclared.length > 0 ? Number.POSITIVE_INFINITY : undefined;
  const validator = compileInputSchema(whole, where, most);
  const copy = compileCopy({ whole, ...members }, options);
  return Object.freeze({
    source,
    ...members,
    warnings: Object.freeze(
      validator.unboundedPatterns.map((pattern) => ({
        code: 'TW_SHAPE_PATTERN_UNBOUNDED' as const,
        where,
        what: `has the pattern ${pattern}, which may take very long on a long text.`,
        why: 'only the engine of JavaScript can run it, and that engine tries all ways to match.',
        fix: 'add a small maxLength, or write the pattern without look-around',
      })),
    ),
    check: (input) => {
      const { value, issues: copied, isTooDeep } = copy(input);
      if (isTooDeep) return refused(copied);
      fillInheritedDefaults(value, whole);
      const context = { schema: whole, input };
      const issues = [...copied, ...jsonSchemaIssues(validator, value, context, redeclared)];
      if (issues.length > 0) return refused(issues);
      return { ok: true, value: withoutNames(value, redeclared) };
    },
  } satisfies Contract);
}

type Outcome = CheckOutcome | Promise<CheckOutcome>;

/** Makes the contract of a declared output; fields that it does not declare are an issue. */
export function createOutputContract(
  source: SchemaSource,
  { where }: { readonly where: string },
): OutputContract {
  if (isStandardSchema(source)) {
    const schema = standardJsonSchema(source, 'output', where);
    return createSchemaOutput(schema, where, refinementOf(source, schema, where));
  }
  if (isClass(source)) {
    const options = { unknownFields: 'strict', where, side: 'output' } as const;
    const { schema, check, redaction } = createClassContract(source, options);
    return Object.freeze({
      schema,
      redaction,
      isObject: true,
      view: createInstanceView(source),
      check: (view) => {
        if (isPlainObject(view)) return keepView(check(view), view);
        return refused([makeIssue([], 'must be an object', { schema, input: view })]);
      },
    } satisfies OutputContract);
  }
  return createSchemaOutput(plainSchema(source, where), where, undefined);
}

function createSchemaOutput(
  plain: JsonSchema,
  where: string,
  refine: ((view: unknown, schema: JsonSchema) => Outcome) | undefined,
): OutputContract {
  const schema = deepFreeze(isObjectSchema(plain) ? objectRoot(plain, where) : plain);
  const validator = compileOutputSchema(schema, where);
  return Object.freeze({
    schema,
    // Asked of what publishes the schema: what is sent has to have that form
    isObject: describesObject(schema),
    view: jsonView,
    check: (view) => {
      const issues = jsonSchemaIssues(validator, view, { schema, input: view });
      if (issues.length > 0) return refused(issues);
      return refine === undefined ? { ok: true, value: view } : keepView(refine(view, schema), view);
    },
  } satisfies OutputContract);
}

function keepView(outcome: Outcome, view: unknown): Outcome {
  if (outcome instanceof Promise) return outcome.then((settled) => keepView(settled, view));
  return outcome.ok ? { ok: true, value: view } : outcome;
}

/** Rules beyond JSON Schema count as well, unless the schema converts: then it cannot read its own output. */
function refinementOf(
  source: StandardSchema,
  output: JsonSchema,
  where: string,
): ((view: unknown, schema: JsonSchema) => Outcome) | undefined {
  if (converts(source, output, where)) return undefined;
  return (input, schema) => {
    const settle = ({ issues = [] }: { readonly issues?: readonly StandardIssue[] }): CheckOutcome =>
      issues.length > 0 ? refused(standardIssues(issues, { schema, input })) : { ok: true, value: input };
    const result = source['~standard'].validate(input) as Parameters<typeof settle>[0] | Promise<never>;
    if (!(result instanceof Promise)) return settle(result);
    return result.then(settle);
  };
}

function converts(source: StandardSchema, output: JsonSchema, where: string): boolean {
  try {
    return comparable(standardJsonSchema(source, 'input', where)) !== comparable(output);
  } catch {
    return true;
  }
}

/** Ignores keywords that outputs change: there, fields with defaults are required and objects are closed. */
function comparable(schema: JsonSchema): string {
  const ignored = new Set(['required', 'additionalProperties']);
  return JSON.stringify(schema, (key: string, value: unknown) => (ignored.has(key) ? undefined : value));
}

/**
 * Compiles the conversion of a class's instances to JSON. Where class-transformer renames or excludes properties,
 * it writes the instance; otherwise JSON does, so that `toJSON` of the values in it is called.
 */
function createInstanceView(type: Class): (value: unknown) => unknown {
  const isWritten = nestedClasses(type, createValidationReader()).some(hasOwnNames);
  if (!isWritten) return jsonView;
  const isInstance = (value: unknown): value is object => value instanceof type;
  return (value) => jsonView(isInstance(value) && !hasToJson(value) ? toPlain(value) : value);
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
