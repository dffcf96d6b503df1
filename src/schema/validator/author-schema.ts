import { makesCodeOnlyAtStart } from '../../shared/platform.ts';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { isDeeperThan } from '../../shared/json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { boundPattern, type BoundedPattern } from '../patterns/linear-pattern.ts';
import { checkSchemaLimits } from '../limits.ts';
import { fragmentOf, pointTo } from '../pointer.ts';
import { checkReferences } from '../references.ts';
import { InvalidSchemaError } from '../schema-errors.ts';
import { walkSchema } from '../subschemas.ts';
import { createAjv } from './ajv.ts';
import { checkAgainstDialect } from './dialects.ts';
import { withDisjointUnions } from './disjoint-unions.ts';
import { _, str, type AnyAjv } from './load-ajv.ts';
import { firstErrors, limitMessage, reachedLimit, StepBudget, withAllSteps } from './steps.ts';

/** A JSON Schema of an author, compiled once. */
export interface AuthorSchema {
  /** Returns the first errors. If it fills in defaults, it changes the given value. */
  readonly validate: (value: unknown) => readonly ErrorObject[];
  readonly branchesOf: BranchErrors;
  /** Patterns that may block the server for a long text. */
  readonly unboundedPatterns: readonly string[];
}

export interface AuthorSettings {
  readonly useDefaults: boolean;
  /** The number of errors after which a check ends. */
  readonly mostErrors: number;
  /** True if the values are untrusted: then the schema and its checks have the limits of foreign schemas. */
  readonly isBudgeted: boolean;
}

// A copy of a small definition is faster than a call; copies of large ones would make the code grow quadratically.
const LARGEST_COPY = 25;
const OPTIONS: Options = { verbose: true, inlineRefs: LARGEST_COPY };

/**
 * Compiles a JSON Schema 2020-12 of an author into a check that stops at the first error. A second form finds further
 * errors; it is compiled for the first rejected value, and stops at the number of errors that are shown.
 * @throws InvalidSchemaError, SchemaTooLargeError, and the errors of ajv for a schema that it cannot compile
 */
export function compileAuthorSchema(schema: JsonSchema, settings: AuthorSettings): AuthorSchema {
  const { useDefaults, mostErrors, isBudgeted } = settings;
  if (isBudgeted) checkSchemaLimits(schema);
  checkAgainstDialect(schema, '', '2020-12');
  checkReferences(schema);
  checkPatterns(schema);
  const patterns: Patterns = new Map();
  const budget = new StepBudget(isBudgeted ? undefined : Number.POSITIVE_INFINITY);
  const patternOf = (source: string): RegExp => namedPattern(source, patterns);
  const shared = { schema, dialect: '2020-12', budget, patternOf } as const;
  const create = (options: Options, most?: number): AnyAjv =>
    withLengths(createAjv({ ...shared, mostErrors: most }, { ...OPTIONS, ...options }), patterns);
  // It only says yes or no: the second form explains
  const decided = withDisjointUnions(schema);
  const validate = create({ useDefaults, discriminator: decided !== schema }).compile(
    isBudgeted ? withAllSteps(decided) : decided,
  );
  let counted: Counted | undefined;
  const countedForm = (): Counted =>
    (counted ??= compileCounted(schema, () => create({ allErrors: true }, mostErrors)));
  if (makesCodeOnlyAtStart()) countedForm();
  return {
    validate: (value) => {
      budget.restart();
      try {
        if (validate(value)) return [];
      } catch (failure) {
        return [limitError(failure, value)];
      }
      const [first] = takeErrors(validate);
      budget.restartToExplain();
      const errors = countedForm().validate(value);
      return errors.length > 0 || first === undefined ? errors : [first];
    },
    branchesOf: (error) => countedForm().branchesOf(error),
    unboundedPatterns: [...patterns].filter(([, { isBounded }]) => !isBounded).map(([source]) => source),
  };
}

/** @throws InvalidSchemaError with the place of an expression that cannot be read, of which ajv gives the text alone */
function checkPatterns(root: JsonSchema): void {
  for (const { schema, path } of walkSchema(root)) {
    if (typeof schema === 'boolean') continue;
    const { pattern, patternProperties } = schema;
    if (typeof pattern === 'string') checkPattern(pattern, pointTo(path, 'pattern'));
    for (const source of Object.keys(patternProperties ?? {})) {
      checkPattern(source, pointTo(path, 'patternProperties', source));
    }
  }
}

function checkPattern(source: string, path: string): void {
  try {
    new RegExp(source, 'u');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidSchemaError({ path, what: `cannot be read: ${reason}.`, cause });
  }
}

type Counted = Pick<AuthorSchema, 'validate' | 'branchesOf'>;

/** The form that looks for further errors, until its steps are used up. */
function compileCounted(schema: JsonSchema, create: () => AnyAjv): Counted {
  const marked = withAllSteps(schema);
  const validate = create().compile(marked);
  return {
    validate: (value) => errorsWithin(validate, value),
    branchesOf: createBranchErrors(marked, create),
  };
}

/** The errors that are found before a limit is reached; none where a limit comes first. */
function errorsWithin(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
  try {
    return firstErrors(() => (validate(value) ? [] : takeErrors(validate)));
  } catch (failure) {
    if (reachedLimit(failure) === undefined) throw failure;
    return [];
  }
}

