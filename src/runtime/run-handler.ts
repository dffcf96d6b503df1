import { thenMaybe, toMaybePromise, catchMaybe, type MaybePromise } from '../shared/maybe-promise.ts';
import type { CheckFailure, Issue } from '../call/issue.ts';
import type { MiddlewareCall } from '../call/middleware.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import type { ToolContext } from '../call/tool-context.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { CompiledHandler, HandlerCall, ResolvedInput } from '../compile/handler-call.ts';
import type { CallScope } from '../container/instance-resolver.ts';
import type { PlainObject } from '../shared/json.ts';
import type { RouteOptions } from './route-options.ts';
import { runWithin, type LimitedCall } from './run-within.ts';

/** What a call is told of itself. */
export type CallPlace = Pick<MiddlewareCall, 'kind' | 'tool' | 'action' | 'version' | 'name'>;

/** What every kind of handler is run with. */
export interface HandlerRun<Result> extends LimitedCall {
  readonly place: CallPlace;
  readonly args: PlainObject;
  /** Turns the value of the chain into the result, while the scope of the call is still open. */
  convert(value: unknown): MaybePromise<Result>;
  /** The result of an input that is wrong. */
  refuse(issues: readonly Issue[]): Result;
}

/**
 * Validates, opens the scope if one is needed, runs the chain, converts, and disposes the scope.
 * Whatever user code throws is thrown; what takes longer than it may ends with a ToolError TIMED_OUT.
 */
export function runHandler<Result>(
  handler: CompiledHandler,
  run: HandlerRun<Result>,
  options: RouteOptions,
): MaybePromise<Result> {
  const { timeout } = handler;
  if (timeout === undefined) return runFreely(handler, run, run.context, options);
  return runWithin(timeout, run, options, (context) => runFreely(handler, run, context, options));
}

function runFreely<Result>(
  handler: CompiledHandler,
  run: HandlerRun<Result>,
  context: unknown,
  options: RouteOptions,
): MaybePromise<Result> {
  return thenMaybe(handler.resolveInput(run.args), (resolved): MaybePromise<Result> => {
    if (resolved.failure !== undefined) logCheckFailure(resolved.failure, run.place, options);
    if (!resolved.ok) return run.refuse(resolved.issues);
    return handler.perCall.length === 0
      ? invoke(handler, run, context, resolved.value, undefined)
      : invokeInScope(handler, run, context, resolved.value, options);
  });
}

/** A rule that throws refuses the value; what throws of ours was repeated in another way. Neither is told to the client. */
function logCheckFailure(
  { error, by }: CheckFailure,
  { kind, tool = kind, name }: CallPlace,
  { logger }: RouteOptions,
): void {
  const isOurs = by === 'framework';
  const what = isOurs
    ? 'the compiled check failed, and class-validator judged in its place'
    : 'a rule failed, so the input was refused';
  const message = `Checking the input of ${tool}/${name}: ${what}: ${thrownMessage(error)}`;
  logger.log({ level: isOurs ? 'warning' : 'debug', event: 'call.check-failed', message, error });
}

async function invokeInScope<Result>(
  handler: CompiledHandler,
  run: HandlerRun<Result>,
  context: unknown,
  input: ResolvedInput,
  options: RouteOptions,
): Promise<Result> {
  const scope = await handler.resolver.open(handler.perCall, context as ToolContext);
  try {
    return await invoke(handler, run, context, input, scope);
  } finally {
    await close(scope, run.place, options);
  }
}

function invoke<Result>(
  { invoke: chain, metadata }: CompiledHandler,
  run: HandlerRun<Result>,
  context: unknown,
  { input, common }: ResolvedInput,
  scope: CallScope | undefined,
): MaybePromise<Result> {
  const { kind, tool, action, name, version } = run.place;
  const known: HandlerCall = {
    kind,
    tool,
    action,
    name,
    input,
    context,
    metadata,
    common,
    scope,
    handled: undefined,
  };
  const call: HandlerCall = version === undefined ? known : { ...known, version };
  return thenMaybe(toMaybePromise(chain(call)), (settled) =>
    settled === undefined && call.handled !== undefined
      ? thenMaybe(
          catchMaybe(() => toMaybePromise(call.handled), ignore),
          (handled) => run.convert(passedOn(handled, run.place)),
        )
      : run.convert(settled),
  );
}

/** Nothing came out of the middleware, so nothing may have gone in: null says that it was left out on purpose. */
function passedOn(handled: unknown, { name }: CallPlace): undefined {
  if (handled === undefined || handled === null) return undefined;
  throw new ToolwrightError('TW_MIDDLEWARE_RETURNED_NOTHING', {
    where: name,
    what: 'gave a value, but a middleware around it called next() and returned nothing.',
    fix: 'did you forget to `return next()`? To send nothing on purpose, return null',
  });
}

/** A middleware that returns nothing after a failure has caught it. */
function ignore(): undefined {
  return undefined;
}

/** A failing disposal must not take the answer from the client. */
async function close(scope: CallScope, { name }: CallPlace, { logger }: RouteOptions): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${name} failed`;
    logger.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}
