import { Buffer } from 'node:buffer';
import { withoutUndefined } from '../shared/json.ts';
import { MAX_LISTED, sayFurther } from '../shared/listing.ts';
import {
  cutToBytes,
  fitNames,
  jsonBytes,
  MAX_FACT_BYTES,
  MAX_ISSUE_BYTES,
  MAX_ISSUES_BYTES,
} from './error-budget.ts';
import { cutText, type Issue, MOST_MADE } from './issue.ts';

const MAX_ISSUES = 50;
const MAX_PATH_BYTES = 200;
/** A name, or what came. */
const MAX_WORD_BYTES = 120;
/** The names of the members of an issue, with their quotes. */
const ISSUE_OVERHEAD = 140;

/**
 * The issues that are shown, within the budget of an answer, and readable: a client chose the names in paths. Equal ones are
 * shown once, with the paths of the others.
 */
export function boundIssues(issues: readonly Issue[]): readonly Issue[] {
  return fitIssues(issues.map((issue) => ({ ...issue, path: visiblePath(issue.path) })));
}

/**
 * The issues that are shown, and as many of a second look as there is room for. What is wrong with a value says more than
 * that there is none at its path.
 */
export function joinIssues(shown: readonly Issue[], others: readonly Issue[]): readonly Issue[] {
  const found = new Map(others.map((issue) => [issue.path, issue]));
  const issues = shown.map((issue) =>
    issue.received === 'nothing' && issue.also === undefined ? (found.get(issue.path) ?? issue) : issue,
  );
  const known = new Set(shown.flatMap(({ path, also = [] }) => [path, ...also]));
  const further = others.filter(({ path }) => !known.has(path));
  let left = MAX_ISSUES_BYTES - issues.reduce((sum, issue) => sum + bytesSent(issue), 0);
  const isTooMuch = (issue: Issue): boolean => (left -= bytesSent(issue)) < 0;
  const end = further.findIndex(isTooMuch);
  return [...issues, ...(end < 0 ? further : further.slice(0, end))].slice(0, MAX_ISSUES);
}

const MAX_PATH_NAMES = 200;

function visiblePath(path: string): string {
  const shown = path.split('.', MAX_PATH_NAMES).map((name) => visibleText(name));
  return shown.join('.');
}

/** A name as one can read it: a client chose it, and what logs results would take its control characters as meant. */
function visibleText(text: string): string {
  // Control and format characters (such as those that turn the direction of text), line ends, lone surrogates
  return cutText(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** Issues that differ in the indexes of their paths alone. */
interface EqualIssues {
  readonly first: Issue;
  readonly paths: Set<string>;
  count: number;
}

/** Nobody repairs more than fifty problems at once. */
function fitIssues(issues: readonly Issue[]): readonly Issue[] {
  const isAll = issues.length < MOST_MADE;
  const shown: Issue[] = [];
  let left = MAX_ISSUES_BYTES;
  let further = issues.length;
  for (const equal of groupEqual(issues)) {
    const issue = boundIssue(equal, isAll);
    left -= bytesSent(issue);
    if (left < 0 || shown.length === MAX_ISSUES) break;
    shown.push(issue);
    further -= equal.count;
  }
  if (further === 0) return shown;
  const count = isAll ? String(further) : `at least ${String(further)}`;
  return [...shown, { path: '…', message: `and ${count} more problems of this kind` }];
}

function groupEqual(issues: readonly Issue[]): readonly EqualIssues[] {
  const groups = new Map<string, EqualIssues>();
  for (const issue of issues) {
    const place = issue.path.replace(/(^|\.)\d+(?=\.|$)/g, '$1#');
    const key = JSON.stringify([place, issue.message, issue.expected, issue.suggestion]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { first: issue, paths: new Set([issue.path]), count: 1 });
    else {
      known.paths.add(issue.path);
      known.count += 1;
    }
  }
  return [...groups.values()];
}

/** What comes first may take the most. */
function boundIssue({ first, paths }: EqualIssues, isAll: boolean): Issue {
  let room = MAX_ISSUE_BYTES - ISSUE_OVERHEAD;
  const fit = (text: string, most = room): string => {
    const cut = cutToBytes(text, Math.min(most, room));
    room -= jsonBytes(cut);
    return cut;
  };
  const fitOptional = (text: string | undefined, most?: number): string | undefined =>
    text === undefined ? undefined : fit(text, most);
  const [path, received] = [fit(first.path, MAX_PATH_BYTES), fitOptional(first.received, MAX_WORD_BYTES)];
  const suggestion = fitOptional(first.suggestion, MAX_WORD_BYTES);
  const message = fit(first.message, MAX_FACT_BYTES);
  const expected = fitOptional(first.expected, MAX_FACT_BYTES);
  const also = otherPaths([...paths].slice(1), room, isAll);
  const accepted = first.accepted && fitNames(first.accepted, room - jsonBytes(also.join('')));
  return withoutUndefined({
    path,
    message,
    expected,
    received,
    suggestion,
    accepted,
    also: also.length === 0 ? undefined : also,
  });
}

function otherPaths(paths: readonly string[], room: number, isAll: boolean): readonly string[] {
  const shown = fitNames(paths.slice(0, MAX_LISTED), Math.min(room / 2, MAX_FACT_BYTES));
  const known = shown.filter((path) => paths.includes(path));
  const further = paths.length - known.length;
  if (further === 0) return known;
  return [...known, isAll ? sayFurther(further) : sayFurther(further).replace('and', 'and at least')];
}

/** As a failed call sends an issue: in its message, which is sent twice, in a line of its own, and in `_meta`. */
function bytesSent(issue: Issue): number {
  const { path, message, ...facts } = issue;
  const json = Buffer.byteLength(JSON.stringify(issue));
  const line = Buffer.byteLength(JSON.stringify(facts)) + jsonBytes(path);
  return 2 * jsonBytes(`${path}: ${message}; `) + line + json;
}
