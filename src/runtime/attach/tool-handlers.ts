import type { CallToolResult } from '../../call/call-tool-result.ts';
import { failureResult } from '../../call/failure-result.ts';
import type { Logger } from '../../call/logger.ts';
import type { ToolService } from '../tool-service.ts';
import { exchangeOf } from './exchange-of.ts';
import type { ToolHandlers } from './register-handlers.ts';
import type { ServerTarget } from './server-target.ts';
import { untilAnswered } from './until-answered.ts';

// JSON-RPC 2.0, 5.1 Error object.
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/**
 * The handlers of tools/list and tools/call.
 * Whatever they throw, the SDKs send with its message, `code` and `data`, and `throw undefined` is never
 * answered at all. So nothing escapes from here but the two errors made here.
 *
 * @param current gives the service, or undefined once it is detached
 */
export function toolHandlers(
  target: ServerTarget,
  current: () => ToolService | undefined,
  logger: Logger,
): ToolHandlers {
  return {
    'tools/list': async (request) => listTools(current(), paramsOf(request), logger),
    'tools/call': async (request, extra) => {
      const { name, arguments: args } = paramsOf(request);
      const tool = String(name);
      try {
        const service = current();
        if (service === undefined) return detachedResult();
        return await untilAnswered(exchangeOf(target, request, extra), (exchange) =>
          service.call(tool, args, exchange),
        );
      } catch (cause) {
        return internalError(tool, cause, logger);
      }
    },
  };
}

function listTools(service: ToolService | undefined, params: Params, logger: Logger): unknown {
  // Lists are not paged, so no cursor was ever given out (spec: server/utilities/pagination, Error Handling).
  if (params.cursor !== undefined) throw protocolError(INVALID_PARAMS, 'Invalid cursor');
  try {
    return { tools: service?.list() ?? [] };
  } catch (cause) {
    logger.log({ level: 'error', event: 'list.failed', message: 'The tools could not be listed.', cause });
    throw protocolError(INTERNAL_ERROR, 'The tools could not be listed');
  }
}

interface Params {
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly cursor?: unknown;
}

function paramsOf(request: unknown): Params {
  return (request as { readonly params?: Params } | undefined)?.params ?? {};
}

function detachedResult(): CallToolResult {
  return failureResult({ code: 'DETACHED', message: 'Tools are no longer served here' });
}

function internalError(tool: string, cause: unknown, logger: Logger): CallToolResult {
  logger.log({ level: 'error', event: 'call.escaped', message: `The call of ${tool} broke.`, tool, cause });
  return failureResult({
    code: 'INTERNAL_ERROR',
    message: 'The server failed while it answered the call',
    headline: `[${tool}] The server failed while it answered the call`,
    tool,
  });
}

function protocolError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
