import { isPlainObject } from '../../shared/json.ts';

/** The dialects of JSON Schema that are understood. */
export type Dialect = '2020-12' | 'draft-07';

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const CURRENT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** The dialect that a schema declares; 2020-12 when it declares none, undefined for any other. */
export function dialectOf(schema: unknown): Dialect | undefined {
  const declared = isPlainObject(schema) ? schema.$schema : undefined;
  if (declared === undefined) return '2020-12';
  if (typeof declared !== 'string') return undefined;
  if (DRAFT_07.test(declared)) return 'draft-07';
  return CURRENT.test(declared) ? '2020-12' : undefined;
}
