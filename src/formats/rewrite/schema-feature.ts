import { ROWS, ROW_IDS, rowOf, type RowId } from './rows.ts';

type Features<Id extends RowId> = (typeof ROWS)[Id]['features'][number];

/** A keyword of JSON Schema that the matrix of targets knows. */
export type SchemaFeature = Features<RowId>;

/** Every keyword of the matrix, in its order. */
export const SCHEMA_FEATURES: readonly SchemaFeature[] = Object.freeze(
  ROW_IDS.flatMap((id): readonly SchemaFeature[] => ROWS[id].features),
);

/** The row of a keyword in a nested schema; `enum` and `const` mean strings. */
export function rowOfFeature(feature: string): RowId {
  return rowOf(feature, feature === 'enum' ? [''] : feature === 'const' ? '' : {}, false);
}
