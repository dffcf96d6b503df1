import type { CallExchange } from '../../call/call-exchange.ts';
import type { Logger } from '../../call/logger.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { Conversations } from '../conversation/conversations.ts';
import { unlessError } from '../protocol-answers.ts';
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
 * Answers one method of the protocol; whatever it throws beside a ProtocolError is a fault of the server. Whoever
 * sends its result looks with `unlessError` whether that stands for an error.
 */
export type Method = (params: Params, exchange: CallExchange) => unknown;

export type Methods = Readonly<Record<string, Method>>;

/** What a client hears of a request that failed (JSON-RPC 2.0, 5.1 Error object). */
export interface WireFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Params;
}

/** The same methods as handlers of a server. */
export function answerRequests(
  scope: AttachScope,
  methods: Methods,
): Readonly<Record<string, RequestHandler>> {
  const handlers = Object.entries(methods).map(
    ([method, answer]) => [method, answerRequest(scope, method, answer)] as const,
  );
  return Object.fromEntries(handlers);
}

/**
 * A handler that lets nothing escape but errors made here: the SDKs send whatever is thrown with its message,
 * `code` and `data`, and never answer a `throw undefined` at all.
 */
export function answerRequest(scope: AttachScope, method: string, answer: Method): RequestHandler {
  return async (request, extra) => {
    try {
      const params = paramsOf(request);
      const result = await untilAnswered(exchangeOf(scope, request, extra), (exchange) =>
        answer(params, exchange),
      );
      return unlessError(result as object);
    } catch (thrown) {
      const { message, ...members } = wireFailure(scope.logger, method, thrown);
      throw Object.assign(new Error(message), members);
    }
  };
}

/** Refuses what an attachment served before it was detached. */
export function refuseDetached(scope: AttachScope, what: string, data?: Params): void {
  if (scope.isDetached()) {
    throw new ProtocolError(INVALID_PARAMS, `${what} are no longer served here`, data);
  }
}

/** What is no answer to clients stays in the log. */
export function wireFailure(logger: Logger, method: string, thrown: unknown): WireFailure {
  if (ProtocolError.is(thrown)) {
    const { code, message, data } = thrown;
    return data === undefined ? { code, message } : { code, message, data };
  }
  const message = `${method} could not be answered.`;
  logger.log({ level: 'error', event: 'request.failed', message, method, cause: thrown });
  return { code: INTERNAL_ERROR, message: `The server failed while it answered ${method}` };
}
