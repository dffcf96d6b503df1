import { refuseOptions } from '../errors/option-errors.ts';
import type { ToolErrorFacts } from '../errors/tool-error.ts';
import { isPlainObject } from '../shared/json.ts';
import { encodeToon, TOON_RULES, type ToonOptions } from '../shared/toon.ts';
import { blockOf } from './content.ts';
import { failureResult } from './failure-result.ts';
import {
  brandResult,
  formatData,
  formatValue,
  jsonView,
  NOTHING_TO_SAY,
  textResult,
} from './handler-value.ts';
import type { CallToolResult, ContentBlock } from './results.ts';

/**
 * A successful result: a string as it is, any other value as JSON with two spaces of indent.
 * @throws ToolwrightError `TW_RESULT_NOT_DATA` for a value that JSON cannot carry.
 *
 * @example
 * return success({ id: 'task-1', title: 'Write the docs' });
 */
export function success(value: unknown): CallToolResult {
  return textResult(formatValue(value));
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
