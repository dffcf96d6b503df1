import { boundIssues, joinIssues } from '../../call/bounded-issues.ts';
import type { CallToolResult } from '../../call/results.ts';
import { failureResult, withAvailable } from '../../call/result-helpers.ts';
import { type Issue, cutText, describeReceived, NOT_AS_TEXT, quoteText } from '../../call/issue.ts';
import type { ProtocolError } from '../../call/protocol-error.ts';
import { thrownMessage } from '../../call/thrown-message.ts';
import type { ActionDefinition, CompiledTool } from '../../compile/tools/compiled-tool.ts';
import { REDACTED, type SensitiveValues } from '../../errors/redact.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { loggerOfCall } from '../logging/log-records.ts';
import type { SecretSource } from '../logging/call-secrets.ts';
import type { RouteOptions } from '../routes/route-options.ts';
import {
  describeIssues,
  failureFacts,
  shownIssues,
  validationMessage,
  withoutReceived,
} from '../failures/failure-facts.ts';
import { failureOf, type Outcome, resultOf } from '../../kernel/call/outcome.ts';
import { sendableError } from '../failures/protocol-failures.ts';
import type { Constraint } from '../../version/constraint.ts';
import { nearestName } from '../../shared/did-you-mean.ts';
import { withoutUndefined, type PlainObject } from '../../shared/json.ts';
import { describeWrapper } from '../../compile/stages/as-meant.ts';
import { findFurtherIssues, findMeantAction, unknownNames, type MeantAction } from './meant-action.ts';
import { wrongParam } from '../../kernel/call/request-params.ts';

/** How the arguments of an action came that are a part of those that were sent. */
export interface CarriedArguments {
  /** The argument that has them. */
  readonly field: string;
  /** What the action takes: no list said it. */
  readonly signature: string;
}

/** The result of a call whose input is wrong: every problem, each with what would have been right. */
export function invalidInput(
  tool: CompiledTool,
  action: ActionDefinition,
  given: readonly Issue[],
  carried?: CarriedArguments,
): CallToolResult {
  const issues = carried === undefined ? given : given.map((issue) => issueBelow(carried.field, issue));
  const message = validationMessage(issues);
  const { signature } = carried ?? {};
  return failureResult({ code: 'VALIDATION_FAILED', message, ...placeOf(tool, action), issues, signature });
}

function issueBelow(field: string, { path, also, ...issue }: Issue): Issue {
  const below = (name: string): string => [field, name].filter((each) => each !== '').join('.');
  return { ...issue, path: below(path), ...(also === undefined ? {} : { also: also.map(below) }) };
}

/** Answers what a call would be refused with. The handler, its middleware and its policies for calls do not run. */
export function checkAction(
  tool: CompiledTool,
  action: ActionDefinition,
  carried: CarriedArguments | undefined,
): Handle {
  return ({ args }) =>
    thenMaybe(action.resolveInput(args), (outcome) =>
      resultOf(outcome.ok ? { content: [] } : invalidInput(tool, action, outcome.issues, carried)),
    );
}

/** The result of a handler that broke its own declaration. */
export function invalidOutput(
  tool: CompiledTool,
  action: ActionDefinition,
  given: readonly Issue[],
  call: SecretSource,
  options: RouteOptions,
): CallToolResult {
  const found = shownIssues(given, call, options);
  const message = `${tool.name}/${action.key} returned what its declared output does not allow`;
  loggerOfCall(call, options).log({ level: 'error', event: 'call.invalid-output', message, issues: found });
  const issues = withoutReceived(found);
  return failedAt(tool, action, { code: 'INVALID_OUTPUT', message: describeIssues(issues), issues });
}

/** The result of a throw in a handler, a middleware, a request-scoped provider or the conversion. */
export function failedCall(
  tool: CompiledTool,
  action: ActionDefinition,
  thrown: unknown,
  { call, context }: { readonly call: SecretSource; readonly context: unknown },
  options: RouteOptions,
): CallToolResult {
  const place = { label: `${tool.name}/${action.key}`, noun: 'action', call } as const;
  return failedAt(tool, action, failureFacts(thrown, place, context, options));
}

