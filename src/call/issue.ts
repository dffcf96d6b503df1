import { inspect } from '../shared/platform.ts';
import { boundFact } from './error-budget.ts';
import { suggestionFor } from '../shared/did-you-mean.ts';
import { describeExpected, describeForms } from '../schema/describe-expected.ts';
import { schemaAt, unionBranches, type PathSegment } from '../schema/schema-at.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject } from '../shared/json.ts';

/** One thing that is wrong with the input or output of a call. */
export interface Issue {
  /** Names joined with dots, array indices as numbers; empty for the whole value. */
  readonly path: string;
  /** What is wrong with the value, in a sentence. */
  readonly message: string;
  /** The type, the allowed values, the bound or the format. */
  readonly expected?: string;
  /** The JSON type and, for scalars, the value cut at 50 characters; `nothing` when missing. */
  readonly received?: string;
  /** The nearest accepted name, when a name was wrong. */
  readonly suggestion?: string;
  /** The fields that would have been accepted, when a field was unknown. */
  readonly accepted?: readonly string[];
  /** Further paths with the same problem, as many as there is room for. */
  readonly also?: readonly string[];
}

/** Something was thrown while a value was checked. It is for the log: the caller can do nothing about it. */
export interface CheckFailure {
  readonly error: unknown;
  /** Whose code threw: a rule of a DTO or schema, or what the framework made of them. */
  readonly by: 'rule' | 'framework';
}

/** The answer of a check: the value to use, or everything that is wrong. */
export type CheckOutcome<T = unknown> = { readonly failure?: CheckFailure | undefined } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] }
);

const LONGEST_QUOTE = 50;

/** Describes a received value for a caller that has to repair it. */
export function describeReceived(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  return `${typeof value} ${typeof value === 'string' ? quoteText(value) : cutText(inspect(value))}`;
}

/** A text of a caller in quotes, as messages show it. */
export function quoteText(text: string): string {
  return JSON.stringify(cutText(text));
}

/** At most 50 characters of a text. */
export function cutText(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** The issue of a field that nobody declared. */
export function unknownField(path: string, name: string, value: unknown, accepted: readonly string[]): Issue {
  return {
    path,
    message: 'unknown field',
    received: describeReceived(value),
    ...(accepted.length === 0 ? {} : { accepted }),
    ...suggestionFor(name, accepted),
  };
}

/** Further ones are not even made: a caller can send a hundred thousand mistakes in one request. */
export const MOST_MADE = 200;

/** The first issues, as many as are ever made; where issues are made one by one, no more are. */
export function firstIssues(issues: Iterable<Issue>): readonly Issue[] {
  const first: Issue[] = [];
  for (const issue of issues) {
    first.push(issue);
    if (first.length === MOST_MADE) break;
  }
  return first;
}

/** An input and its schema: issues say what the schema expected, and what came. */
export interface CheckedInput {
  readonly schema: JsonSchema;
  readonly input: unknown;
}

export function makeIssue(
  path: readonly PathSegment[],
  message: string,
  { schema, input }: CheckedInput,
): Issue {
  const value = valueAt(input, path);
  const expected = expectedAt(schema, path, { input, value });
  return {
    path: path.join('.'),
    // What quotes a whole value, or lists all that is allowed, would be sent for each of many values
    message: message === '' ? 'is not valid' : boundFact(message),
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
  const forms = branches !== undefined && isPlainObject(value) ? describeForms(branches) : undefined;
  const whole = branches === undefined ? schema : { ...schema, anyOf: branches };
  const expected = forms ?? describeExpected(whole);
  if (!isWrittenJson(value, [schema, ...(branches ?? [])])) return expected;
  return `${expected ?? 'JSON'} (${NOT_AS_TEXT})`;
}

/** What to do with a list or an object that came as text. */
export const NOT_AS_TEXT = 'send it as JSON, not as text';

const BRACKETS: Readonly<Record<string, string>> = { array: '[]', object: '{}' };

/** Whether a text looks like the list or object that was expected. */
function isWrittenJson(value: unknown, schemas: readonly JsonSchema[]): boolean {
  if (typeof value !== 'string' || value.length < 2) return false;
  const types = schemas.flatMap(({ type = [] }) => type);
  const written = value.trim();
  return (
    !types.includes('string') &&
    types.some((type) => BRACKETS[type] === `${written[0] ?? ''}${written.at(-1) ?? ''}`)
  );
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
