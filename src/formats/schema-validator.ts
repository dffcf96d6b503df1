import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { refuseOptions } from '../errors/option-errors.ts';
import { InvalidSchemaError } from '../schema/schema-errors.ts';
import {
  compileForeignSchema,
  readSchema,
  type CompiledSchema,
  type ValidationResult,
} from '../schema/validator/foreign-schema.ts';
import { trueOrFalse, type OptionRules } from '../shared/option-rules.ts';

/**
 * Checks values against JSON Schemas: an object, a boolean, or JSON text of either. Values never make it throw,
 * schemas do: `INVALID_SCHEMA`, `UNSUPPORTED_DIALECT`, `EXTERNAL_REF`, `UNSUPPORTED_PATTERN`, `SCHEMA_TOO_LARGE`.
 */
export interface SchemaValidator {
  /** Checks data against a schema; it reports what is wrong and does not throw for it. */
  validate(schema: unknown, data: unknown): ValidationResult;
  /** Arguments against the `inputSchema`, which there has to be; `undefined` counts as `{}`. */
  validateInput(tool: { readonly inputSchema?: unknown } | null | undefined, args: unknown): ValidationResult;
  /** A result against the `outputSchema`; without one every result is valid. */
  validateOutput(
    tool: { readonly outputSchema?: unknown } | null | undefined,
    result: unknown,
  ): ValidationResult;
}

/** The validator of this package, which can also be asked for a compiled schema. */
export interface CompilingSchemaValidator extends SchemaValidator {
  /** The schema as it is now; later changes of the object do not matter. */
  compile(schema: unknown): CompiledSchema;
}

/** How a validator treats schemas. */
export interface SchemaValidatorOptions {
  /**
   * Whether patterns run on the engine of JavaScript, with look-around and back-references; false by default.
   * Only for schemas from your own code: a pattern from elsewhere can block this process for years.
   */
  readonly trustedPatterns?: boolean;
}

export const VALIDATOR_RULES: OptionRules<SchemaValidatorOptions> = { trustedPatterns: trueOrFalse };

// The size is in characters of JSON, for 500 schemas of the largest size would not fit into the memory.
const BOUNDS = { max: 500, maxSize: 4_000_000 };

/**
 * Makes a validator for JSON Schema 2020-12 and draft-07 that is safe with schemas and values from elsewhere. It
 * loads nothing, keeps the 500 schemas that were used last, and runs patterns in linear time. A value that is
 * nested so deep, or makes the schema take so many steps, that the check cannot end is invalid: its one error has
 * the keyword `limit`.
 *
 * @throws ToolwrightError `INVALID_OPTION`
 * @example
 * const validator = createSchemaValidator();
 * const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['name'] };
 * validator.validate(schema, { age: 'old' }).errors.map(({ path, keyword }) => [path, keyword]);
 * // [['', 'required'], ['/age', 'type']]
 */
export function createSchemaValidator(options: SchemaValidatorOptions = {}): CompilingSchemaValidator {
  refuseOptions('INVALID_OPTION', 'createSchemaValidator()', options, VALIDATOR_RULES);
  const { trustedPatterns = false } = options;
  const cache = new LRUCache<string, CompiledSchema>(BOUNDS);

  function compile(source: unknown): CompiledSchema {
    const schema = readSchema(source);
    const text = JSON.stringify(schema);
    const key = createHash('sha256').update(text).digest('base64');
    const known = cache.get(key);
    if (known !== undefined) return known;
    const compiled = compileForeignSchema(schema, trustedPatterns);
    cache.set(key, compiled, { size: text.length });
    return compiled;
  }

  return Object.freeze({
    compile,
    validate: (schema, data) => compile(schema).validate(data),
    validateInput: (tool, args) => {
      const schema = tool?.inputSchema;
      if (schema === undefined) {
        throw new InvalidSchemaError({
          path: '',
          what: 'is missing: there is no tool, or it has no inputSchema.',
        });
      }
      return compile(schema).validate(args === undefined ? {} : args);
    },
    validateOutput: (tool, result) => {
      const schema = tool?.outputSchema;
      return schema === undefined || schema === null
        ? { valid: true, errors: [] }
        : compile(schema).validate(result);
    },
  } satisfies CompilingSchemaValidator);
}
