import type { ClientClaim } from '../../compile/surfaces/surface.ts';
import { membersOf, isObject } from '../../shared/json.ts';
import {
  askClient,
  clientUnreachable,
  describeClient,
  sendQuietly,
} from '../../runtime/clients/ask-client.ts';
import type { ClientContact, SentMessage } from '../revision.ts';
import { wantsLevel } from './2025/session-record.ts';
import { LOG_LEVELS, type LogLevel, type Retry } from '../../call/request-context.ts';
import { metaOf, type Members } from '../json-rpc/message.ts';
import { ENVELOPE } from '../protocol.ts';

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
function rawOf(request: SentMessage): object {
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

/** Clients of 2026-07-28 introduce themselves with each request, and are asked by results (`runtime/replay/`); who comes to `ask` here asks where no result can be a question. */
export const contact2026: ClientContact = Object.freeze({
  describe: ({ message }) => {
    const meta = membersOf(metaOf(message));
    return describeClient(meta[ENVELOPE.clientInfo], meta[ENVELOPE.clientCapabilities]);
  },
  raw: ({ message }) => message,
  notify: (request, method, params) =>
    sendQuietly(async () => {
      if (!request.cancellation.isCancelled) await request.send({ jsonrpc: '2.0', method, params });
    }),
  ask: (_request, method) =>
    Promise.reject(clientUnreachable(method, 'ask in an action, a prompt or a resource')),
  log: async (request, severity, data, logger) => {
    const level = metaOf(request.message)?.[ENVELOPE.logLevel];
    const wanted = LOG_LEVELS.indexOf(level as LogLevel);
    // Spec: server/utilities/logging: a request that names no level wants no messages.
    if (!request.canLog || wanted === -1 || LOG_LEVELS.indexOf(severity) < wanted) return;
    await contact2026.notify(request, 'notifications/message', { level: severity, data, logger });
  },
} satisfies ClientContact);

/** What a request answers of what its client was asked. */
export function readRetry({ requestState, inputResponses }: Members): Retry {
  // Each answer is a result as it stands: one in the envelope of JSON-RPC is none, and is asked for again.
  const answers = Object.entries(membersOf(inputResponses)).filter(
    ([, answer]) => isObject(answer) && !('method' in answer) && !('result' in answer),
  );
  return {
    requestState: typeof requestState === 'string' ? requestState : undefined,
    inputResponses: Object.fromEntries(answers),
  };
}

/** What a `clientInfo` says, whatever a client sends in its place. */
export function claimIn(clientInfo: unknown): ClientClaim {
  const { name, version } = membersOf(clientInfo);
  return { name, version };
}
