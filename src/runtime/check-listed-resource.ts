import { annotationProblem } from '../call/check-content.ts';
import { describeReceived, type Issue } from '../call/issue.ts';
import { isObject, isPlainObject } from '../shared/json.ts';
import type { UriTemplate } from '../shared/uri-template.ts';

type Member = readonly [isRight: (value: unknown) => boolean, message: string];

const TEXT: Member = [(value) => typeof value === 'string', 'must be a string'];

const OPTIONAL: Readonly<Record<string, Member>> = {
  name: [(value) => typeof value === 'string' && value !== '', 'must be a string that is not empty'],
  title: TEXT,
  description: TEXT,
  mimeType: TEXT,
  size: [(value) => typeof value === 'number' && value >= 0, 'must be a number of bytes'],
  annotations: [isPlainObject, 'must be an object'],
};

/** What is wrong with one entry of a list; a client would refuse the whole list for it. */
export function listedResourceIssues(item: unknown, path: string, template: UriTemplate): readonly Issue[] {
  if (!isObject(item)) {
    return [issue(path, 'must be an object with a uri', item)];
  }
  const listed = item;
  const wrong = Object.entries(OPTIONAL)
    .filter(([name, [isRight]]) => listed[name] !== undefined && !isRight(listed[name]))
    .map(([name, [, message]]) => issue(`${path}.${name}`, message, listed[name]));
  return [...uriIssues(listed['uri'], path, template), ...wrong, ...annotationIssues(listed, path)];
}

function uriIssues(uri: unknown, path: string, template: UriTemplate): readonly Issue[] {
  if (typeof uri !== 'string') return [issue(`${path}.uri`, 'must be a string', uri)];
  return template.match(uri) === undefined
    ? [issue(`${path}.uri`, `does not match ${template.text}`, uri)]
    : [];
}

function annotationIssues(
  { annotations }: Readonly<Record<string, unknown>>,
  path: string,
): readonly Issue[] {
  const problem = isPlainObject(annotations) ? annotationProblem(annotations) : undefined;
  if (problem === undefined) return [];
  const { name, value, expected } = problem;
  return [issue(`${path}.annotations.${name}`, `must be ${expected}`, value)];
}

function issue(path: string, message: string, value: unknown): Issue {
  return { path, message, received: describeReceived(value) };
}
