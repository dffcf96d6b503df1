import type { ErrorObject } from 'ajv';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { isPlainObject } from '../../shared/json.ts';
import { canonicalCopy } from '../canonical.ts';
import type { Dialect } from '../keywords.ts';
import { checkSchemaLimits, SCHEMA_LIMITS } from '../limits.ts';
import { valueAt } from '../pointer.ts';
import { InvalidSchemaError, SchemaTooLargeError } from '../schema-errors.ts';
import type { RawSchema } from '../subschemas.ts';
import { createAjv } from './ajv.ts';
import { checkAgainstDialect, checkDialect } from './dialects.ts';
import { checkCycles, linkSchema } from './links.ts';
import { PatternSet } from './pattern-set.ts';
import { rebuildSchema } from './rebuild.ts';
import { limitMessage, reachedLimit, StepBudget } from './steps.ts';

/** One thing that is wrong with a value. */
export interface ValidationError {
  /** An RFC 6901 pointer into the value; `""` is the value itself. */
  readonly path: string;
  /** The keyword that failed; `limit` when the value could not be checked to the end. */
  readonly keyword: string;
  readonly message: string;
  /** What the keyword wanted, such as `{ missingProperty: 'name' }`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** What is wrong with a value: nothing, when it is valid. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
}

/** A schema that was compiled once. */
export interface CompiledSchema {
  validate(data: unknown): ValidationResult;
}

/**
 * The canonical copy of a schema that is an object, a boolean, or JSON text of either.
 * @throws InvalidSchemaError, SchemaTooLargeError
 */
export function readSchema(source: unknown): RawSchema {
  const schema = typeof source === 'string' ? parseText(source) : source;
  if (typeof schema === 'boolean') return schema;
  if (!isPlainObject(schema)) {
    throw new InvalidSchemaError({ path: '', what: 'is neither an object nor a boolean.' });
  }
  checkSchemaLimits(schema);
  return canonicalCopy(schema) as RawSchema;
}

function parseText(text: string): unknown {
  if (text.length > SCHEMA_LIMITS.bytes) {
    throw new SchemaTooLargeError({ path: '', what: `is longer than ${String(SCHEMA_LIMITS.bytes)} bytes.` });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidSchemaError({ path: '', what: 'is text that is not JSON.', cause });
  }
}

/**
 * Compiles a schema from elsewhere, as `readSchema` gave it. Whatever it says, it loads nothing, and takes no more than
 * its share of time and memory.
 * @param hasTrustedPatterns whether patterns run on the engine of JavaScript, which may take years for some of them
 * @throws InvalidSchemaError, UnsupportedDialectError, ExternalRefError, UnsafePatternError, SchemaTooLargeError
 */
export function compileForeignSchema(schema: RawSchema, hasTrustedPatterns: boolean): CompiledSchema {
  const dialect = checkDialect(schema);
  const links = linkSchema(schema, dialect);
  for (const path of ['', ...links.outside]) checkAgainstDialect(valueAt(schema, path), path, dialect);
  checkCycles(links, dialect);
  const budget = new StepBudget();
  const patterns = new PatternSet(hasTrustedPatterns, budget);
  // Errors carry parts of it to the caller
  const rebuilt = deepFreeze(rebuildSchema(schema, { dialect, links, patterns }));
  const validate = compileRebuilt(rebuilt, { dialect, patterns, budget });
  return Object.freeze({ validate: (data: unknown) => run(validate, data, budget) });
}

interface Parts {
  readonly dialect: Dialect;
  readonly patterns: PatternSet;
  readonly budget: StepBudget;
}

type Validate = ((data: unknown) => unknown) & { errors?: readonly ErrorObject[] | null };

function compileRebuilt(schema: RawSchema, { dialect, patterns, budget }: Parts): Validate {
  const settings = { schema, dialect, budget, patternOf: (source: string) => patterns.get(source) };
  // Copies of a large definition in all places that refer to it would take forever to compile
  const ajv = createAjv(settings, { allErrors: true, inlineRefs: false, code: { optimize: false } });
  try {
    return ajv.compile(schema) as Validate;
  } catch (cause) {
    throw compileError(cause);
  }
}

function compileError(cause: unknown): Error {
  if (reachedLimit(cause) !== undefined) {
    const what = 'has too many alternatives in one place, or too long a chain of references.';
    return new SchemaTooLargeError({ path: '', what, cause });
  }
  const what = `cannot be compiled: ${cause instanceof Error ? cause.message : String(cause)}.`;
  return new InvalidSchemaError({ path: '', what, cause });
}

function run(validate: Validate, data: unknown, budget: StepBudget): ValidationResult {
  budget.restart();
  try {
    if (validate(data) === true) return { valid: true, errors: [] };
    return { valid: false, errors: (validate.errors ?? []).map(toError) };
  } catch (failure) {
    const limit = reachedLimit(failure);
    if (limit === undefined) throw failure;
    const error = { path: '', keyword: 'limit', message: limitMessage(limit), params: { limit } };
    return { valid: false, errors: [error] };
  } finally {
    // Errors refer to the value
    validate.errors = null;
  }
}

function toError({ instancePath, keyword, message = '', params }: ErrorObject): ValidationError {
  return { path: instancePath, keyword, message, params: params as ValidationError['params'] };
}
