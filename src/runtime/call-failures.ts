import type { CallToolResult } from '../call/results.ts';
import { failureResult, withAvailable } from '../call/failure-result.ts';
import { cutText, describeReceived, quoteText, type Issue } from '../call/issue.ts';
import type { ProtocolError } from '../call/protocol-error.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import type { ActionDefinition, CompiledTool } from '../compile/tools/compiled-tool.ts';
import { nearestName } from '../shared/did-you-mean.ts';
import { describeIssues, failureFacts, validationMessage, withoutReceived } from './failure-facts.ts';
import { failureOf, type Outcome } from './outcome.ts';
import { sendableError } from './protocol-failures.ts';
import type { RouteOptions } from './route-options.ts';

/** The result of a call whose input is wrong: every problem, each with what would have been right. */
export function invalidInput(
  tool: CompiledTool,
  action: ActionDefinition,
  issues: readonly Issue[],
): CallToolResult {
  const message = validationMessage(issues);
  return failureResult({ code: 'VALIDATION_FAILED', message, ...placeOf(tool, action), issues });
}

/** The result of a handler that broke its own declaration. */
export function invalidOutput(
  tool: CompiledTool,
  action: ActionDefinition,
  found: readonly Issue[],
  { logger }: RouteOptions,
): CallToolResult {
  const message = `${tool.name}/${action.key} returned what its declared output does not allow`;
  logger.log({ level: 'error', event: 'call.invalid-output', message, issues: found });
  const issues = withoutReceived(found);
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
  const place = { label: `${tool.name}/${action.key}`, noun: 'action' } as const;
  return failedAt(tool, action, failureFacts(thrown, place, context, options));
}

/** The outcome of a JSON-RPC error that user code made: a call inside the process gets a result in its place. */
export function declaredError(tool: CompiledTool, action: ActionDefinition, thrown: ProtocolError): Outcome {
  const result = failedAt(tool, action, { code: 'INTERNAL_ERROR', message: thrown.message });
  return failureOf(sendableError(thrown), result);
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

/** The result of a call that was cancelled before anything of it ran. */
export function cancelledResult(tool: string): CallToolResult {
  const message = 'The call was cancelled';
  return failureResult({ code: 'CANCELLED', message, headline: `[${tool}] ${message}`, tool });
}

/** The result of a call to a tool that does not exist, or that a filter hides: the two look alike. */
export function unknownTool(given: unknown, available: readonly string[]): CallToolResult {
  const name = typeof given === 'string' ? given : describeReceived(given);
  const message = `Unknown tool ${quoteText(name)}`;
  return failureResult({
    code: 'UNKNOWN_TOOL',
    message,
    headline: withAvailable(message, available),
    tool: cutText(name),
    suggestion: nearestName(name, available),
    availableTools: available,
  });
}

/** The result of executing a builder that cannot be built. */
export function unbuildable(tool: string, thrown: unknown): CallToolResult {
  const message = thrownMessage(thrown);
  return failureResult({ code: 'INTERNAL_ERROR', message, headline: `[${tool}] ${message}`, tool });
}

/** The result of a call whose context could not be made. */
export function contextFailed(tool: string, thrown: unknown, options: RouteOptions): CallToolResult {
  const place = { label: `the context of ${tool}`, noun: 'action' } as const;
  const { message, reference } = failureFacts(thrown, place, undefined, options);
  return failureResult({
    code: 'CONTEXT_FAILED',
    message,
    headline: `[${tool}] ${message}`,
    tool,
    reference,
  });
}

/** The result of a fault of the framework itself; the log has it whole. */
export function brokenCall(tool: string, thrown: unknown, options: RouteOptions): CallToolResult {
  const place = { label: tool, noun: 'action' } as const;
  const { code, message, reference } = failureFacts(thrown, place, undefined, options);
  return failureResult({ code, message, headline: `[${tool}] ${message}`, tool, reference });
}
