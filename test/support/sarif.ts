import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { isPlainObject } from '../../src/shared/json.ts';

const SCHEMA = new URL('../schemas/sarif-2.1.0-rtm.5.json', import.meta.url);

/** What the schema of SARIF 2.1.0 finds wrong with a log; empty for a valid one. */
export function sarifFaults(log: unknown): readonly string[] {
  const check = (compiled ??= compile());
  void check(log);
  return (check.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

let compiled: ReturnType<Ajv['compile']> | undefined;

/** The schema is of draft 04, which reads as a later one once its dialect and its name are gone. */
function compile(): ReturnType<Ajv['compile']> {
  const {
    $schema: _dialect,
    id: _id,
    ...schema
  } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as object & {
    readonly $schema: string;
    readonly id: string;
  };
  const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false, unicodeRegExp: false });
  formats.default(ajv);
  if (!isPlainObject(schema)) throw new TypeError('The schema of SARIF is not an object.');
  return ajv.compile(schema);
}