/** The outcome of a JSON-RPC error that user code made: a call inside the process gets a result in its place. */
export function declaredError(
  tool: CompiledTool,
  action: ActionDefinition,
  thrown: ProtocolError,
  values: SensitiveValues,
): Outcome {
  const error = sendableError(thrown, values);
  return failureOf(error, failedAt(tool, action, { code: 'INTERNAL_ERROR', message: error.message }));
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
export function cancelledResult(tool: CompiledTool, action: ActionDefinition): CallToolResult {
  return failedAt(tool, action, { code: 'CANCELLED', message: 'The call was cancelled' });
}

/** The result of executing a builder that cannot be built. */
export function unbuildable(tool: string, thrown: unknown): CallToolResult {
  const message = thrownMessage(thrown);
  return failureResult({ code: 'INTERNAL_ERROR', message, headline: `[${tool}] ${message}`, tool });
}

/** The result of a call whose context could not be made. */
export function contextFailed(call: Call, thrown: unknown, options: RouteOptions): CallToolResult {
  const tool = String(call.params['name']);
  const place = { label: `the context of ${tool}`, noun: 'action', call } as const;
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
export function brokenCall(
  tool: string,
  thrown: unknown,
  call: SecretSource | undefined,
  options: RouteOptions,
): CallToolResult {
  const place = { label: tool, noun: 'action', call } as const;
  const { code, message, reference } = failureFacts(thrown, place, undefined, options);
  return failureResult({ code, message, headline: `[${tool}] ${message}`, tool, reference });
}

/** Answers a call that names no tool, or brings no arguments. */
export function explainCall(
  name: unknown,
  tool: CompiledTool | undefined,
  args: unknown,
  names: readonly string[],
): Outcome {
  if (typeof name !== 'string') {
    return failureOf(wrongParam('name', 'a string', name), unknownTool(describeReceived(name), names));
  }
  return resultOf(tool === undefined ? unknownTool(name, names) : argumentsNotAnObject(tool, args));
}

/** Whether a call says which action it wants. */
export function namesAction({ discriminator = '' }: CompiledTool, args: PlainObject): boolean {
  return Object.hasOwn(args, discriminator) && typeof args[discriminator] === 'string';
}

/**
 * Answers a call that names no action, or one that there is not.
 * @param elsewhere the name of a tool that has the action, where the caller may call that one
 * @param isSmall whether the arguments are few enough to be looked at
 */
export function explainAction(
  tool: CompiledTool,
  args: PlainObject,
  elsewhere: string | undefined,
  isSmall: boolean,
): MaybePromise<Outcome> {
  const meant = isSmall && elsewhere === undefined ? findMeantAction(tool, args) : undefined;
  const issues = meant === undefined ? [] : findFurtherIssues(meant);
  return thenMaybe(issues, (further) => resultOf(actionFailure(tool, args, { elsewhere, meant, further })));
}

/** What is known of a call that names no action of its tool. */
interface UnnamedAction {
  readonly elsewhere: string | undefined;
  readonly meant: MeantAction | undefined;
  /** What else is wrong with it. */
  readonly further: readonly Issue[];
}

function actionFailure(tool: CompiledTool, args: PlainObject, call: UnnamedAction): CallToolResult {
  const { discriminator = '' } = tool;
  const key = Object.hasOwn(args, discriminator) ? args[discriminator] : undefined;
  if (key === undefined || key === null || key === '') return discriminatorMissing(tool, args, call);
  return typeof key === 'string'
    ? unknownAction(tool, key, call)
    : discriminatorInvalid(tool, discriminator, key, call);
}

/** Answers a call whose arguments are too many to be looked at. */
export function tooManyValues(tool: CompiledTool, { key }: ActionDefinition, most: number): Outcome {
  return resultOf(
    failureResult({
      code: 'INVALID_ARGUMENTS',
      message: `The arguments consist of more than ${String(most)} values: send fewer at a time`,
      tool: tool.name,
      action: key,
      expected: `at most ${String(most)} values, those in objects and lists included`,
    }),
  );
}

/** The result of a call to a tool that does not exist, or that a filter hides: the two look alike. */
function unknownTool(name: string, available: readonly string[]): CallToolResult {
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

function argumentsNotAnObject(tool: CompiledTool, received: unknown): CallToolResult {
  return failureResult({
    code: 'INVALID_ARGUMENTS',
    message: 'Arguments must be an object',
    tool: tool.name,
    expected: typeof received === 'string' ? `object (${NOT_AS_TEXT})` : 'object',
    // A text may be all arguments as JSON
    received: tool.actions.some((action) => action.sensitive !== undefined)
      ? REDACTED
      : describeReceived(received),
  });
}

function discriminatorMissing(
  tool: CompiledTool,
  args: PlainObject,
  { meant, further }: UnnamedAction,
): CallToolResult {
  const { discriminator = '' } = tool;
  const availableActions = keysOf(tool);
  const message = `${discriminator} is required`;
  const issues = joinIssues(boundIssues(misplacedAction(tool, args)), further);
  return failureResult({
    code: 'MISSING_DISCRIMINATOR',
    message,
    headline: withAvailable(message, availableActions),
    tool: tool.name,
    availableActions,
    suggestion: meant?.action.key,
    ...(issues.length === 0 ? {} : { issues }),
  });
}

/** The field that has the action under a misspelt name, or that is around all others. */
function misplacedAction(tool: CompiledTool, args: PlainObject): readonly Issue[] {
  const { discriminator = '' } = tool;
  const unknown = unknownNames(tool, args);
  const suggestion = nearestName(discriminator, unknown);
  if (suggestion !== undefined) {
    return [{ path: suggestion, message: 'unknown field', suggestion: discriminator }];
  }
  const issues = unknown.map((path) => ({ path, message: 'unknown field', accepted: [discriminator] }));
  const wrapper = issues.map((issue) => describeWrapper(args, issue)).find(({ expected }) => expected);
  return wrapper === undefined ? [] : [withoutUndefined({ ...wrapper, accepted: undefined })];
}

function discriminatorInvalid(
  tool: CompiledTool,
  discriminator: string,
  key: unknown,
  { meant, further }: UnnamedAction,
): CallToolResult {
  const availableActions = keysOf(tool);
  const message = `${discriminator} must be a string`;
  return failureResult({
    code: 'INVALID_DISCRIMINATOR',
    message,
    headline: withAvailable(message, availableActions),
    tool: tool.name,
    expected: 'string',
    received: describeReceived(key),
    suggestion: meant?.action.key,
    availableActions,
    ...(further.length === 0 ? {} : { issues: further }),
  });
}

function unknownAction(
  tool: CompiledTool,
  key: string,
  { elsewhere, further }: UnnamedAction,
): CallToolResult {
  const availableActions = keysOf(tool);
  const hint = elsewhere === undefined ? '' : `. Did you mean ${elsewhere}: ${key}?`;
  const message = `Unknown action ${quoteText(key)}${hint}`;
  return failureResult({
    code: 'UNKNOWN_ACTION',
    message,
    headline: withAvailable(message, availableActions),
    tool: tool.name,
    suggestion: nearestName(key, availableActions),
    availableActions,
    ...(further.length === 0 ? {} : { issues: further }),
  });
}

function keysOf(tool: CompiledTool): readonly string[] {
  return tool.actions.map((action) => action.key);
}

/** The result of a call whose range of versions cannot be read. */
export function constraintInvalid(
  tool: CompiledTool,
  { key }: ActionDefinition,
  message: string,
  received: unknown,
): CallToolResult {
  return failureResult({
    code: 'VERSION_CONSTRAINT_INVALID',
    message,
    tool: tool.name,
    action: key,
    expected: 'an npm range, such as ^1.2.0',
    received: describeReceived(received),
  });
}

/** The result of a call that wants a version that its action does not have. */
export function versionUnavailable(
  tool: CompiledTool,
  { key }: ActionDefinition,
  { raw }: Constraint,
  versions: readonly ActionDefinition[],
): CallToolResult {
  const availableVersions = versions.flatMap(({ version }) => (version === undefined ? [] : [version]));
  const message =
    availableVersions.length === 0 ? `${key} has no versions` : `${key} has no version in the range "${raw}"`;
  return failureResult({
    code: 'VERSION_UNAVAILABLE',
    message,
    tool: tool.name,
    action: key,
    availableVersions,
  });
}
