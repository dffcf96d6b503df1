import type { JsonSchema } from '../../shared/json-schema.ts';
import { listFields, type FieldList } from './flatten-object-schema.ts';
import { throwProblem } from './report.ts';
import { hasDefault } from './schema/annotation-keywords.ts';
import { inlineReferences } from './schema/inline-references.ts';

/** The fields of a schema that cannot be left out, in the order of its properties. */
export function requiredFields(schema: JsonSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const inlined = inlineReferences(schema, 'an object schema', throwProblem);
  return requiredNames(listFields(inlined.schema, inlined.definitions));
}

/** {@link requiredFields} of fields that are listed already. */
export function requiredNames({ fields, required }: FieldList): readonly string[] {
  return [...fields]
    .filter(([name, schema]) => required.has(name) && !hasDefault(schema))
    .map(([name]) => name);
}

/** What an action requires beyond what the tool's common schema requires of every action. */
export function ownRequiredFields(
  common: JsonSchema | undefined,
  own: JsonSchema | undefined,
): readonly string[] {
  const always = new Set(requiredFields(common));
  return requiredFields(own).filter((field) => !always.has(field));
}
