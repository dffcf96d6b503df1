import { isPlainObject } from '../../shared/json.ts';
import { UnsupportedDialectError } from '../errors/schema-errors.ts';
import { dialectOf, type Dialect } from '../schema/dialect.ts';
import { walkSchema } from '../schema/walk-schema.ts';

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
