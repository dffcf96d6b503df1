import { andThen, eventual, type Eventual } from '../call/eventual.ts';
import type { Issue } from '../call/issue.ts';
import type { MiddlewareCall } from '../call/middleware.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { CompiledHandler, HandlerCall, ResolvedInput } from '../compile/handler-call.ts';
import type { CallScope } from '../container/instance-resolver.ts';
import type { PlainObject } from '../shared/json.ts';
import type { RouteOptions } from './route-options.ts';

/** What a call is told of itself. */
export type CallPlace = Pick<MiddlewareCall, 'kind' | 'tool' | 'action' | 'version' | 'name'>;

/** What every kind of handler is run with. */
export interface HandlerRun<Result> {
  readonly place: CallPlace;
  readonly args: PlainObject;
  readonly context: unknown;
  /** Turns the value of the chain into the result, while the scope of the call is still open. */
  convert(value: unknown): Eventual<Result>;
  /** The result of an input that is wrong. */
  refuse(issues: readonly Issue[]): Result;
}

/**
 * Validates, opens the scope if one is needed, runs the chain, converts, and disposes the scope.
 * Whatever user code throws is thrown.
 */
export function runHandler<Result>(
  handler: CompiledHandler,
  run: HandlerRun<Result>,
  options: RouteOptions,
): Eventual<Result> {
  return andThen(handler.resolveInput(run.args), (resolved): Eventual<Result> => {
    if (!resolved.ok) return run.refuse(resolved.issues);
    return handler.perCall.length === 0
      ? invoke(handler, run, resolved.value, undefined)
      : invokeInScope(handler, run, resolved.value, options);
  });
}

async function invokeInScope<Result>(
  handler: CompiledHandler,
  run: HandlerRun<Result>,
  input: ResolvedInput,
  options: RouteOptions,
): Promise<Result> {
  const scope = await handler.resolver.open(handler.perCall, run.context as ToolContext);
  try {
    return await invoke(handler, run, input, scope);
  } finally {
    await close(scope, run.place, options);
  }
}

function invoke<Result>(
  { invoke: chain, metadata }: CompiledHandler,
  run: HandlerRun<Result>,
  { input, common }: ResolvedInput,
  scope: CallScope | undefined,
): Eventual<Result> {
  const { context, place } = run;
  const { kind, tool, action, name, version } = place;
  const call: HandlerCall = { kind, tool, action, name, input, context, metadata, common, scope };
  const value = eventual(chain(version === undefined ? call : { ...call, version }));
  return andThen(value, (settled) => run.convert(settled));
}

/** A failing disposal must not take the answer from the client. */
async function close(scope: CallScope, { name }: CallPlace, { logger }: RouteOptions): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${name} failed`;
    logger?.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}
