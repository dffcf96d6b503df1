import type { Options } from 'ajv';
import { isPlainObject } from '../../shared/json.ts';
import { dialectOf, type Dialect } from '../keywords.ts';
import { InvalidSchemaError, UnsupportedDialectError } from '../schema-errors.ts';
import { walkSchema } from '../subschemas.ts';
import { addLookUps } from './ajv.ts';
import { loadAjv, type AnyAjv } from './load-ajv.ts';
import { StepBudget } from './steps.ts';

/** Checks schemas against the schema of their dialect. */
interface SchemaOfSchemas {
  readonly ajv: AnyAjv;
  readonly budget: StepBudget;
}

// Formats are not validated here: those of patterns and references are checked elsewhere.
const OPTIONS: Options = { strict: false, logger: false, validateFormats: false };

// Compiling a meta-schema takes longer than all the rest, so there is one per dialect, compiled when it is first
// needed. They keep no state from the schemas that they check.
const made = new Map<Dialect, SchemaOfSchemas>();

/** draft-07 requires that no two values of an `enum` are equal, which has to be checked as fast as for any list. */
function schemaOfSchemas(dialect: Dialect): SchemaOfSchemas {
  const known = made.get(dialect);
  if (known !== undefined) return known;
  const { Ajv, Ajv2020 } = loadAjv();
  const ajv = dialect === 'draft-07' ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  const budget = new StepBudget();
  addLookUps(ajv, budget);
  made.set(dialect, { ajv, budget });
  return { ajv, budget };
}

/**
 * Checks that the keywords of a schema have valid values.
 * @throws InvalidSchemaError
 */
export function checkAgainstDialect(schema: unknown, path: string, dialect: Dialect): void {
  if (!isPlainObject(schema)) return;
  const { ajv, budget } = schemaOfSchemas(dialect);
  budget.restart();
  const { $schema: _declared, ...rest } = schema;
  if (ajv.validateSchema(rest) === true) return;
  const [error] = ajv.errors ?? [];
  ajv.errors = null;
  throw new InvalidSchemaError({
    path: `${path}${error?.instancePath ?? ''}`,
    what: `is not valid: ${error?.message ?? 'unknown error'}.`,
  });
}

/**
 * The dialect of a schema and of all schemas in it: a mixture has no defined meaning.
 * @throws UnsupportedDialectError
 */
export function checkDialect(root: unknown): Dialect {
  const dialect = dialectOf(root);
  if (dialect === undefined) throw unsupported('', root);
  for (const { schema, path } of walkSchema(root)) {
    if (!isPlainObject(schema) || schema.$schema === undefined) continue;
    if (dialectOf(schema) !== dialect) throw unsupported(path, schema);
  }
  return dialect;
}

function unsupported(path: string, schema: unknown): UnsupportedDialectError {
  const declared = isPlainObject(schema) ? JSON.stringify(schema.$schema) : '';
  return new UnsupportedDialectError({ path, what: `declares the dialect ${declared.slice(0, 120)}.` });
}
