import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { schemaAt } from '../../schema/schema-at.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { elicitationField } from './elicitation-field.ts';

/**
 * Restricts a schema to what a form of a client can show (spec: client/elicitation, Requested Schema):
 * a flat object of texts, numbers, truth values and choices. Keywords that a form does not know are left out,
 * which the check of the answer makes good; a field that may be null becomes an optional one.
 * @throws ToolwrightError TW_ASK_SCHEMA with every field that no form can show.
 */
export function elicitationSchema(schema: ObjectSchema, where: string): ObjectSchema {
  refuseCombination(schema, where);
  const properties: Record<string, JsonSchema> = {};
  const optional = new Set<string>();
  const refusals: string[] = [];
  for (const name of Object.keys(schema.properties ?? {})) {
    const field = elicitationField(schemaAt(schema, [name]) ?? {}, (part) => resolve(schema, part));
    if ('refusal' in field) refusals.push(`"${name}" ${field.refusal}`);
    else properties[name] = field.schema;
    if ('refusal' in field || field.isNullable) optional.add(name);
  }
  if (refusals.length > 0) throw refused(where, refusals);
  const required = (schema.required ?? []).filter((name) => !optional.has(name));
  return deepFreeze({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) });
}

/** Follows a reference of a part into the definitions of the whole. */
function resolve({ $defs, definitions }: JsonSchema, part: JsonSchema): JsonSchema {
  if (part.$ref === undefined) return part;
  return schemaAt({ ...part, ...($defs === undefined ? {} : { $defs }), definitions }, []) ?? part;
}

/** The fields of a union or of an open map cannot be laid out in one form. */
function refuseCombination(schema: ObjectSchema, where: string): void {
  const keyword = ['anyOf', 'oneOf', 'allOf'].find((name) => schema[name] !== undefined);
  if (keyword !== undefined) throw refused(where, [`the whole is put together by ${keyword}`]);
  const { properties, additionalProperties } = schema;
  const isMap = properties === undefined && typeof additionalProperties === 'object';
  if (isMap) throw refused(where, ['the names of its fields are open']);
}

function refused(where: string, refusals: readonly string[]): ToolwrightError {
  return new ToolwrightError('TW_ASK_SCHEMA', {
    where,
    what: `cannot be asked for in a form: ${refusals.join('; ')}.`,
    why: 'forms of MCP clients are flat: texts, numbers, truth values, and choices from fixed texts.',
    fix: 'ask for fields of these kinds, in several questions where one form is too small',
  });
}
