import { refuseOptions } from '../errors/option-errors.ts';
import type { ToolErrorFacts } from '../errors/tool-error.ts';
import { isPlainObject, withoutUndefined } from '../shared/json.ts';
import { encodeToon, TOON_RULES, type ToonOptions } from '../shared/toon.ts';
import { blockOf } from './content.ts';
import {
  brandResult,
  formatData,
  jsonResult,
  jsonView,
  NOTHING_TO_SAY,
  textResult,
} from './handler-value.ts';
import type { CallToolResult, ContentBlock } from './results.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import { askWhether } from '../shared/did-you-mean.ts';
import { boundDetails, boundFact, boundMessage, boundText, fitNames } from './error-budget.ts';
import type { Issue } from './issue.ts';

/**
 * A successful result: a string as it is, any other value as JSON with two spaces of indent.
 * @throws ToolwrightError `TW_RESULT_NOT_DATA` for a value that JSON cannot carry.
 *
 * @example
 * return success({ id: 'task-1', title: 'Write the docs' });
 */
export function success(value: unknown): CallToolResult {
  return jsonResult(value);
}

/**
 * A successful result as TOON, which costs fewer tokens than JSON for lists of alike rows.
 * The delimiter is `|` unless set.
 *
 * @throws ToolwrightError `TW_RESULT_NOT_DATA` for a value that JSON cannot carry, `TW_CONTENT_INVALID` for options that
 * it does not have.
 *
 * @example
 * return toonSuccess([{ id: 1, title: 'first' }, { id: 2, title: 'second' }]);
 */
export function toonSuccess(data: unknown, options: ToonOptions = {}): CallToolResult {
  refuseOptions('TW_CONTENT_INVALID', 'toonSuccess()', options, TOON_RULES);
  if (data === undefined || data === null || data === '') return textResult(NOTHING_TO_SAY);
  return textResult(typeof data === 'string' ? data : encodeToon(jsonView(data), options));
}

/**
 * A failed result with a message; its code is `FAILED`.
 *
 * @example
 * return error('The printer is out of paper');
 */
export function error(message: string): CallToolResult {
  return failureResult({ code: 'FAILED', message });
}

/**
 * A failed result with a code and facts that help the caller to repair the call.
 * Throw a `ToolError` instead to have the text begin with `[tool/action]`.
 *
 * @example
 * return toolError('ORDER_CLOSED', { message: 'The order is closed', suggestion: 'reopen it first' });
 */
export function toolError(
  code: string,
  { message, cause: _cause, details, ...facts }: ToolErrorFacts & { readonly message: string },
): CallToolResult {
  return failureResult({
    code,
    message,
    headline: `${code}: ${message}`,
    ...facts,
    details: jsonView(details),
  });
}

/** A failed result that names a field which the handler needs. */
export function required(field: string): CallToolResult {
  const message = `${field} is required`;
  return failureResult({
    code: 'MISSING_REQUIRED_FIELD',
    message,
    issues: [{ path: field, message: 'is required', received: 'nothing' }],
  });
}

/**
 * A result of several blocks; a string is a block of text.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID` for anything but blocks.
 * @example
 * return content('The chart of last week:', image('iVBORw0KGgo=', 'image/png'));
 */
export function content(...parts: readonly (ContentBlock | string)[]): CallToolResult {
  return brandResult({ content: parts.map((part) => blockOf('content', part)) });
}

/**
 * A result with `structuredContent`, and a text for clients that do not read it: JSON unless given.
 * A value that is not an object is sent as `{ result: value }`, because older clients accept objects only.
 *
 * @throws ToolwrightError `TW_RESULT_NOT_DATA` for a value that JSON cannot carry.
 * @example
 * return structured({ celsius: 21.5 }, 'It is 21.5 °C');
 */
export function structured(value: unknown, text?: string): CallToolResult {
  const view = jsonView(value ?? null);
  return brandResult({
    content: [{ type: 'text', text: text ?? formatData(view) }],
    structuredContent: isPlainObject(view) ? view : { result: view },
  });
}

/** The `_meta` key of an error result that carries the facts of its text for programs. */
export const ERROR_META_KEY = 'toolwright/error';

