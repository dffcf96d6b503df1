import type { CallToolResult } from '../call/results.ts';
import { thenMaybe, type MaybePromise } from '../shared/maybe-promise.ts';
import { failureResult, withAvailable } from '../call/failure-result.ts';
import { describeReceived, quoteText, type Issue } from '../call/issue.ts';
import type { ActionDefinition, CompiledTool } from '../compile/tools/compiled-tool.ts';
import { nearestName } from '../shared/did-you-mean.ts';
import { hasMoreValues, isObject, type PlainObject } from '../shared/json.ts';
import { chooseVersion } from './choose-version.ts';
import { resultOf, type Outcome } from './outcome.ts';
import type { RouteOptions } from './route-options.ts';
import { runAction } from './run-action.ts';
import { addVersionMeta } from './tell-version.ts';

/**
 * Routes one call to its action. It never rejects and never throws: every failure is an outcome.
 * `context` reaches the handler as it is; `asked` is what the call says of versions, unchecked.
 */
export function routeCall(
  tool: CompiledTool,
  args: unknown,
  context: unknown,
  options: RouteOptions,
  asked?: unknown,
): MaybePromise<Outcome> {
  const input = args === undefined ? {} : args;
  if (!isObject(input)) return resultOf(argumentsNotAnObject(tool, input));
  const found = findAction(tool, input);
  if ('content' in found) return resultOf(found);
  if (hasMoreValues(input, options.argumentNodes)) {
    return resultOf(tooManyValues(tool, found, options.argumentNodes));
  }
  if (tool.versions === undefined && asked === undefined) {
    return runAction(tool, found, input, context, options);
  }
  const chosen = chooseVersion(tool, found, asked);
  if ('content' in chosen) return resultOf(chosen);
  return thenMaybe(runAction(tool, chosen, input, context, options), (outcome) =>
    addVersionMeta(outcome, chosen),
  );
}

/** The action that a call names, in the version that it would run; undefined if it names none. */
export function actionOf(tool: CompiledTool, args: unknown, asked: unknown): ActionDefinition | undefined {
  const found = findAction(tool, isObject(args) ? args : {});
  if ('content' in found) return undefined;
  const chosen = chooseVersion(tool, found, asked);
  return 'content' in chosen ? undefined : chosen;
}

/** The action that the discriminator names, or the error result that says which ones there are. */
function findAction(tool: CompiledTool, args: PlainObject): ActionDefinition | CallToolResult {
  const { discriminator } = tool;
  if (discriminator === undefined) return tool.actions[0] as ActionDefinition;
  const key = Object.hasOwn(args, discriminator) ? args[discriminator] : undefined;
  if (key === undefined || key === null || key === '') return discriminatorMissing(tool, discriminator, args);
  if (typeof key !== 'string') return discriminatorInvalid(tool, discriminator, key);
  return tool.byKey.get(key) ?? unknownAction(tool, key);
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

function tooManyValues(tool: CompiledTool, { key }: ActionDefinition, most: number): CallToolResult {
  return failureResult({
    code: 'INVALID_ARGUMENTS',
    message: `The arguments consist of more than ${String(most)} values: send fewer at a time`,
    tool: tool.name,
    action: key,
    expected: `at most ${String(most)} values, those in objects and lists included`,
  });
}

function discriminatorMissing(tool: CompiledTool, discriminator: string, args: PlainObject): CallToolResult {
  const availableActions = keysOf(tool);
  // Some are enough: a call may have a million names, and a misspelt one comes early
  const unknown = Object.keys(args)
    .slice(0, 100)
    .filter((name) => !isField(tool, name));
  const misspelt = nearestName(discriminator, unknown);
  const message = `${discriminator} is required`;
  return failureResult({
    code: 'MISSING_DISCRIMINATOR',
    message,
    headline: withAvailable(message, availableActions),
    tool: tool.name,
    availableActions,
    ...(misspelt === undefined ? {} : { issues: [misspeltName(misspelt, discriminator)] }),
  });
}

function isField({ definition }: CompiledTool, name: string): boolean {
  return Object.hasOwn(definition.inputSchema.properties ?? {}, name);
}

function misspeltName(path: string, suggestion: string): Issue {
  return { path, message: 'unknown field', suggestion };
}

function discriminatorInvalid(tool: CompiledTool, discriminator: string, key: unknown): CallToolResult {
  const availableActions = keysOf(tool);
  const message = `${discriminator} must be a string`;
  return failureResult({
    code: 'INVALID_DISCRIMINATOR',
    message,
    headline: withAvailable(message, availableActions),
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
    headline: withAvailable(message, availableActions),
    tool: tool.name,
    suggestion: nearestName(key, availableActions),
    availableActions,
  });
}

function keysOf(tool: CompiledTool): readonly string[] {
  return tool.actions.map((action) => action.key);
}
