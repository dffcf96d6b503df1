import { cutText, type Issue } from './issue.ts';

const MOST_ISSUES = 50;

/** Keeps an answer short: nobody repairs more than fifty problems at once, and a path may be as long as a name. */
export function boundIssues(issues: readonly Issue[]): readonly Issue[] {
  const first = issues.slice(0, MOST_ISSUES).map((issue) => ({ ...issue, path: cutPath(issue.path) }));
  const further = issues.length - first.length;
  if (further === 0) return first;
  return [...first, { path: '…', message: `and ${String(further)} more problems of this kind` }];
}

function cutPath(path: string): string {
  return path.split('.').map(cutText).join('.');
}
