import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ProviderKey } from '../scanner/scanned-provider.ts';
import type { ScannedAction, ScannedMiddleware, ScannedTool } from '../scanner/scanned-tool.ts';
import { compileHandler, readInstance } from './compile-handler.ts';
import type { ActionCall, ActionDefinition } from './compiled-tool.ts';
import { composeMiddleware } from './strategies/compile-middleware.ts';

/** Composes the middleware of an action around its handler, once. */
export function compileChain(
  tool: ScannedTool,
  action: ScannedAction,
  resolver: InstanceResolver,
): ActionDefinition['invoke'] {
  const layers = action.middleware.map((middleware) => layerOf(middleware, resolver));
  return composeMiddleware(layers, compileHandler(tool, action, resolver));
}

/** The providers that a call of the action needs made anew: controller, parameters and middleware. */
export function perCallKeys(action: ScannedAction, resolver: InstanceResolver): readonly ProviderKey[] {
  const { handler, middleware } = action;
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
): (call: ActionCall, next: () => Promise<unknown>) => unknown {
  if (middleware.kind === 'function') return middleware.run as MiddlewareFunction<unknown>;
  const instanceOf = readInstance(middleware.key, resolver);
  return (call, next) => (instanceOf(call) as MiddlewareObject<unknown>).use(call, next);
}
