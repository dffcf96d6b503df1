import { exchangeOfVersion1, type Version1Extra } from '../../runtime/attach/exchange-of-version-1.ts';
import { describeClient, membersOf } from '../../runtime/attach/exchange-members.ts';
import { RELATED_TASK } from '../../runtime/attach/task-protocol.ts';
import type { DirectEra } from './direct-era.ts';
import type { EraExchange } from './direct-exchange.ts';
import type { DirectPeer } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';

const exchange: EraExchange = {
  retry: undefined,
  retryOf: () => undefined,
  metaOf: ({ params }) => membersOf(params?.['_meta']),
  clientOf: (_request, { connection: { target } }) =>
    describeClient(target.getClientVersion?.(), target.getClientCapabilities?.()),
  fullExchange: (request, peer) =>
    exchangeOfVersion1(peer.connection, request.params?.['_meta'], extraOf(request, peer)),
};

/** The era of revisions up to 2025-11-25, as SDK v1 serves it. */
export const legacyEra: DirectEra = Object.freeze({
  exchange,
  own: { ping: Object.freeze({}) },
  isPlain: ({ method, params }) => {
    if (params === undefined) return true;
    if (method === 'ping') return Object.keys(params).every((name) => name === '_meta');
    // Either makes it a part of a task.
    return !('task' in params) && !(RELATED_TASK in membersOf(params['_meta']));
  },
  encode: (_method, result) => result,
  encodeError: (error) => error,
} satisfies DirectEra);

/** What SDK v1 hands to its handlers (`RequestHandlerExtra`). */
function extraOf({ id, params }: DirectRequest, peer: DirectPeer): Version1Extra {
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
    sendNotification: async (notification) => {
      const { method } = notification as { readonly method: string };
      if (cancellation.isCancelled || (method === 'notifications/message' && !peer.canLog)) return;
      await peer.notify(notification as object);
    },
    sendRequest: (question, resultSchema, options) => peer.ask(question as object, resultSchema, options),
  };
}
