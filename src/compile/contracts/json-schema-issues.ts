import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Issue } from '../../call/issue.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { PathSegment } from '../checker/copy-json.ts';
import { unknownField } from '../checker/unknown-field.ts';
import { makeIssue, valueAt, type IssueContext } from './make-issue.ts';

const UNIONS = new Set(['anyOf', 'oneOf']);
const TYPE_KEYWORDS = new Set(['type', 'const', 'enum']);

/** Translates what ajv refuses. */
export function jsonSchemaIssues(errors: readonly ErrorObject[], context: IssueContext): readonly Issue[] {
  return withoutOtherBranches(errors).map((error) => toIssue(error, context));
}

function toIssue(error: ErrorObject, context: IssueContext): Issue {
  const path = segmentsOf(error.instancePath, context.input);
  const params = error.params as Readonly<Record<string, string | undefined>>;
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (unknown !== undefined) {
    const { properties = {} } = error.parentSchema as JsonSchema;
    const at = [...path, unknown];
    return unknownField(at.join('.'), unknown, valueAt(context.input, at), Object.keys(properties));
  }
  const missing = error.keyword === 'required' ? params['missingProperty'] : undefined;
  if (missing !== undefined) return makeIssue([...path, missing], 'is required', context);
  return makeIssue(
    path,
    UNIONS.has(error.keyword) ? 'fits none of the forms' : (error.message ?? ''),
    context,
  );
}

/** A JSON pointer as a path; only arrays have numbers in it. */
function segmentsOf(pointer: string, input: unknown): readonly PathSegment[] {
  const path: PathSegment[] = [];
  for (const segment of pointer.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(valueAt(input, path)) ? Number(name) : name);
  }
  return path;
}

/**
 * A union that fails reports the errors of all its branches. Where just one branch fits the value's
 * type or tag, its errors tell what is wrong; otherwise only the union's own error does.
 */
function withoutOtherBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const union of errors.filter(({ keyword }) => UNIONS.has(keyword))) {
    const inner = errors.filter((error) => error.schemaPath.startsWith(`${union.schemaPath}/`));
    const branches = groupByBranch(inner, union);
    const near = [...branches.values()].filter((branch) => branch.every((error) => !rulesOut(error, union)));
    const [only] = near;
    const kept = near.length === 1 && only !== undefined ? only : [];
    for (const error of kept.length > 0 ? [union, ...inner] : inner) {
      if (!kept.includes(error)) dropped.add(error);
    }
  }
  return errors.filter((error) => !dropped.has(error));
}

function groupByBranch(
  errors: readonly ErrorObject[],
  union: ErrorObject,
): ReadonlyMap<string, ErrorObject[]> {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const branch = error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] ?? '';
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  return branches;
}

/** The branch is meant for another type, or for another value of a tag. */
function rulesOut(error: ErrorObject, union: ErrorObject): boolean {
  const isHere = error.instancePath === union.instancePath;
  if (error.keyword === 'type') return isHere;
  const depth = error.instancePath.slice(union.instancePath.length).split('/').length - 1;
  return TYPE_KEYWORDS.has(error.keyword) && depth <= 1;
}
