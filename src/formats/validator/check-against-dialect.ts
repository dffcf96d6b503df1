import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isPlainObject } from '../../shared/json.ts';
import { InvalidSchemaError, UnsupportedDialectError } from '../../schema/schema-errors.ts';
import { dialectOf, type Dialect } from '../../schema/keywords.ts';
import { walkSchema } from '../../schema/walk.ts';
import type { AnyAjv } from '../../schema/any-ajv.ts';
import { addFastKeywords } from '../../schema/fast-keywords.ts';
import { Meter } from '../../schema/meter.ts';

/** Judges schemas. */
interface Judge {
  readonly ajv: AnyAjv;
  readonly meter: Meter;
}

// Formats stay out: those of patterns and references are checked otherwise.
const OPTIONS: Options = { strict: false, logger: false, validateFormats: false };

// Compiling a schema of schemas takes longer than all the rest. These only judge, and keep nothing of it.
const JUDGES: Readonly<Record<Dialect, Judge>> = {
  '2020-12': createJudge(new Ajv2020(OPTIONS)),
  'draft-07': createJudge(new Ajv(OPTIONS)),
};

/** What draft-07 wants of an `enum`, that no two values are equal, has to be found out as fast as for any list. */
function createJudge(ajv: AnyAjv): Judge {
  const meter = new Meter();
  addFastKeywords(ajv, meter);
  return { ajv, meter };
}

/**
 * Checks that the keywords of a schema have values that they can have.
 * @throws InvalidSchemaError
 */
export function checkAgainstDialect(schema: unknown, path: string, dialect: Dialect): void {
  if (!isPlainObject(schema)) return;
  const { ajv, meter } = JUDGES[dialect];
  meter.restart();
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
 * The dialect of a schema, and of every schema in it: nobody could say what a mixture means.
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
