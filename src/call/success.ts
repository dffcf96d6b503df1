import { refuseOptions } from '../errors/option-errors.ts';
import { encodeToon, TOON_RULES, type ToonOptions } from '../shared/toon.ts';
import type { CallToolResult } from './call-tool-result.ts';
import { formatValue, jsonView, NOTHING_TO_SAY } from './format-value.ts';
import { textResult } from './made-result.ts';

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
