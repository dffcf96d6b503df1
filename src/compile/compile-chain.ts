import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedCallable, ScannedMiddleware } from '../scanner/scanned-callable.ts';
import type { ProviderKey } from '../scanner/scanned-provider.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { compileHandler, readInstance } from './compile-handler.ts';
import type { CompiledHandler, HandlerCall } from './handler-call.ts';
import { composeMiddleware } from './strategies/compile-middleware.ts';

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
