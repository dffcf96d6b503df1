import type { AuthInfo, CallExchange } from '../../call/call-exchange.ts';
import { describeClient, membersOf, sendQuietly } from './exchange-members.ts';
import type { ServerTarget } from './server-target.ts';

/** The second argument of an SDK v2 handler (`ServerContext`). */
export interface Version2Context {
  readonly sessionId?: string;
  readonly mcpReq: {
    readonly id?: string | number;
    readonly signal?: AbortSignal;
    readonly _meta?: unknown;
    /** What a 2026 request says of its client; earlier eras said it once, when they connected. */
    readonly envelope?: unknown;
    readonly notify?: (notification: unknown) => unknown;
    readonly log?: (level: string, data: unknown, logger?: string) => unknown;
  };
  readonly http?: {
    readonly authInfo?: AuthInfo;
    readonly req?: { readonly headers: { get(name: string): string | null } };
  };
}

export function exchangeOfVersion2(target: ServerTarget, context: Version2Context): CallExchange {
  const { mcpReq, http } = context;
  return {
    requestId: mcpReq.id ?? '',
    signal: mcpReq.signal ?? new AbortController().signal,
    sessionId: context.sessionId,
    meta: membersOf(mcpReq._meta),
    authInfo: http?.authInfo,
    raw: context,
    client: () => {
      const envelope = membersOf(mcpReq.envelope);
      return describeClient(
        envelope['io.modelcontextprotocol/clientInfo'] ?? target.getClientVersion?.(),
        envelope['io.modelcontextprotocol/clientCapabilities'] ?? target.getClientCapabilities?.(),
      );
    },
    header: (name) => http?.req?.headers.get(name) ?? undefined,
    notify: (method, params) => sendQuietly(() => mcpReq.notify?.({ method, params })),
    log: (level, data, logger) => sendQuietly(() => mcpReq.log?.(level, data, logger)),
  };
}