/** Takes the errors from the function, because they refer to the value and would keep it alive. */
function takeErrors(validate: ValidateFunction): readonly ErrorObject[] {
  const errors = validate.errors ?? [];
  validate.errors = null;
  return errors;
}

// Ajv needs some ten times as many levels to fill the stack
const SHALLOW = 100;

/** @throws the failure, where it is none of the value's: a schema that refers back to itself fills the stack for any value */
function limitError(failure: unknown, value: unknown): ErrorObject {
  const limit = reachedLimit(failure);
  if (limit === undefined || (limit === 'depth' && !isDeeperThan(value, SHALLOW))) throw failure;
  const message = limitMessage(limit);
  return { keyword: 'limit', instancePath: '', schemaPath: '#', params: { limit }, message };
}

/** The patterns of a schema by their source, for the longest text that each has to test. */
type Patterns = Map<string, BoundedPattern>;

function namedPattern(source: string, patterns: Patterns): RegExp {
  const { test } = patternFor(source, undefined, patterns);
  // ajv accepts this as a regular expression, and caches it by its name
  return { test, toString: () => `/${source}/u` } as unknown as RegExp;
}

/** Makes patterns respect the `maxLength` beside them: a text that is far too long is rejected without it. */
function withLengths(ajv: AnyAjv, patterns: Patterns): AnyAjv {
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: {
      message: ({ schemaCode }) => str`must match pattern "${schemaCode}"`,
      params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
    },
    code: (cxt) => {
      const test = testOf(cxt.schema as string, cxt.parentSchema, patterns);
      cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: test })}(${cxt.data})`);
    },
  });
  return ajv;
}

function testOf(source: string, { maxLength }: JsonSchema, patterns: Patterns): (text: string) => boolean {
  if (typeof maxLength !== 'number') return patternFor(source, undefined, patterns).test;
  // a character takes one or two units
  const longest = 2 * maxLength;
  const { test } = patternFor(source, longest, patterns);
  return (text) => text.length > longest || test(text);
}

function patternFor(source: string, longest: number | undefined, patterns: Patterns): BoundedPattern {
  const key = longest === undefined ? source : `${source} up to ${String(longest)}`;
  const pattern = patterns.get(key) ?? boundPattern(new RegExp(source, 'u'), longest);
  patterns.set(key, pattern);
  return pattern;
}

/** The errors of each branch of a union that failed, or of the outcome of a condition; undefined for other errors. */
export type BranchErrors = (error: ErrorObject) => readonly (readonly ErrorObject[])[] | undefined;

interface Prepared {
  readonly ajv: AnyAjv;
  readonly pointers: ReadonlyMap<unknown, string>;
}

/**
 * Checks each branch separately: ajv lists the errors of all branches together, and if a branch is a reference,
 * they do not show which branch they belong to. Nothing is compiled before a union fails.
 */
function createBranchErrors(schema: JsonSchema, create: () => AnyAjv): BranchErrors {
  const validators = new Map<string, ValidateFunction | undefined>();
  let ready: Prepared | undefined;
  const validatorAt = (union: ErrorObject, branch: string): ValidateFunction | undefined => {
    ready ??= prepare(schema, create());
    const pointer = ready.pointers.get(union.parentSchema);
    if (pointer === undefined) return undefined;
    const place = `schema${fragmentOf(`${pointer}/${branch}`)}`;
    if (!validators.has(place)) validators.set(place, schemaAt(ready.ajv, place));
    return validators.get(place);
  };
  return (error) => {
    const branches = branchNames(error);
    if (branches === undefined) return undefined;
    const failed = branches.map((branch) => errorsOf(validatorAt(error, branch), error));
    return failed.every((errors) => errors !== undefined) ? failed : undefined;
  };
}

/** Undefined where no code can be made any more: then the union is explained as a whole. */
function schemaAt(ajv: AnyAjv, place: string): ValidateFunction | undefined {
  try {
    return ajv.getSchema(place);
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}

function prepare(schema: JsonSchema, ajv: AnyAjv): Prepared {
  ajv.addSchema(schema, 'schema');
  return { ajv, pointers: pointersIn(schema) };
}

function branchNames({ keyword, params, schema }: ErrorObject): readonly string[] | undefined {
  const { failingKeyword, passingSchemas } = params as Readonly<Record<string, unknown>>;
  if (keyword === 'if') return [String(failingKeyword)];
  const isUnion = keyword === 'anyOf' || (keyword === 'oneOf' && !Array.isArray(passingSchemas));
  return isUnion && Array.isArray(schema) ? schema.map((_, index) => `${keyword}/${index}`) : undefined;
}

function errorsOf(
  validate: ValidateFunction | undefined,
  { data, instancePath }: ErrorObject,
): readonly ErrorObject[] | undefined {
  if (validate === undefined) return undefined;
  const errors = errorsWithin(validate, data);
  if (errors.length === 0) return undefined;
  return errors.map((error) => ({
    ...error,
    instancePath: `${instancePath}${error.instancePath}`,
  }));
}

/** Every part of a schema → its place. */
function pointersIn(schema: JsonSchema): ReadonlyMap<unknown, string> {
  const pointers = new Map<unknown, string>();
  const visit = (part: unknown, pointer: string): void => {
    if (typeof part !== 'object' || part === null || pointers.has(part)) return;
    pointers.set(part, pointer);
    for (const [key, value] of Object.entries(part)) {
      visit(value, pointTo(pointer, key));
    }
  };
  visit(schema, '');
  return pointers;
}
