import type { CallExchange } from '../call/call-exchange.ts';
import type { CallToolResult } from '../call/call-tool-result.ts';
import { deriveExchange } from '../call/derive-exchange.ts';
import { failureResult } from '../call/failure-result.ts';
import { INTERNAL_ERROR, ProtocolError } from '../call/protocol-error.ts';
import type { Conversations } from './conversation/conversations.ts';
import type { McpService } from './mcp-service.ts';

const SHUT_DOWN = 'The server was shut down';

/** The same service, where a second signal also aborts whatever runs, and answers what does not listen to it. */
export function withSignal(service: McpService, signal: AbortSignal): McpService {
  const { tools, prompts, resources, completions, settings } = service;
  const also = (exchange: CallExchange): CallExchange =>
    deriveExchange(exchange, { signal: AbortSignal.any([exchange.signal, signal]) });
  const orRefused = <T>(work: Promise<T>): Promise<T> => answeredAtEnd(work, signal, refuse);
  return Object.freeze({
    tools: tools && {
      ...tools,
      call: (name, args, exchange) =>
        answeredAtEnd(tools.call(name, args, also(exchange)), signal, () => shutDownResult(name)),
    },
    prompts: prompts && {
      ...prompts,
      get: (name, args, exchange) => orRefused(prompts.get(name, args, also(exchange))),
    },
    resources: resources && {
      ...resources,
      list: (exchange) => orRefused(resources.list(also(exchange))),
      read: (uri, exchange) => orRefused(resources.read(uri, also(exchange))),
    },
    completions: completions && {
      complete: (request, exchange) => orRefused(completions.complete(request, also(exchange))),
    },
    settings: { ...settings, ...conducted(settings.conversations, also) },
  } satisfies McpService);
}

/**
 * What the work comes to, or once the signal is aborted the answer in its place: a handler that listens has a turn
 * for one of its own.
 */
export function answeredAtEnd<T>(work: Promise<T>, signal: AbortSignal, answer: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      setImmediate(() => {
        try {
          resolve(answer());
        } catch (refusal) {
          // A client gets what was thrown, whatever it is
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
          reject(refusal);
        }
      });
    };
    const settled = (): void => {
      signal.removeEventListener('abort', end);
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    work.then(resolve, reject);
    work.then(settled, settled);
  });
}

/** The result of a call whose handler outlived the application. */
export function shutDownResult(tool: string): CallToolResult {
  return failureResult({ code: 'CANCELLED', message: SHUT_DOWN, headline: `[${tool}] ${SHUT_DOWN}`, tool });
}

function refuse(): never {
  throw new ProtocolError(INTERNAL_ERROR, SHUT_DOWN, { code: 'CANCELLED' });
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
