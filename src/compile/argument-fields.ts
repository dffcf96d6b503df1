import type { JsonSchema } from '../shared/json-schema.ts';
import type { InputContracts } from './input-contracts.ts';
import type { FieldList } from './strategies/flatten-object-schema.ts';
import { listFields } from './strategies/flatten-object-schema.ts';
import type { Report } from './strategies/report.ts';
import { inlineReferences } from './strategies/schema/inline-references.ts';

const NO_FIELDS: FieldList = { fields: new Map<string, JsonSchema>(), required: new Set(), branches: [] };

/** The fields of an input that arrives as single arguments, references resolved. */
export function argumentFields({ own }: InputContracts, where: string, report: Report): FieldList {
  if (own === undefined) return NO_FIELDS;
  const { schema, definitions } = inlineReferences(own.schema, where, report);
  return listFields(schema, definitions);
}
