import type { MiddlewareFunction, MiddlewareObject, Next } from '../call/middleware.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedCallable, ScannedMiddleware } from '../scanner/members/scanned-callable.ts';
import type { ProviderKey } from '../scanner/providers/scanned-provider.ts';
import { isThenable } from '../shared/is-thenable.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { compileHandler, readInstance } from './compile-handler.ts';
import type { CompiledHandler, HandlerCall } from './handler-call.ts';

/** Composes the middleware around a handler, once. */
export function compileChain(
  { handler, middleware }: ScannedCallable,
  common: readonly SchemaSource[],
  resolver: InstanceResolver,
): CompiledHandler['invoke'] {
  const run = compileHandler(handler, common, resolver);
  if (middleware.length === 0) return run;
  return surround(middleware, (call) => (call.handled = run(call)), resolver);
}

/** Composes middleware around an innermost step. */
export function surround(
  middleware: readonly ScannedMiddleware[],
  inner: CompiledHandler['invoke'],
  resolver: InstanceResolver,
): CompiledHandler['invoke'] {
  return composeMiddleware(
    middleware.map((layer) => layerOf(layer, resolver)),
    inner,
  );
}

/** The providers that a call needs made anew: controller, parameters and middleware. */
export function perCallKeys(
  { handler, middleware }: Pick<ScannedCallable, 'handler' | 'middleware'>,
  resolver: InstanceResolver,
): readonly ProviderKey[] {
  const keys = middleware.flatMap((layer) => (layer.kind === 'provider' ? [layer.key] : []));
  if (handler.kind === 'method') {
    keys.push(handler.controller);
    for (const parameter of handler.parameters) {
      if (parameter.kind === 'provider' && parameter.key !== undefined) keys.push(parameter.key);
    }
  }
  return Object.freeze([...new Set(keys)].filter((key) => resolver.isPerCall(key)));
}

function layerOf(
  middleware: ScannedMiddleware,
  resolver: InstanceResolver,
): (call: HandlerCall, next: () => Promise<unknown>) => unknown {
  if (middleware.kind === 'function') return middleware.run as MiddlewareFunction<unknown>;
  const instanceOf = readInstance(middleware.key, resolver);
  return (call, next) => (instanceOf(call) as MiddlewareObject<unknown>).use(call, next);
}

/** One middleware as the chain runs it; every `MiddlewareFunction` whose call is wide enough is a layer. */
export type Layer<Call> = (call: Call, next: Next) => unknown;

/** A chain, or the handler at its end. */
export type Chain<Call> = (call: Call) => unknown;

/** Nests the layers around the handler, the first one outermost. Without layers it is the handler itself. */
export function composeMiddleware<Call>(layers: readonly Layer<Call>[], handler: Chain<Call>): Chain<Call> {
  return layers.reduceRight((inner: Chain<Call>, layer) => wrap(layer, inner), handler);
}

function wrap<Call>(layer: Layer<Call>, inner: Chain<Call>): Chain<Call> {
  return (call) => layer(call, () => promised(inner, call));
}

/** A promise also of what is there at once, so that a synchronous throw reaches `next().catch()`, too. */
function promised<Call>(inner: Chain<Call>, call: Call): Promise<unknown> {
  let promise: Promise<unknown>;
  try {
    const value = inner(call);
    if (!isThenable(value)) return Promise.resolve(value);
    promise = Promise.resolve(value);
  } catch (thrown) {
    // The layer gets what was thrown, whatever it is
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    promise = Promise.reject(thrown);
  }
  // A layer may forget the promise; a failure that nobody waits for must not end the process
  promise.catch(ignore);
  return promise;
}

function ignore(): void {
  return undefined;
}