/** The facts of a failed call; what applies is in the text, and all of it under {@link ERROR_META_KEY}. */
interface Failure {
  readonly code: string;
  /** One line for the model; with `issues` left out, it is the first line of the text. */
  readonly message: string;
  /** The first line, where it is not the message alone. */
  readonly headline?: string;
  readonly tool?: string | undefined;
  readonly action?: string | undefined;
  readonly availableActions?: readonly string[] | undefined;
  readonly availableVersions?: readonly string[] | undefined;
  readonly availableTools?: readonly string[] | undefined;
  readonly expected?: string | undefined;
  readonly received?: string | undefined;
  readonly suggestion?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly details?: unknown;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** The id of the log record with the masked error. */
  readonly reference?: string | undefined;
  /** What the action takes, where no list says it. */
  readonly signature?: string | undefined;
}

/** An error result that a model can repair in one try: plain text, short, no stack trace. */
export function failureResult(failure: Failure): CallToolResult {
  const { headline = failure.message, ...facts } = failure;
  const retryAfter = isDelay(failure.retryAfter) ? failure.retryAfter : undefined;
  const bounded: Failure = { ...boundFacts(facts), retryAfter };
  // A copy, because the result is frozen and these lists may be the caller's own
  const twin = deepCopy(withoutUndefined(bounded));
  const lines = [boundMessage(headline), ...factLines(bounded)];
  const text = boundText(lines.join('\n'), { ...twin, details: undefined });
  return brandResult({
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { [ERROR_META_KEY]: twin },
  });
}

function boundFacts(failure: Failure): Failure {
  const fact = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : boundFact(text);
  const names = (list: readonly string[] | undefined): readonly string[] | undefined =>
    list && fitNames(list);
  return {
    ...failure,
    code: boundFact(failure.code),
    message: boundMessage(failure.message),
    availableActions: names(failure.availableActions),
    availableVersions: names(failure.availableVersions),
    availableTools: names(failure.availableTools),
    expected: fact(failure.expected),
    received: fact(failure.received),
    suggestion: fact(failure.suggestion),
    signature: fact(failure.signature),
    details: boundDetails(failure.details),
  };
}

/** A message with the names to choose from. */
export function withAvailable(message: string, names: readonly string[]): string {
  return `${message}. ${names.length === 0 ? 'None is available' : `Available: ${fitNames(names).join(', ')}`}`;
}

function factLines(failure: Failure): readonly string[] {
  const lines = [`Code: ${failure.code}`];
  for (const issue of failure.issues ?? []) lines.push(...issueLines(issue, failure.message));
  const add = (label: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push(`${label}: ${value}`);
  };
  for (const [label, names] of acceptedFields(failure.issues)) add(label, names);
  add('Expected', failure.expected);
  add('Received', failure.received);
  add(isName(failure) ? 'Did you mean' : 'Suggestion', failure.suggestion);
  add('Available actions', failure.availableActions?.join(', '));
  add('Available versions', failure.availableVersions?.join(', '));
  add('Available tools', failure.availableTools?.join(', '));
  add('Details', failure.details === undefined ? undefined : JSON.stringify(failure.details));
  add('Retry after', failure.retryAfter === undefined ? undefined : `${String(failure.retryAfter)} s`);
  add('Signature', failure.signature);
  return lines;
}

function issueLines(issue: Issue, told: string): readonly string[] {
  const isNews =
    issue.suggestion === undefined && issue.expected === undefined && !told.includes(issue.message);
  const facts = [
    isNews ? issue.message : undefined,
    issue.expected === undefined ? undefined : `expected ${issue.expected}`,
    issue.received === undefined ? undefined : `received ${issue.received}`,
    issue.suggestion === undefined ? undefined : askWhether(issue.suggestion),
    issue.also === undefined ? undefined : `also at ${issue.also.join(', ')}`,
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? [] : [`- ${issue.path === '' ? '(value)' : issue.path}: ${facts.join('; ')}`];
}

/** The fields of each object that has unknown ones; of objects with the same fields, the first one stands for all. */
function acceptedFields(issues: readonly Issue[] | undefined): readonly (readonly [string, string])[] {
  const labels = new Map<string, string>();
  for (const { path, accepted } of issues ?? []) {
    if (accepted === undefined) continue;
    const names = accepted.length === 0 ? 'none' : accepted.join(', ');
    const owner = path.slice(0, Math.max(0, path.lastIndexOf('.')));
    if (!labels.has(names))
      labels.set(names, owner === '' ? 'Accepted fields' : `Accepted fields of ${owner}`);
  }
  return [...labels].map(([names, label]) => [label, names]);
}

/** True for a suggestion that is one of the names to choose from, and not an advice in words. */
function isName({ suggestion = '', availableActions, availableTools }: Failure): boolean {
  return [availableActions, availableTools].some((names) => names?.includes(suggestion) === true);
}

function isDelay(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}
