import { wireFailure, type Outcome } from '../../runtime/outcome.ts';
import type { DirectEra } from './direct-era.ts';
import { DirectExchange } from './direct-exchange.ts';
import type { DirectPeer } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';
import type { Reply } from './reply.ts';

/** Serves a request and delivers one reply, in the form of an era. */
export function runDirectly(
  era: DirectEra,
  request: DirectRequest,
  peer: DirectPeer,
  deliver: (reply: Reply) => void,
): void {
  const { method, params = {} } = request;
  const { cancellation, client } = peer;
  const exchange = new DirectExchange(era.exchange, request, peer);
  const end = (outcome: Outcome): void => {
    exchange.fallSilent();
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
