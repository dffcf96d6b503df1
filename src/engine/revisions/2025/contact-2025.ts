import { membersOf } from '../../../shared/json.ts';
import { askClient, clientUnreachable, describeClient, sendQuietly } from '../../../runtime/ask-client.ts';
import type { ClientContact, SentRequest } from '../../revision.ts';
import { wantsLevel } from './session-record.ts';

/** Clients up to 2025-11-25 identify themselves once, and can be asked while a request runs. */
export const contact2025: ClientContact = Object.freeze({
  describe: ({ session }) => {
    const { info, capabilities } = session?.record.client ?? {};
    return describeClient(info, capabilities);
  },
  notify: async (request, method, params) => {
    if (!request.cancellation.isCancelled) await sendQuietly(() => request.send({ method, params }));
  },
  ask: async (request, method, params) => {
    if (request.session?.canAsk !== true) throw clientUnreachable(method);
    return askClient(method, request.cancellation.signal, (limits) =>
      request.ask({ method, params }, limits),
    );
  },
  log: async (request, level, data, logger) => {
    const { canLog, session } = request;
    if (!canLog || (session !== undefined && !wantsLevel(session.record, level))) return;
    const params = { level, data, ...(logger === undefined ? {} : { logger }) };
    await contact2025.notify(request, 'notifications/message', params);
  },
  raw: rawOf,
} satisfies ClientContact);

/** As far as it is known, in the form of SDK v1 (`RequestHandlerExtra`). */
function rawOf(request: SentRequest): object {
  const { message, cancellation, sessionId, authInfo, http, releaseStream } = request;
  return {
    requestId: message.id,
    signal: cancellation.signal,
    ...(sessionId === undefined ? {} : { sessionId }),
    _meta: message.params?.['_meta'],
    ...(authInfo === undefined ? {} : { authInfo }),
    ...(http === undefined
      ? {}
      : { requestInfo: { headers: Object.fromEntries(http.headers), url: http.url } }),
    ...(releaseStream === undefined ? {} : { closeSSEStream: releaseStream }),
    sendNotification: (notification: unknown) => request.send(notification as object),
    sendRequest: (question: unknown) =>
      askClient(String(membersOf(question)['method']), cancellation.signal, (limits) =>
        request.ask(question as object, limits),
      ),
  };
}
