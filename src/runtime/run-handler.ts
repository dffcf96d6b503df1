import type { CheckOutcome } from '../call/issue.ts';
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
  readonly convert: (value: unknown) => Result | Promise<Result>;
}

/**
 * Validates, opens the scope if one is needed, runs the chain, converts, and disposes the scope.
 * What is wrong with the input is returned; whatever user code throws is thrown.
 */
export async function runHandler<Result>(
  handler: CompiledHandler,
  run: HandlerRun<Result>,
  options: RouteOptions,
): Promise<CheckOutcome<Result>> {
  const given = handler.resolveInput(run.args);
  const resolved = given instanceof Promise ? await given : given;
  if (!resolved.ok) return resolved;
  if (handler.perCall.length === 0) {
    return { ok: true, value: await invoke(handler, run, resolved.value, undefined) };
  }
  const scope = await handler.resolver.open(handler.perCall, run.context as ToolContext);
  try {
    return { ok: true, value: await invoke(handler, run, resolved.value, scope) };
  } finally {
    await close(scope, run.place, options);
  }
}

async function invoke<Result>(
  { invoke: chain, metadata }: CompiledHandler,
  { place, context, convert }: HandlerRun<Result>,
  { input, common }: ResolvedInput,
  scope: CallScope | undefined,
): Promise<Result> {
  const { kind, tool, action, name, version } = place;
  const call: HandlerCall = { kind, tool, action, name, input, context, metadata, common, scope };
  return convert(await chain(version === undefined ? call : { ...call, version }));
}

/** A failing disposal must not take the answer from the client. */
async function close(scope: CallScope, { name }: CallPlace, { logger }: RouteOptions): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${name} failed`;
    logger?.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}
