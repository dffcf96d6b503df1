import type { CallExchange } from '../call/call-exchange.ts';
import { deriveExchange } from '../call/derive-exchange.ts';
import type { Conversations } from './conversation/conversations.ts';
import type { McpService } from './mcp-service.ts';

/** The same service, where a second signal also aborts whatever runs. */
export function withSignal(service: McpService, signal: AbortSignal): McpService {
  const { tools, prompts, resources, completions, settings } = service;
  const also = (exchange: CallExchange): CallExchange =>
    deriveExchange(exchange, { signal: AbortSignal.any([exchange.signal, signal]) });
  return Object.freeze({
    tools: tools && { ...tools, call: (name, args, exchange) => tools.call(name, args, also(exchange)) },
    prompts: prompts && {
      ...prompts,
      get: (name, args, exchange) => prompts.get(name, args, also(exchange)),
    },
    resources: resources && {
      ...resources,
      list: (exchange) => resources.list(also(exchange)),
      read: (uri, exchange) => resources.read(uri, also(exchange)),
    },
    completions: completions && {
      complete: (request, exchange) => completions.complete(request, also(exchange)),
    },
    settings: { ...settings, ...conducted(settings.conversations, also) },
  } satisfies McpService);
}

/** Whoever conducts a call has to know as well that it was aborted, and did not fail by itself. */
function conducted(
  conversations: Conversations | undefined,
  also: (exchange: CallExchange) => CallExchange,
): { readonly conversations?: Conversations } {
  if (conversations === undefined) return {};
  return {
    conversations: Object.freeze({
      conduct: (call, exchange, run) => conversations.conduct(call, also(exchange), run),
      conductLocal: (call, exchange, run) => conversations.conductLocal(call, also(exchange), run),
    } satisfies Conversations),
  };
}
