import type { AuthInfo, CallExchange, Retry } from '../../call/call-exchange.ts';
import { askClient, clientUnreachable, type AskOptions } from '../ask-client.ts';
import type { Connection } from './connection.ts';
import { describeClient, membersOf, sendQuietly } from '../exchange-members.ts';

/** The second argument of an SDK v2 handler (`ServerContext`). */
export interface Version2Context {
  readonly sessionId?: string;
  readonly mcpReq: {
    readonly id?: string | number;
    readonly signal?: AbortSignal;
    readonly _meta?: unknown;
    /** What a 2026 request says of its client; earlier eras said it once, when they connected. */
    readonly envelope?: unknown;
    /** What a 2026 client answered; in the protocol they stand beside the other params. */
    readonly inputResponses?: unknown;
    readonly requestState?: () => unknown;
    readonly send?: (request: unknown, options: AskOptions) => unknown;
    readonly notify?: (notification: unknown) => unknown;
    readonly log?: (level: string, data: unknown, logger?: string) => unknown;
  };
  readonly http?: {
    readonly authInfo?: AuthInfo;
    /** Ends the response of a request of the earlier eras whose client can come back. */
    readonly closeSSE?: () => void;
    readonly req?: { readonly headers: { get(name: string): string | null } };
  };
}

export function exchangeOfVersion2({ target, canAsk }: Connection, context: Version2Context): CallExchange {
  const { mcpReq, http } = context;
  const signal = mcpReq.signal ?? new AbortController().signal;
  return {
    requestId: mcpReq.id ?? '',
    signal,
    sessionId: context.sessionId,
    meta: membersOf(mcpReq._meta),
    authInfo: http?.authInfo,
    raw: context,
    releaseStream: http?.closeSSE,
    retry: mcpReq.envelope === undefined ? undefined : retryOf(mcpReq),
    client: () => {
      const envelope = membersOf(mcpReq.envelope);
      return describeClient(
        envelope['io.modelcontextprotocol/clientInfo'] ?? target.getClientVersion?.(),
        envelope['io.modelcontextprotocol/clientCapabilities'] ?? target.getClientCapabilities?.(),
      );
    },
    header: (name) => http?.req?.headers.get(name) ?? undefined,
    notify: (method, params) => sendQuietly(() => mcpReq.notify?.({ method, params })),
    request: async (method, params) => {
      // Protocol 2026-07-28 has no requests to the client any more; an envelope comes with that era only.
      const isEarlierEra = mcpReq.envelope === undefined;
      const isKnown = target.getClientCapabilities?.() !== undefined;
      const { send } = mcpReq;
      if (!canAsk || !isEarlierEra || !isKnown || send === undefined) throw clientUnreachable(method);
      return askClient(method, signal, (options) => send.call(mcpReq, { method, params }, options));
    },
    log: (level, data, logger) => sendQuietly(() => mcpReq.log?.(level, data, logger)),
  };
}

function retryOf({ inputResponses, requestState }: Version2Context['mcpReq']): Retry {
  const state = requestState?.();
  return {
    requestState: typeof state === 'string' ? state : undefined,
    inputResponses: membersOf(inputResponses),
  };
}
