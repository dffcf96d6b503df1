import { askClient, clientUnreachable } from '../../../runtime/ask-client.ts';
import { describeClient, sendQuietly } from '../../../runtime/exchange-members.ts';
import { membersOf } from '../../../shared/json.ts';
import { wantsLevel } from './session-record.ts';
import type { WireForm } from '../../wire-form.ts';
import type { ExchangeForm, FullExchange } from '../../request-exchange.ts';
import type { RequestPeer } from '../../request-peer.ts';
import type { RpcRequest } from '../../rpc-request.ts';

const exchange: ExchangeForm = {
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
export const form2025: WireForm = Object.freeze({
  exchange,
  encode: (_method, result) => result,
  encodeError: (error) => error,
} satisfies WireForm);

function fullExchange(request: RpcRequest, peer: RequestPeer): FullExchange {
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
function rawOf({ id, params }: RpcRequest, peer: RequestPeer): object {
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
