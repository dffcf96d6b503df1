import type { CallExchange } from '../call/call-exchange.ts';
import { failureResult } from '../call/failure-result.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import { ExchangeContext, type ToolContext } from '../call/tool-context.ts';
import type { CallToolResult } from '../call/call-tool-result.ts';
import type { ToolDefinition } from '../compile/tool-definition.ts';
import type { ToolFilter } from '../compile/tool-filter.ts';
import type { ToolService } from './tool-service.ts';

/**
 * Makes the context of a call. It gets what the SDK hands to its handlers,
 * and the same request in the framework's own form.
 */
export type ContextFactory = (extra: unknown, exchange: CallExchange) => unknown;

/** A {@link ContextFactory} that gives plain handlers the context that decorated ones get. */
export function toolContextOf(_extra: unknown, exchange: CallExchange): ToolContext {
  return new ExchangeContext(exchange);
}

/** The part of a registry that a service needs. */
export interface ToolRouter {
  getTools(filter?: ToolFilter): readonly ToolDefinition[];
  routeCall(
    name: string,
    args: unknown,
    context: unknown,
    options: { readonly filter?: ToolFilter },
  ): Promise<CallToolResult>;
}

/** The tools of a registry as a connection sees them: filtered, and with a context for each call. */
export function createToolService(
  registry: ToolRouter,
  filter: ToolFilter | undefined,
  contextFactory: ContextFactory | undefined,
): ToolService {
  const options = filter === undefined ? {} : { filter };
  return Object.freeze({
    list: () => registry.getTools(filter),
    call: async (name: string, args: unknown, exchange: CallExchange) => {
      let context: unknown;
      try {
        context = await contextFactory?.(exchange.raw, exchange);
      } catch (thrown) {
        const message = thrownMessage(thrown);
        return failureResult({
          code: 'CONTEXT_FAILED',
          message,
          headline: `[${name}] ${message}`,
          tool: name,
        });
      }
      return registry.routeCall(name, args, context, options);
    },
  });
}
