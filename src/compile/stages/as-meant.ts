import { joinIssues } from '../../call/bounded-issues.ts';
import { NOT_AS_TEXT, type Issue } from '../../call/issue.ts';
import type { ResolvedInputOutcome, ResolveInput } from '../../kernel/call/compiled-callable.ts';
import { hasMoreValues, isPlainObject, parseWrittenJson, type PlainObject } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';

/** A caller that makes more mistakes than this gets no second look. */
const MAX_CORRECTED_COUNT = 20;

type Refused = ResolvedInputOutcome & { readonly ok: false };

/**
 * One mistake hides others: what is under a misspelt name or in a wrapper is not checked. So refused arguments are
 * checked once more as they were surely meant, and the answer has what that finds as well.
 * @param argumentNodes what is meant has no more values: an object that was sent as text had not been counted
 */
export function checkAsMeant(
  args: PlainObject,
  refused: Refused,
  resolve: ResolveInput,
  argumentNodes: number,
): MaybePromise<ResolvedInputOutcome> {
  if (refused.issues.length > MAX_CORRECTED_COUNT) return refused;
  const issues = refused.issues.map((issue) => describeWrapper(args, issue));
  const meant = issues.reduce(correct, args);
  if (meant === args || hasMoreValues(meant, argumentNodes)) return refused;
  return thenMaybe(resolve(meant), (second) => ({
    ...refused,
    issues: Object.freeze(second.ok ? issues : joinIssues(issues, second.issues)),
  }));
}

/** Says of an unknown object that holds accepted fields where they belong. */
export function describeWrapper(args: PlainObject, issue: Issue): Issue {
  const { owner, value } = lookAt(args, issue);
  const wraps = isWrapper(owner, value, issue.accepted ?? []);
  return wraps ? { ...issue, expected: 'its fields one level higher, without it' } : issue;
}

/** Whether a value is an object with accepted fields that its owner does not have. */
export function isWrapper(
  owner: PlainObject,
  value: unknown,
  accepted: readonly string[],
): value is PlainObject {
  return (
    isPlainObject(value) &&
    accepted.some((name) => Object.hasOwn(value, name)) &&
    !Object.keys(value).some((name) => Object.hasOwn(owner, name))
  );
}

/** The arguments without one mistake; the same ones where it is not clear what was meant. */
function correct(args: PlainObject, issue: Issue): PlainObject {
  const { owner, name, value, above } = lookAt(args, issue);
  if (value === undefined) return args;
  const { suggestion, accepted = [], expected = '' } = issue;
  const { [name]: _wrong, ...others } = owner;
  if (issue.message === 'unknown field') {
    if (suggestion !== undefined && !Object.hasOwn(owner, suggestion)) {
      return replaceAt(args, above, { ...others, [suggestion]: value });
    }
    return isWrapper(owner, value, accepted) ? replaceAt(args, above, { ...others, ...value }) : args;
  }
  const inner = expected.includes(NOT_AS_TEXT) ? parseWrittenJson(value) : readSingle(value, expected);
  return isPlainObject(inner) || Array.isArray(inner) ? replaceAt(args, [...above, name], inner) : args;
}

interface Place {
  readonly above: readonly string[];
  readonly name: string;
  readonly owner: PlainObject;
  readonly value: unknown;
}

/** What an issue is about. The owner is empty where the value is the item of a list. */
function lookAt(args: PlainObject, { path }: Issue): Place {
  const above = path.split('.');
  const name = above.pop() ?? '';
  let owner: unknown = args;
  for (const segment of above) owner = memberOf(owner, segment);
  const value = memberOf(owner, name);
  return { above, name, owner: isPlainObject(owner) ? owner : {}, value };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as PlainObject)[name];
}

function readSingle(value: unknown, expected: string): unknown {
  if (!expected.startsWith('object') || !Array.isArray(value) || value.length !== 1) return undefined;
  const [single] = value as readonly unknown[];
  return isPlainObject(single) ? single : undefined;
}

/** A copy with another object or list at a path that exists. */
function replaceAt<T>(value: T, path: readonly string[], inner: object): T {
  const [name, ...rest] = path;
  if (name === undefined) return inner as T;
  const member = replaceAt(memberOf(value, name), rest, inner);
  if (!Array.isArray(value)) return { ...value, [name]: member };
  return value.map((item: unknown, index) => (String(index) === name ? member : item)) as T;
}
