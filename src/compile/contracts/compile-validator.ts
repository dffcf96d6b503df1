import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { createBranchJudge, type BranchJudge } from './judge-branches.ts';

/** A JSON Schema, compiled once. */
export interface SchemaValidator {
  /** Gives what is wrong; where it fills in defaults, it changes the value it gets. */
  readonly validate: (value: unknown) => readonly ErrorObject[];
  readonly branchesOf: BranchJudge;
}

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  verbose: true,
  logger: false,
  // fields may be named like members that every object has
  ownProperties: true,
};

// Compiling the schema of schemas takes longer than all the rest, so one instance does it for all, made for the
// first schema. It only judges and keeps nothing of what it has seen; compiled schemas stay with the instance of
// their contract.
let dialect: Ajv2020 | undefined;

/** Compiles a JSON Schema. */
export function compileValidator(schema: JsonSchema, where: string, useDefaults: boolean): SchemaValidator {
  try {
    dialect ??= createAjv({});
    void dialect.validateSchema(schema, true);
    const validate = createAjv({ useDefaults, ...TRUSTED }).compile(schema);
    return {
      validate: (value) => (validate(value) ? [] : (validate.errors ?? [])),
      branchesOf: createBranchJudge(schema, () => createAjv(TRUSTED)),
    };
  } catch (cause) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_INVALID', {
      where,
      what: `has a JSON Schema that is not valid: ${cause instanceof Error ? cause.message : String(cause)}.`,
      fix: 'correct the schema (JSON Schema 2020-12)',
      cause,
    });
  }
}

const TRUSTED: Options = { meta: false, validateSchema: false };

function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...options });
  ajvFormats.default(ajv);
  return ajv;
}
