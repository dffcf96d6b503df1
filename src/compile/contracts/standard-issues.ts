import { unknownField, type Issue } from '../../call/issue.ts';
import { makeIssue, valueAt, type IssueContext } from '../../call/make-issue.ts';
import { likelyBranches, schemaAt, unionBranches, type PathSegment } from '../../schema/schema-at.ts';

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
export function* standardIssues(
  issues: Iterable<StandardIssue>,
  context: IssueContext,
  outer: readonly PathSegment[] = [],
): Generator<Issue> {
  for (const issue of issues) {
    const path = [...outer, ...pathOf(issue)];
    if (issue.code === 'unrecognized_keys' && issue.keys !== undefined) {
      for (const key of issue.keys) yield unknownKey(path, key, context);
      continue;
    }
    const branch = issue.code === 'invalid_union' ? meantBranch(issue.errors ?? []) : undefined;
    if (branch === undefined) yield makeIssue(path, messageOf(issue), context);
    else yield* standardIssues(branch, context, path);
  }
}

// zod says `Invalid input`, which leaves open what is wrong with it
function messageOf({ code, errors = [], message }: StandardIssue): string {
  return code === 'invalid_union' && errors.length > 0 ? 'fits none of the forms' : message;
}

function pathOf({ path = [] }: StandardIssue): readonly PathSegment[] {
  // a copy, because the `map` of ArkType makes [0] of its empty path
  return [...path].map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'number' ? key : String(key);
  });
}

function unknownKey(path: readonly PathSegment[], key: string, context: IssueContext): Issue {
  const schema = schemaAt(context.schema, path, context.input) ?? {};
  const branches = likelyBranches(unionBranches(context.schema, schema) ?? [], valueAt(context.input, path));
  const accepted = new Set([schema, ...branches].flatMap(({ properties = {} }) => Object.keys(properties)));
  const at = [...path, key];
  return unknownField(at.join('.'), key, valueAt(context.input, at), [...accepted]);
}

/**
 * The branch of a union that was meant: its type fits, its tag does, and of those that remain it has the fewest
 * issues. Undefined where that cannot be told.
 */
function meantBranch(branches: readonly (readonly StandardIssue[])[]): readonly StandardIssue[] | undefined {
  const typed = branches.filter(
    (issues) => issues.length > 0 && issues.every(({ path = [] }) => path.length > 0),
  );
  const tagged = typed.filter((issues) => !issues.some(isTag));
  return fewest(tagged.length > 0 ? tagged : typed);
}

/** zod: a literal or enum at the top of a branch, which has another value. */
function isTag({ code, path = [] }: StandardIssue): boolean {
  return code === 'invalid_value' && path.length === 1;
}

/** The one list with the fewest members; undefined when several have as few. */
export function fewest<T>(lists: readonly (readonly T[])[]): readonly T[] | undefined {
  const least = Math.min(...lists.map((list) => list.length));
  const shortest = lists.filter((list) => list.length === least);
  return shortest.length === 1 ? shortest[0] : undefined;
}
