import type { Issue } from '../../call/issue.ts';
import type { PathSegment } from '../checker/copy-json.ts';
import { unknownField } from '../checker/unknown-field.ts';
import { schemaAt } from '../json-schema/schema-at.ts';
import { makeIssue, valueAt, type IssueContext } from './make-issue.ts';

/** An issue as https://standardschema.dev has it, with the extras of zod that are read here. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
  readonly code?: unknown;
  /** zod: the names of `unrecognized_keys`. */
  readonly keys?: readonly string[];
  /** zod: the issues of each branch of an `invalid_union`. */
  readonly errors?: readonly (readonly StandardIssue[])[];
}

/** Translates what a Standard Schema refuses. */
export function standardIssues(
  issues: readonly StandardIssue[],
  context: IssueContext,
  outer: readonly PathSegment[] = [],
): readonly Issue[] {
  return issues.flatMap((issue) => {
    const path = [...outer, ...pathOf(issue)];
    if (issue.code === 'unrecognized_keys' && issue.keys !== undefined) {
      return issue.keys.map((key) => unknownKey(path, key, context));
    }
    const branch = issue.code === 'invalid_union' ? meantBranch(issue.errors ?? []) : undefined;
    return branch === undefined
      ? [makeIssue(path, issue.message, context)]
      : standardIssues(branch, context, path);
  });
}

function pathOf({ path = [] }: StandardIssue): readonly PathSegment[] {
  return path.map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'number' ? key : String(key);
  });
}

function unknownKey(path: readonly PathSegment[], key: string, context: IssueContext): Issue {
  const accepted = Object.keys(schemaAt(context.schema, path)?.properties ?? {});
  const at = [...path, key];
  return unknownField(at.join('.'), key, valueAt(context.input, at), accepted);
}

/** The one branch of a union whose type fits; the others refuse the value as a whole. */
function meantBranch(branches: readonly (readonly StandardIssue[])[]): readonly StandardIssue[] | undefined {
  const near = branches.filter(
    (issues) => issues.length > 0 && issues.every(({ path = [] }) => path.length > 0),
  );
  return near.length === 1 ? near[0] : undefined;
}
