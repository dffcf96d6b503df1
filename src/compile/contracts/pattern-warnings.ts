import type { Problem } from '../../errors/problem-list.ts';
import { repeatsRepetition } from '../../schema/patterns/backtracking.ts';
import { mapSchemas } from '../../schema/subschemas.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** What is to be said of the patterns that a library runs itself, as far as its JSON Schema shows them. */
export function patternWarnings(schema: JsonSchema, where: string): readonly Problem[] {
  const patterns = [...patternsIn(schema)].filter(repeatsRepetition);
  const warnings = patterns.map((pattern) => ({
    code: 'TW_SHAPE_PATTERN_UNBOUNDED' as const,
    where,
    what: `has the pattern ${pattern}, which takes very long for some texts of forty characters.`,
    why: 'the library of the schema asks the engine of JavaScript, and that one tries all ways to match.',
    fix: 'write the pattern so that no repetition repeats another one, or describe the input by a DTO class or a JSON Schema',
  }));
  return Object.freeze(warnings);
}

function patternsIn(schema: JsonSchema): ReadonlySet<string> {
  const patterns = new Set<string>();
  mapSchemas(schema, (part) => {
    if (typeof part['pattern'] === 'string') patterns.add(part['pattern']);
    for (const pattern of Object.keys(part['patternProperties'] ?? {})) patterns.add(pattern);
    return part;
  });
  return patterns;
}
