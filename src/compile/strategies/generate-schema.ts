import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { ToolFacts } from './action-facts.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { TypeConflict } from './schema/declaration.ts';
import { fieldNote } from './schema/field-note.ts';
import { indexFields, type IndexedField, type ToolFields } from './schema/index-fields.ts';
import { mergeDeclarations } from './schema/merge-declarations.ts';
import { neededDefinitions } from '../../schema/definitions.ts';
import { joinSentences } from './description-text.ts';

/** The one input schema of a tool: it accepts what at least one of the actions accepts. */
export function generateSchema(tool: ToolFacts, problems: ProblemList): ObjectSchema {
  const index = indexFields(tool, problems);
  reportDiscriminator(tool, index, problems);
  const merged = [...index.fields].map(([name, field]): [string, JsonSchema] => [
    name,
    mergeField(name, field, index, (conflict) => {
      reportConflict(tool, conflict, problems);
    }),
  ]);
  const always = [...index.fields].filter(([, field]) => field.isAlwaysRequired).map(([name]) => name);
  const $defs = neededDefinitions(
    merged.map(([, schema]) => schema),
    index.definitions,
  );
  return deepFreeze(
    deepCopy({
      type: 'object',
      properties: Object.fromEntries([[tool.discriminator, describeDiscriminator(tool)], ...merged]),
      required: [tool.discriminator, ...always],
      ...(Object.keys($defs).length === 0 ? {} : { $defs }),
    }),
  );
}

function describeDiscriminator({ actions, mode }: ToolFacts): JsonSchema {
  return {
    type: 'string',
    enum: actions.map(({ key }) => key),
    description: mode === 'flat' ? 'The action to run' : 'The action to run, written group.action',
  };
}

function mergeField(
  name: string,
  field: IndexedField,
  { definitions }: ToolFields,
  onConflict: (conflict: TypeConflict) => void,
): JsonSchema {
  const merged = mergeDeclarations(field.declarations, { path: name, definitions, onConflict });
  const description = joinSentences(merged.description ?? '', fieldNote(field));
  return { ...merged, description };
}

function reportDiscriminator(tool: ToolFacts, { fields }: ToolFields, problems: ProblemList): void {
  for (const { by } of fields.get(tool.discriminator)?.declarations ?? []) {
    problems.add('TW_COMPILE_FIELD_IS_DISCRIMINATOR', {
      where: tool.where,
      what: `declares the field "${tool.discriminator}" in ${by}, but that is the name of its discriminator`,
      why: 'the discriminator says which action to run and never reaches the handler',
      fix: `rename the field, or give the tool another discriminator: { discriminator: 'operation' }`,
    });
  }
}

function reportConflict(tool: ToolFacts, conflict: TypeConflict, problems: ProblemList): void {
  const { path, first, firstType, second, secondType } = conflict;
  problems.add('TW_COMPILE_FIELD_CONFLICT', {
    where: `tool "${tool.name}"`,
    what: `declares the field "${path}" as ${firstType} in ${first} and as ${secondType} in ${second}`,
    why: 'all actions of a tool share one schema, so one field cannot have truly different types',
    fix: "rename the field in one of them, give both the same type, set `expose: 'flat'` on the group, or move one of them to a tool of its own",
  });
}
