import { Cancellation } from '../../call/cancellation.ts';
import { wireFailure } from '../outcome.ts';
import type { McpService } from '../service.ts';
import type { ServedClient } from '../service-request.ts';
import type { Connection } from './connection.ts';
import { detachedOutcome } from './detached-outcome.ts';
import { exchangeOf } from './exchange-of.ts';
import { paramsOf } from '../methods/request-params.ts';
import type { RequestHandler } from './server-target.ts';

/** What the handlers of one attachment share. */
export interface AttachScope extends Connection {
  readonly service: McpService;
  readonly client: ServedClient;
  isDetached(): boolean;
  /** Kept here, so that it lives as long as the handlers of its server and no longer. */
  attachment?: unknown;
}

/** Methods of the service as handlers of a server. */
export function answerRequests(
  scope: AttachScope,
  methods: readonly string[],
): Readonly<Record<string, RequestHandler>> {
  return Object.fromEntries(methods.map((method) => [method, answerRequest(scope, method)]));
}

/**
 * A handler that lets nothing escape but errors made here: the SDKs send whatever is thrown with its message,
 * `code` and `data`, and never answer a `throw undefined` at all.
 */
function answerRequest(scope: AttachScope, method: string): RequestHandler {
  const { service, client } = scope;
  return async (request, extra) => {
    const params = paramsOf(request);
    const exchange = exchangeOf(scope, request, extra);
    const cancellation = new Cancellation();
    const unfollow = cancellation.follow(exchange.signal);
    const outcome = await (scope.isDetached()
      ? detachedOutcome(method, params, exchange, service.settings)
      : service.serve({ method, params, exchange, cancellation, client }));
    unfollow();
    if (outcome.kind !== 'failure') return outcome.value;
    const { message, ...members } = wireFailure(outcome.error);
    throw Object.assign(new Error(message), members);
  };
}
