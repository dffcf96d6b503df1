import { wireFailure, type Outcome } from '../runtime/outcome.ts';
import type { WireForm } from './wire-form.ts';
import { RequestExchange } from './request-exchange.ts';
import type { RequestPeer } from './request-peer.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { Reply } from './json-rpc/message.ts';

/** Serves a request and delivers one reply, in the form of an era. */
export function serveRequest(
  era: WireForm,
  request: RpcRequest,
  peer: RequestPeer,
  deliver: (reply: Reply) => void,
): void {
  const { method, params = {} } = request;
  const { cancellation, client } = peer;
  const exchange = new RequestExchange(era.exchange, request, peer);
  const end = (outcome: Outcome): void => {
    deliver(
      outcome.kind === 'failure'
        ? { error: era.encodeError(wireFailure(outcome.error)) }
        : { result: era.encode(method, outcome.value) },
    );
  };
  const outcome = peer.service.serve({ method, params, exchange, cancellation, client });
  if (outcome instanceof Promise) void outcome.then(end);
  else end(outcome);
}
