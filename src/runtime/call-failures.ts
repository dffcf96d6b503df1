import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '../call/call-tool-result.ts';
import { failureResult } from '../call/failure-result.ts';
import { jsonView } from '../call/format-value.ts';
import type { Issue } from '../call/issue.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import type { ActionDefinition, CompiledTool } from '../compile/compiled-tool.ts';
import { ToolError } from '../errors/tool-error.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { nearestName } from '../shared/did-you-mean.ts';
import type { RouteOptions } from './route-options.ts';

/** The result of a call whose input is wrong: every problem, each with what would have been right. */
export function invalidInput(
  tool: CompiledTool,
  action: ActionDefinition,
  issues: readonly Issue[],
): CallToolResult {
  const message = `Validation failed: ${describeIssues(issues)}`;
  return failureResult({ code: 'VALIDATION_FAILED', message, ...placeOf(tool, action), issues });
}

/** The result of a handler that broke its own declaration. */
export function invalidOutput(
  tool: CompiledTool,
  action: ActionDefinition,
  issues: readonly Issue[],
): CallToolResult {
  return failedAt(tool, action, { code: 'INVALID_OUTPUT', message: describeIssues(issues), issues });
}

/** The result of a throw in a handler, a middleware, a request-scoped provider or the conversion. */
export function failedCall(
  tool: CompiledTool,
  action: ActionDefinition,
  thrown: unknown,
  context: unknown,
  options: RouteOptions,
): CallToolResult {
  if (ToolError.is(thrown)) return declaredFailure(tool, action, thrown);
  if (isAborted(context)) {
    return failedAt(tool, action, { code: 'CANCELLED', message: 'The call was cancelled' });
  }
  const message = thrownMessage(userError(thrown));
  const reference = options.maskErrors ? randomUUID() : undefined;
  options.logger?.log({
    level: 'error',
    event: 'call.failed',
    message: `${tool.name}/${action.key} failed: ${message}`,
    error: thrown,
    ...(reference === undefined ? {} : { reference }),
  });
  const told = reference === undefined ? message : `The action failed. Reference: ${reference}`;
  return failedAt(tool, action, { code: 'INTERNAL_ERROR', message: told, reference });
}

/** What user code threw: a failing provider comes wrapped in a message for developers, with a fix. */
function userError(thrown: unknown): unknown {
  return ToolwrightError.is(thrown) && thrown.cause !== undefined ? thrown.cause : thrown;
}

function declaredFailure(tool: CompiledTool, action: ActionDefinition, thrown: ToolError): CallToolResult {
  const { details, ...facts } = thrown.facts;
  return failedAt(tool, action, {
    code: thrown.code,
    message: thrown.message,
    ...facts,
    details: sendable(details),
  });
}

/** Details that JSON cannot carry must not turn the declared error into another one. */
function sendable(details: unknown): unknown {
  try {
    return jsonView(details);
  } catch {
    return undefined;
  }
}

function failedAt(
  tool: CompiledTool,
  action: ActionDefinition,
  failure: Omit<Parameters<typeof failureResult>[0], 'headline' | 'tool' | 'action'>,
): CallToolResult {
  const headline = `[${tool.name}/${action.key}] ${failure.message}`;
  return failureResult({ ...failure, headline, ...placeOf(tool, action) });
}

function placeOf(
  tool: CompiledTool,
  action: ActionDefinition,
): { readonly tool: string; readonly action: string } {
  return { tool: tool.name, action: action.key };
}

function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path === '' ? '(value)' : path}: ${message}`).join('; ');
}

function isAborted(context: unknown): boolean {
  const signal = (context as { readonly signal?: AbortSignal } | null | undefined)?.signal;
  return signal instanceof AbortSignal && signal.aborted;
}

/** The result of a call to a tool that does not exist, or that a filter hides: the two look alike. */
export function unknownTool(name: string, available: readonly string[]): CallToolResult {
  const message = `Unknown tool ${JSON.stringify(name)}`;
  return failureResult({
    code: 'UNKNOWN_TOOL',
    message,
    headline: `${message}. Available: ${available.join(', ')}`,
    tool: name,
    suggestion: nearestName(name, available),
    availableTools: available,
  });
}
