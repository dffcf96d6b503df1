import type { AuthInfo, RequestContext, ClientDescription, LogLevel } from '../call/request-context.ts';
import {
  askClient,
  clientUnreachable,
  type AskOptions,
  describeClient,
  sendQuietly,
} from '../runtime/clients/ask-client.ts';
import { membersOf, type PlainObject } from '../shared/json.ts';
import type { RequestHandler, AttachedServer } from './server-target.ts';

/** The second argument of an SDK v1 handler (`RequestHandlerExtra`); old releases lack some members. */
export interface SdkV1Extra {
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

/** Registers a method in the form of SDK v1, which reads the method's literal out of a schema. */
export function registerWithSdkV1(target: AttachedServer, method: string, handler: RequestHandler): void {
  target.setRequestHandler(
    { shape: { method: { _def: { value: method }, value: method } }, ...ANYTHING },
    handler,
  );
}

/** One request as SDK v1 hands it to its handlers. */
export class SdkV1Request implements RequestContext {
  readonly signal: AbortSignal;
  readonly meta: PlainObject;
  readonly raw: SdkV1Extra;
  readonly #target: AttachedServer;

  constructor(target: AttachedServer, meta: unknown, extra: SdkV1Extra) {
    this.signal = extra.signal ?? new AbortController().signal;
    this.meta = membersOf(extra._meta ?? meta);
    this.raw = extra;
    this.#target = target;
  }

  get requestId(): string | number {
    return this.raw.requestId ?? '';
  }
  get sessionId(): string | undefined {
    return this.raw.sessionId;
  }
  get authInfo(): AuthInfo | undefined {
    return this.raw.authInfo;
  }
  get releaseStream(): (() => void) | undefined {
    return this.raw.closeSSEStream;
  }

  client(): ClientDescription {
    return describeClient(this.#target.getClientVersion?.(), this.#target.getClientCapabilities?.());
  }

  header(name: string): string | undefined {
    const headers = membersOf(this.raw.requestInfo?.headers);
    const key = name.toLowerCase();
    const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
    if (Array.isArray(value)) return value.join(', ');
    return typeof value === 'string' ? value : undefined;
  }

  notify(method: string, params: PlainObject): Promise<void> {
    return sendQuietly(() => this.raw.sendNotification?.({ method, params }));
  }

  async request(method: string, params: PlainObject): Promise<unknown> {
    // Unknown if every request has its own server (Streamable HTTP without sessions).
    const isKnown = this.#target.getClientCapabilities?.() !== undefined;
    const { sendRequest } = this.raw;
    if (!isKnown || sendRequest === undefined) throw clientUnreachable(method);
    return askClient(method, this.signal, (options) => sendRequest({ method, params }, ANYTHING, options));
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    const params = { level, data, ...(logger === undefined ? {} : { logger }) };
    const sessionId = this.sessionId ?? this.header(SESSION);
    return sendQuietly(() => sendLog(this.#target, this.raw, params, sessionId));
  }
}

/** The least that SDK v1 accepts in place of a zod schema. */
const ANYTHING = {
  parse: (data: unknown) => data,
  safeParse: (data: unknown) => ({ success: true, data }),
};

// SDK v1 keeps the level of a client under this header when the transport has no session id of its own.
const SESSION = 'mcp-session-id';

/**
 * `sendLoggingMessage` respects the level that the client set, but its message belongs to no request, so a client
 * without a standalone stream never receives it. Therefore its `notification` is replaced for one call.
 */
function sendLog(
  target: AttachedServer,
  { sendNotification }: SdkV1Extra,
  params: unknown,
  sessionId: string | undefined,
): unknown {
  if (target.sendLoggingMessage === undefined) {
    return sendNotification?.({ method: 'notifications/message', params });
  }
  const related = Object.create(target, {
    notification: {
      value: async (notification: unknown) => {
        await sendNotification?.(notification);
      },
    },
  }) as AttachedServer;
  return related.sendLoggingMessage?.(params, sessionId);
}
