import { describeExpected, describeForms } from '../schema/describe-expected.ts';
import { schemaAt, unionBranches, type PathSegment } from '../schema/schema-at.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject } from '../shared/json.ts';
import { describeReceived, firstIssues, type Issue } from './issue.ts';

/** What issues are described with: the schema for what was expected, the input for what came. */
export interface IssueContext {
  readonly schema: JsonSchema;
  readonly input: unknown;
}

export function makeIssue(
  path: readonly PathSegment[],
  message: string,
  { schema, input }: IssueContext,
): Issue {
  const value = valueAt(input, path);
  const expected = expectedAt(schema, path, { input, value });
  return {
    path: path.join('.'),
    message: message === '' ? 'is not valid' : message,
    ...(expected === undefined ? {} : { expected }),
    received: describeReceived(value),
  };
}

/** Of an object that fits no branch of a union, the type says nothing: the branches do. */
function expectedAt(
  root: JsonSchema,
  path: readonly PathSegment[],
  { input, value }: { readonly input: unknown; readonly value: unknown },
): string | undefined {
  const schema = schemaAt(root, path, input);
  if (schema === undefined) return undefined;
  const branches = unionBranches(root, schema);
  if (branches === undefined) return describeExpected(schema);
  const forms = isPlainObject(value) ? describeForms(branches) : undefined;
  return forms ?? describeExpected({ ...schema, anyOf: branches });
}

/** The value at a path; own members only. */
export function valueAt(input: unknown, path: readonly PathSegment[]): unknown {
  let value = input;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<PathSegment, unknown>)[segment];
  }
  return value;
}

/** One issue per path, with the messages joined; unknown fields stay apart. */
function mergeIssues(issues: readonly Issue[]): readonly Issue[] {
  const merged = new Map<string, Issue>();
  for (const issue of issues) {
    const key = `${issue.message === 'unknown field' ? 'unknown' : 'invalid'} ${issue.path}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, issue);
    else if (!known.message.split(', ').includes(issue.message)) {
      merged.set(key, { ...known, message: `${known.message}, ${issue.message}` });
    }
  }
  return [...merged.values()];
}

export function refused(issues: Iterable<Issue>): { readonly ok: false; readonly issues: readonly Issue[] } {
  const merged = mergeIssues(firstIssues(issues));
  return { ok: false, issues: Object.freeze(merged.map((issue) => Object.freeze(issue))) };
}
