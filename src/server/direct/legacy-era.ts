import { askClient, clientUnreachable } from '../../runtime/attach/ask-client.ts';
import { describeClient, membersOf, sendQuietly } from '../../runtime/attach/exchange-members.ts';
import { wantsLevel } from '../connection/session-record.ts';
import type { DirectEra } from './direct-era.ts';
import type { EraExchange, FullExchange } from './direct-exchange.ts';
import type { DirectPeer } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';

const exchange: EraExchange = {
  retry: undefined,
  retryOf: () => undefined,
  metaOf: ({ params }) => membersOf(params?.['_meta']),
  clientOf: (_request, { session }) => {
    const { info, capabilities } = session?.record.client ?? {};
    return describeClient(info, capabilities);
  },
  fullExchange,
};

/** The revisions up to 2025-11-25. */
export const legacyEra: DirectEra = Object.freeze({
  exchange,
  encode: (_method, result) => result,
  encodeError: (error) => error,
} satisfies DirectEra);

function fullExchange(request: DirectRequest, peer: DirectPeer): FullExchange {
  const { cancellation, session } = peer;
  const notify: FullExchange['notify'] = async (method, params) => {
    if (!cancellation.isCancelled) await sendQuietly(() => peer.notify({ method, params }));
  };
  return {
    raw: rawOf(request, peer),
    notify,
    request: async (method, params) => {
      if (session?.canAsk !== true) throw clientUnreachable(method);
      return askClient(method, cancellation.signal, (options) => peer.ask({ method, params }, options));
    },
    log: async (level, data, logger) => {
      if (!peer.canLog || (session !== undefined && !wantsLevel(session.record, level))) return;
      await notify('notifications/message', { level, data, ...(logger === undefined ? {} : { logger }) });
    },
  };
}

/** What a context factory gets, as far as it is known, in the form of SDK v1 (`RequestHandlerExtra`). */
function rawOf({ id, params }: DirectRequest, peer: DirectPeer): object {
  const { cancellation, sessionId, authInfo, http, releaseStream } = peer;
  return {
    requestId: id,
    signal: cancellation.signal,
    ...(sessionId === undefined ? {} : { sessionId }),
    _meta: params?.['_meta'],
    ...(authInfo === undefined ? {} : { authInfo }),
    ...(http === undefined
      ? {}
      : { requestInfo: { headers: Object.fromEntries(http.headers), url: http.url } }),
    ...(releaseStream === undefined ? {} : { closeSSEStream: releaseStream }),
    sendNotification: (notification: unknown) => peer.notify(notification as object),
    sendRequest: (question: unknown) =>
      askClient(String(membersOf(question)['method']), cancellation.signal, (options) =>
        peer.ask(question as object, options),
      ),
  };
}
