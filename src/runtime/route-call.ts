import type { CallToolResult } from '../call/call-tool-result.ts';
import { andThen, type Eventual } from '../call/eventual.ts';
import { failureResult } from '../call/failure-result.ts';
import { describeReceived, quoteText } from '../call/issue.ts';
import type { ActionDefinition, CompiledTool } from '../compile/compiled-tool.ts';
import { nearestName } from '../shared/did-you-mean.ts';
import type { PlainObject } from '../shared/json.ts';
import { chooseVersion } from './choose-version.ts';
import type { RouteOptions } from './route-options.ts';
import { runAction } from './run-action.ts';
import { tellVersion } from './tell-version.ts';

/**
 * Routes one call to its action. It never rejects and never throws: every failure is a result.
 * `context` reaches the handler as it is; `asked` is what the call says of versions, unchecked.
 */
export function routeCall(
  tool: CompiledTool,
  args: unknown,
  context: unknown,
  options: RouteOptions,
  asked?: unknown,
): Eventual<CallToolResult> {
  const input = args === undefined ? {} : args;
  if (!isArguments(input)) return argumentsNotAnObject(tool, input);
  const found = findAction(tool, input);
  if ('content' in found) return found;
  if (tool.versions === undefined && asked === undefined) {
    return runAction(tool, found, input, context, options);
  }
  const chosen = chooseVersion(tool, found, asked);
  if ('content' in chosen) return chosen;
  return andThen(runAction(tool, chosen, input, context, options), (result) => tellVersion(result, chosen));
}

function isArguments(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The action that a call names, in the version that it would run; undefined if it names none. */
export function actionOf(tool: CompiledTool, args: unknown, asked: unknown): ActionDefinition | undefined {
  const found = findAction(tool, isArguments(args) ? args : {});
  if ('content' in found) return undefined;
  const chosen = chooseVersion(tool, found, asked);
  return 'content' in chosen ? undefined : chosen;
}

/** The action that the discriminator names, or the error result that says which ones there are. */
function findAction(tool: CompiledTool, args: PlainObject): ActionDefinition | CallToolResult {
  const { discriminator } = tool;
  if (discriminator === undefined) return tool.actions[0] as ActionDefinition;
  const key = Object.hasOwn(args, discriminator) ? args[discriminator] : undefined;
  if (key === undefined || key === null || key === '') return discriminatorMissing(tool, discriminator);
  if (typeof key !== 'string') return discriminatorInvalid(tool, discriminator, key);
  return tool.find(key) ?? unknownAction(tool, key);
}

function argumentsNotAnObject(tool: CompiledTool, received: unknown): CallToolResult {
  return failureResult({
    code: 'INVALID_ARGUMENTS',
    message: 'Arguments must be an object',
    tool: tool.name,
    expected: 'object',
    received: describeReceived(received),
  });
}

function discriminatorMissing(tool: CompiledTool, discriminator: string): CallToolResult {
  const availableActions = keysOf(tool);
  const message = `${discriminator} is required`;
  return failureResult({
    code: 'MISSING_DISCRIMINATOR',
    message,
    headline: `${message}. Available: ${availableActions.join(', ')}`,
    tool: tool.name,
    availableActions,
  });
}

function discriminatorInvalid(tool: CompiledTool, discriminator: string, key: unknown): CallToolResult {
  const availableActions = keysOf(tool);
  const message = `${discriminator} must be a string`;
  return failureResult({
    code: 'INVALID_DISCRIMINATOR',
    message,
    headline: `${message}. Available: ${availableActions.join(', ')}`,
    tool: tool.name,
    expected: 'string',
    received: describeReceived(key),
    availableActions,
  });
}

function unknownAction(tool: CompiledTool, key: string): CallToolResult {
  const availableActions = keysOf(tool);
  const message = `Unknown action ${quoteText(key)}`;
  return failureResult({
    code: 'UNKNOWN_ACTION',
    message,
    headline: `${message}. Available: ${availableActions.join(', ')}`,
    tool: tool.name,
    suggestion: nearestName(key, availableActions),
    availableActions,
  });
}

function keysOf(tool: CompiledTool): readonly string[] {
  return tool.actions.map((action) => action.key);
}
