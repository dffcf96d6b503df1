import type { ErrorObject } from 'ajv/dist/2020.js';
import { MOST_MADE, unknownField, type Issue } from '../../call/issue.ts';
import { makeIssue, valueAt, type IssueContext } from '../../call/make-issue.ts';
import { tokensOf } from '../../schema/pointer.ts';
import { dereference } from '../../schema/references.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import type { AuthorSchema } from '../../schema/validator/author-schema.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';
import { explainErrors } from './explain-errors.ts';

const UNIONS = new Set(['anyOf', 'oneOf']);

/** Checks a value and translates what ajv refuses; what concerns the names `elsewhere` does not count. */
export function jsonSchemaIssues(
  { validate, branchesOf }: AuthorSchema,
  value: unknown,
  context: IssueContext,
  elsewhere: readonly string[] = [],
): readonly Issue[] {
  const isElsewhere = (error: ErrorObject): boolean => elsewhere.includes(fieldOf(error) ?? '');
  const mentionsElsewhere = (schema: unknown): boolean =>
    isPlainObject(schema) &&
    elsewhere.some((name) => Object.hasOwn(dereference(context.schema, schema).properties ?? {}, name));
  const errors = explainErrors(validate(value), { branchesOf, isElsewhere, mentionsElsewhere });
  // one object may have a hundred thousand names that nobody knows
  return errors.slice(0, MOST_MADE).map((error) => toIssue(error, context));
}

/** The top-level field that an error is about. */
function fieldOf({ instancePath, params }: ErrorObject): string | undefined {
  const [first] = tokensOf(instancePath) ?? [];
  return first ?? missingName(params) ?? unknownName(params);
}

function missingName(params: Params): string | undefined {
  return params['missingProperty'] as string | undefined;
}

function unknownName(params: Params): string | undefined {
  return (params['additionalProperty'] ?? params['unevaluatedProperty']) as string | undefined;
}

type Params = Readonly<Record<string, unknown>>;

function toIssue(error: ErrorObject, context: IssueContext): Issue {
  const path = segmentsOf(error.instancePath, context.input);
  const params = error.params as Params;
  const unknown = unknownName(params);
  if (unknown !== undefined) {
    const { properties = {} } = error.parentSchema as JsonSchema;
    const at = [...path, unknown];
    return unknownField(at.join('.'), unknown, valueAt(context.input, at), Object.keys(properties));
  }
  const missing = missingName(params);
  if (missing !== undefined) return makeIssue([...path, missing], requiredText(error), context);
  return makeIssue(path, UNIONS.has(error.keyword) ? unionText(params) : (error.message ?? ''), context);
}

function requiredText({ keyword, params }: ErrorObject): string {
  const { property } = params as Params;
  return keyword === 'dependentRequired' ? `is required with ${String(property)}` : 'is required';
}

function unionText({ passingSchemas }: Params): string {
  return Array.isArray(passingSchemas) ? 'fits more than one of the forms' : 'fits none of the forms';
}

/** A JSON pointer as a path; only arrays have numbers in it. */
function segmentsOf(pointer: string, input: unknown): readonly PathSegment[] {
  const path: PathSegment[] = [];
  for (const name of tokensOf(pointer) ?? []) {
    path.push(Array.isArray(valueAt(input, path)) ? Number(name) : name);
  }
  return path;
}
