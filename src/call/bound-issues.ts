import { cutText, type Issue } from './issue.ts';

const MOST_ISSUES = 50;
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

/** Keeps an answer short: nobody repairs more than fifty problems at once, and a path may be as long as a name. */
export function boundIssues(issues: readonly Issue[]): readonly Issue[] {
  const first = issues.slice(0, MOST_ISSUES).map((issue) => ({ ...issue, path: cutPath(issue.path) }));
  const further = issues.length - first.length;
  if (further === 0) return first;
  const count = issues.length < MOST_MADE ? String(further) : `at least ${String(further)}`;
  return [...first, { path: '…', message: `and ${count} more problems of this kind` }];
}

const LONGEST_PATH = 200;

function cutPath(path: string): string {
  const shown = path.split('.', LONGEST_PATH).map((name) => visibleText(name));
  return shown.join('.');
}

/** A name as one can read it: a client chose it, and what logs results would take its control characters as meant. */
export function visibleText(text: string): string {
  return cutText(text).replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** Control characters, format characters (such as those that turn the direction of text), line ends, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
