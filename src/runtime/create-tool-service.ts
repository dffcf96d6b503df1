import type { TaskMode } from '../call/action-options.ts';
import { askedVersions, ExchangeContext } from '../call/call-context.ts';
import type { CallExchange } from '../call/call-exchange.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { VersionConstraints } from '../call/version-meta.ts';
import type { ToolDefinition } from '../compile/tools/compiled-tool.ts';
import type { ToolFilter } from '../compile/tools/tool-filter.ts';
import { isThenable, type MaybePromise } from '../shared/maybe-promise.ts';
import { createAskContracts } from './ask-contracts.ts';
import { cancelledResult, contextFailed } from './call-failures.ts';
import type { ToolService } from './mcp-service.ts';
import { resultOf, type Outcome } from './outcome.ts';
import type { CallOptions, RouteOptions } from './route-options.ts';

/**
 * Makes the context of a call. It gets what the SDK hands to its handlers,
 * and the same request in the framework's own form.
 */
export type ContextFactory = (extra: unknown, exchange: CallExchange) => unknown;

/**
 * Gives a {@link ContextFactory} by which plain handlers get the context that decorated ones get.
 * It keeps the compiled schemas of what handlers ask for, so make one of it and use that.
 *
 * @example
 * const registry = new ToolRegistry();
 * registry.attachToServer(server, { contextFactory: createContextFactory() });
 */
export function createContextFactory(): (extra: unknown, exchange: CallExchange) => ToolContext {
  const contracts = createAskContracts();
  return (_extra, exchange) => new ExchangeContext(exchange, contracts);
}

/** A {@link ContextFactory} as {@link createContextFactory} gives, which keeps nothing from call to call. */
export function toolContextOf(extra: unknown, exchange: CallExchange): ToolContext {
  return createContextFactory()(extra, exchange);
}

/** The part of a registry that a service needs. */
export interface ToolRouter {
  getTools(filter?: ToolFilter): readonly ToolDefinition[];
  taskModeOf(name: string, args: unknown, options: CallOptions): TaskMode | undefined;
  route(name: string, args: unknown, context: unknown, options: CallOptions): MaybePromise<Outcome>;
}

/**
 * The tools of a registry as a connection sees them: filtered, and with a context for each call.
 * @param contextOf makes the context; undefined makes none
 */
export function createToolService(
  registry: ToolRouter,
  filter: ToolFilter | undefined,
  contextOf: ((exchange: CallExchange) => unknown) | undefined,
  route: RouteOptions,
): ToolService {
  const options = filter === undefined ? {} : { filter };
  const optionsOf = (exchange: CallExchange): CallOptions => {
    const asked = askedVersions(exchange);
    // The registry checks it, and answers what is wrong with it
    return asked === undefined ? options : { ...options, version: asked as VersionConstraints };
  };
  return Object.freeze({
    list: () => registry.getTools(filter),
    taskModeOf: (name: string, args: unknown, exchange: CallExchange) =>
      registry.taskModeOf(name, args, optionsOf(exchange)),
    call: (name: string, args: unknown, exchange: CallExchange) => {
      const callWith = (context: unknown): MaybePromise<Outcome> =>
        registry.route(name, args, context, optionsOf(exchange));
      if (exchange.isCancelled ?? exchange.signal.aborted) return resultOf(cancelledResult(name));
      const failed = (thrown: unknown): Outcome => resultOf(contextFailed(name, thrown, route));
      let context: unknown;
      try {
        context = contextOf?.(exchange);
      } catch (thrown) {
        return failed(thrown);
      }
      return isThenable(context) ? Promise.resolve(context).then(callWith, failed) : callWith(context);
    },
  });
}
