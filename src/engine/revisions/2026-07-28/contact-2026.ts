import { isObject, membersOf } from '../../../shared/json.ts';
import type { LogLevel, Retry } from '../../../call/request-context.ts';
import { clientUnreachable, describeClient, sendQuietly } from '../../../runtime/ask-client.ts';
import { metaOf, type Members } from '../../json-rpc/message.ts';
import { ENVELOPE, LOG_LEVELS } from '../../protocol.ts';
import type { ClientContact } from '../../revision.ts';

/** Clients of 2026-07-28 introduce themselves with each request, and are asked by results. */
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
  ask: (_request, method) => Promise.reject(clientUnreachable(method)),
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
