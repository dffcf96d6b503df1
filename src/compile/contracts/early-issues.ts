import type { CheckedInput, Issue } from '../../call/issue.ts';
import type { AuthorSchema } from '../../schema/validator/author-schema.ts';
import { limitMessage } from '../../schema/validator/steps.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { hasMoreValues } from '../../shared/json.ts';
import { makesCodeOnlyAtStart } from '../../shared/platform.ts';
import { compileBesideSchema, jsonSchemaIssues } from './json-schema-issues.ts';

/** For this many values, a library makes all issues without a noticeable delay. */
const FEW_VALUES = 2000;

const LIMITS: ReadonlySet<string> = new Set([limitMessage('steps'), limitMessage('depth')]);

/** Finds what is wrong with a value without making more issues than are shown; none where the library has to decide. */
type SchemaIssues = (value: object, checked: CheckedInput) => readonly Issue[];

/**
 * Libraries make an issue for each mistake, and a value may have a hundred thousand of them. What the JSON Schema of
 * a library refuses is refused without it, once a value is large.
 * @param elsewhere the fields that another contract checks
 */
export function createSchemaIssues(
  schema: JsonSchema,
  where: string,
  elsewhere: readonly string[],
): SchemaIssues {
  let compiled: AuthorSchema | undefined;
  let isUseless = makesCodeOnlyAtStart();
  return (value, checked) => {
    if (isUseless || !hasMoreValues(value, FEW_VALUES)) return [];
    try {
      compiled ??= compileBesideSchema(schema, where);
      const issues = jsonSchemaIssues(compiled, value, checked, elsewhere);
      // What takes too long to be checked is not wrong
      return issues.some(({ message }) => LIMITS.has(message)) ? [] : issues;
    } catch {
      // The platform makes no code, or the schema is too large
      isUseless = true;
      return [];
    }
  };
}
