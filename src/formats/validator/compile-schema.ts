import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { RawSchema } from '../canonical/tool.ts';
import { InvalidSchemaError, SchemaTooLargeError } from '../../schema/schema-errors.ts';
import type { Dialect } from '../../schema/keywords.ts';
import { valueAt } from '../../schema/pointer.ts';
import type { AnyAjv } from '../../schema/any-ajv.ts';
import { checkAgainstDialect, checkDialect } from './check-against-dialect.ts';
import { checkCycles } from './check-cycles.ts';
import { addFastKeywords } from '../../schema/fast-keywords.ts';
import { addFormats } from '../../schema/known-formats.ts';
import { Meter, reachedLimit } from '../../schema/meter.ts';
import { PatternSet } from './pattern-set.ts';
import { rebuildSchema } from './rebuild-schema.ts';
import { linkSchema } from './schema-links.ts';
import type { ValidationError, ValidationResult } from './schema-validator.ts';
import { addSteps } from './step-keyword.ts';

/** A schema that was compiled once. */
export interface CompiledSchema {
  validate(data: unknown): ValidationResult;
}

/**
 * Compiles a canonical copy of a schema, which has to be within the limits.
 * @throws InvalidSchemaError, UnsupportedDialectError, ExternalRefError, UnsafePatternError, SchemaTooLargeError
 */
export function compileSchema(schema: RawSchema, hasTrustedPatterns: boolean): CompiledSchema {
  const dialect = checkDialect(schema);
  const links = linkSchema(schema, dialect);
  for (const path of ['', ...links.outside]) checkAgainstDialect(valueAt(schema, path), path, dialect);
  checkCycles(links, dialect);
  const meter = new Meter();
  const patterns = new PatternSet(hasTrustedPatterns, meter);
  // Errors carry parts of it to the caller
  const rebuilt = deepFreeze(rebuildSchema(schema, { dialect, links, patterns }));
  const validate = compileRebuilt(rebuilt, { dialect, patterns, meter });
  return Object.freeze({ validate: (data: unknown) => run(validate, data, meter) });
}

interface Parts {
  readonly dialect: Dialect;
  readonly patterns: PatternSet;
  readonly meter: Meter;
}

type Validate = ((data: unknown) => unknown) & { errors?: readonly ErrorObject[] | null };

function compileRebuilt(schema: RawSchema, { dialect, patterns, meter }: Parts): Validate {
  const regExp = Object.assign((source: string) => patterns.get(source), { code: 'patterns' });
  const options: Options = {
    strict: false,
    logger: false,
    allErrors: true,
    // fields may be named like members that every object has
    ownProperties: true,
    // Copies of a large definition in all places that refer to it would take forever to compile
    inlineRefs: false,
    meta: false,
    validateSchema: false,
    code: { regExp, optimize: false },
  };
  const ajv: AnyAjv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  // Without need, it makes the time to compile a square
  ajv.opts.unevaluated = JSON.stringify(schema).includes('"unevaluated');
  addFormats(ajv);
  addFastKeywords(ajv, meter);
  addSteps(ajv, meter);
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

function run(validate: Validate, data: unknown, meter: Meter): ValidationResult {
  meter.restart();
  try {
    if (validate(data) === true) return { valid: true, errors: [] };
    return { valid: false, errors: (validate.errors ?? []).map(toError) };
  } catch (failure) {
    const result = limitResult(failure);
    if (result === undefined) throw failure;
    return result;
  } finally {
    // Errors refer to the value
    validate.errors = null;
  }
}

/** The result of a check that ended early; undefined for a failure that is no matter of limits. */
function limitResult(failure: unknown): ValidationResult | undefined {
  const limit = reachedLimit(failure);
  if (limit === undefined) return undefined;
  const message =
    limit === 'steps' ? 'takes too many steps to be checked' : 'is nested too deep to be checked';
  return { valid: false, errors: [{ path: '', keyword: 'limit', message, params: { limit } }] };
}

function toError({ instancePath, keyword, message = '', params }: ErrorObject): ValidationError {
  return { path: instancePath, keyword, message, params: params as ValidationError['params'] };
}
