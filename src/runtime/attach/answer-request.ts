import type { CallExchange } from '../../call/call-exchange.ts';
import type { Logger } from '../../call/logger.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { Conversations } from '../conversation/conversations.ts';
import type { Connection } from './connection.ts';
import { exchangeOf } from './exchange-of.ts';
import { paramsOf, type Params } from './request-params.ts';
import { untilAnswered } from './until-answered.ts';
import type { RequestHandler } from './server-target.ts';

/** What the handlers of one attachment share. */
export interface AttachScope extends Connection {
  readonly logger: Logger;
  readonly conversations: Conversations;
  isDetached(): boolean;
  /** Kept here, so that it lives as long as the handlers of its server and no longer. */
  attachment?: unknown;
}

/**
 * A handler that lets nothing escape but errors made here: the SDKs send whatever is thrown with its message,
 * `code` and `data`, and never answer a `throw undefined` at all.
 */
export function answerRequest(
  scope: AttachScope,
  method: string,
  answer: (params: Params, exchange: CallExchange) => unknown,
): RequestHandler {
  return async (request, extra) => {
    try {
      const params = paramsOf(request);
      return await untilAnswered(exchangeOf(scope, request, extra), (exchange) => answer(params, exchange));
    } catch (thrown) {
      throw ProtocolError.is(thrown)
        ? wireError(thrown.code, thrown.message, thrown.data)
        : hiddenError(scope.logger, method, thrown);
    }
  };
}

/** Refuses what an attachment served before it was detached. */
export function refuseDetached(scope: AttachScope, what: string, data?: Params): void {
  if (scope.isDetached()) {
    throw new ProtocolError(INVALID_PARAMS, `${what} are no longer served here`, data);
  }
}

function hiddenError(logger: Logger, method: string, cause: unknown): Error {
  const message = `${method} could not be answered.`;
  logger.log({ level: 'error', event: 'request.failed', message, method, cause });
  return wireError(INTERNAL_ERROR, `The server failed while it answered ${method}`, undefined);
}

function wireError(code: number, message: string, data: Params | undefined): Error {
  return Object.assign(new Error(message), { code }, data === undefined ? {} : { data });
}
