import type { ToolErrorFacts } from '../errors/tool-error.ts';
import type { CallToolResult } from './call-tool-result.ts';
import { jsonView } from './format-value.ts';
import { failureResult } from './failure-result.ts';

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
