import { makeIssue, type CheckedInput, type Issue } from '../../call/issue.ts';
import { createFits } from '../../dto/check/published-values.ts';
import { describeExpected } from '../../schema/describe-expected.ts';
import { dereference } from '../../schema/references.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isObject, isPlainObject } from '../../shared/json.ts';

/**
 * The values whose type or fixed values are others than the published ones. A schema that coerces (`z.coerce.number()`)
 * would accept them, and make `true` of `"false"`.
 */
export function* coercedIssues(value: unknown, checked: CheckedInput): Generator<Issue> {
  yield* issuesAt(checked.schema, value, [], checked);
}

function* issuesAt(
  given: JsonSchema,
  value: unknown,
  path: readonly PathSegment[],
  checked: CheckedInput,
): Generator<Issue> {
  const schema = dereference(checked.schema, given);
  if (!fits(schema, value)) {
    yield makeIssue(path, `must be ${describeExpected(schema) ?? 'as the schema says'}`, checked);
    return;
  }
  // which branch of a union is meant is a matter of the library
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return;
  for (const [segment, inner, item] of membersOf(schema, value)) {
    yield* issuesAt(inner, item, [...path, segment], checked);
  }
}

function fits({ type, enum: values, const: only, anyOf, oneOf }: JsonSchema, value: unknown): boolean {
  const own = { ...(type === undefined ? {} : { type }), ...(values === undefined ? {} : { enum: values }) };
  if (only !== undefined && only !== value) return false;
  const branches = anyOf ?? oneOf;
  return createFits(own)(value) && (branches?.some((branch) => fits(branch, value)) ?? true);
}

type Member = readonly [segment: PathSegment, schema: JsonSchema, value: unknown];

function* membersOf(schema: JsonSchema, value: unknown): Generator<Member> {
  if (Array.isArray(value)) {
    const first = (schema['prefixItems'] ?? []) as readonly JsonSchema[];
    for (const [index, item] of value.entries()) {
      const inner = first[index] ?? schema.items;
      if (isPlainObject(inner)) yield [index, inner, item];
    }
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const known = schema.properties ?? {};
      const inner = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
      if (isPlainObject(inner)) yield [name, inner, item];
    }
  }
}
