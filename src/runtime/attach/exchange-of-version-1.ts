import type { AuthInfo, CallExchange } from '../../call/call-exchange.ts';
import { askClient, clientUnreachable, type AskOptions } from '../ask-client.ts';
import type { Connection } from './connection.ts';
import { describeClient, membersOf, sendQuietly } from '../exchange-members.ts';
import type { ServerTarget } from './server-target.ts';

/** The second argument of an SDK v1 handler (`RequestHandlerExtra`); old releases lack some members. */
export interface Version1Extra {
  readonly requestId?: string | number;
  readonly signal?: AbortSignal;
  readonly sessionId?: string;
  readonly _meta?: unknown;
  readonly authInfo?: AuthInfo;
  readonly requestInfo?: { readonly headers?: unknown; readonly url?: URL };
  /** Ends the response of an HTTP request whose client can come back. */
  readonly closeSSEStream?: () => void;
  readonly sendNotification?: (notification: unknown) => unknown;
  readonly sendRequest?: (request: unknown, resultSchema: unknown, options: AskOptions) => unknown;
}

export function exchangeOfVersion1(
  { target, canAsk }: Connection,
  requestMeta: unknown,
  extra: Version1Extra,
): CallExchange {
  const signal = extra.signal ?? new AbortController().signal;
  const headers = membersOf(extra.requestInfo?.headers);
  return {
    requestId: extra.requestId ?? '',
    signal,
    sessionId: extra.sessionId,
    meta: membersOf(extra._meta ?? requestMeta),
    authInfo: extra.authInfo,
    raw: extra,
    releaseStream: extra.closeSSEStream,
    client: () => describeClient(target.getClientVersion?.(), target.getClientCapabilities?.()),
    header: (name) => headerOf(headers, name.toLowerCase()),
    notify: (method, params) => sendQuietly(() => extra.sendNotification?.({ method, params })),
    request: async (method, params) => {
      // Nobody knows them where every request has a server of its own (Streamable HTTP without sessions).
      const isKnown = target.getClientCapabilities?.() !== undefined;
      const { sendRequest } = extra;
      if (!canAsk || !isKnown || sendRequest === undefined) throw clientUnreachable(method);
      return askClient(method, signal, (options) => sendRequest({ method, params }, ANY_RESULT, options));
    },
    log: (level, data, logger) => {
      const params = { level, data, ...(logger === undefined ? {} : { logger }) };
      return sendQuietly(() => logOf(target, extra, params, extra.sessionId ?? headerOf(headers, SESSION)));
    },
  };
}

/** The least that SDK v1 accepts in place of a zod schema. */
const ANY_RESULT = {
  parse: (data: unknown) => data,
  safeParse: (data: unknown) => ({ success: true, data }),
};

// SDK v1 keeps the level of a client under this header when the transport has no session id of its own.
const SESSION = 'mcp-session-id';

/**
 * `sendLoggingMessage` knows the level that the client asked for, but sends to no request in particular,
 * which a client without a standalone stream never sees. So its own `notification` is replaced for one call.
 */
function logOf(
  target: ServerTarget,
  extra: Version1Extra,
  params: unknown,
  sessionId: string | undefined,
): unknown {
  if (target.sendLoggingMessage === undefined) {
    return extra.sendNotification?.({ method: 'notifications/message', params });
  }
  const related = Object.create(target, {
    notification: {
      value: async (notification: unknown) => {
        await extra.sendNotification?.(notification);
      },
    },
  }) as ServerTarget;
  return related.sendLoggingMessage?.(params, sessionId);
}

function headerOf(headers: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : undefined;
}
