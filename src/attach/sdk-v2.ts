import type {
  AuthInfo,
  RequestContext,
  ClientDescription,
  LogLevel,
  Retry,
} from '../call/request-context.ts';
import {
  askClient,
  clientUnreachable,
  type AskOptions,
  describeClient,
  sendQuietly,
} from '../runtime/clients/ask-client.ts';
import { membersOf, type PlainObject } from '../shared/json.ts';
import type { RequestHandler, AttachedServer } from './server-target.ts';

/** The second argument of an SDK v2 handler (`ServerContext`). */
export interface SdkV2Context {
  readonly sessionId?: string;
  readonly mcpReq: {
    readonly id?: string | number;
    readonly signal?: AbortSignal;
    readonly _meta?: unknown;
    /** The client, as each request of the 2026 era describes it; in the 2025 era, the handshake does. */
    readonly envelope?: unknown;
    /** The answers of a 2026 client; in the protocol they are members of the params. */
    readonly inputResponses?: unknown;
    readonly requestState?: () => unknown;
    readonly send?: (request: unknown, options: AskOptions) => unknown;
    readonly notify?: (notification: unknown) => unknown;
    readonly log?: (level: string, data: unknown, logger?: string) => unknown;
  };
  readonly http?: {
    readonly authInfo?: AuthInfo;
    /** Ends the response stream of a 2025 request that the client can resume. */
    readonly closeSSE?: () => void;
    readonly req?: { readonly headers: { get(name: string): string | null } };
  };
}

/**
 * Registers a method in the form of SDK v2, which checks params with a Standard Schema (standardschema.dev). Without
 * one, it uses its own schemas for its own methods, and answers invalid params with a dump of its schema library and
 * the code of an internal error.
 */
export function registerWithSdkV2(target: AttachedServer, method: string, handler: RequestHandler): void {
  target.setRequestHandler(method, { params: ANYTHING }, (params, context) =>
    handler({ method, params }, context),
  );
}

const ANYTHING = {
  '~standard': { version: 1, vendor: 'toolwright', validate: (value: unknown) => ({ value }) },
};

/** One request as SDK v2 hands it to its handlers. */
export class SdkV2Request implements RequestContext {
  readonly signal: AbortSignal;
  readonly meta: PlainObject;
  readonly retry: Retry | undefined;
  readonly raw: SdkV2Context;
  readonly #target: AttachedServer;

  constructor(target: AttachedServer, context: SdkV2Context) {
    const { mcpReq } = context;
    this.signal = mcpReq.signal ?? new AbortController().signal;
    this.meta = membersOf(mcpReq._meta);
    this.retry = mcpReq.envelope === undefined ? undefined : retryOf(mcpReq);
    this.raw = context;
    this.#target = target;
  }

  get requestId(): string | number {
    return this.raw.mcpReq.id ?? '';
  }
  get sessionId(): string | undefined {
    return this.raw.sessionId;
  }
  get authInfo(): AuthInfo | undefined {
    return this.raw.http?.authInfo;
  }
  get releaseStream(): (() => void) | undefined {
    return this.raw.http?.closeSSE;
  }

  client(): ClientDescription {
    const envelope = membersOf(this.raw.mcpReq.envelope);
    return describeClient(
      envelope['io.modelcontextprotocol/clientInfo'] ?? this.#target.getClientVersion?.(),
      envelope['io.modelcontextprotocol/clientCapabilities'] ?? this.#target.getClientCapabilities?.(),
    );
  }

  header(name: string): string | undefined {
    return this.raw.http?.req?.headers.get(name) ?? undefined;
  }

  notify(method: string, params: PlainObject): Promise<void> {
    return sendQuietly(() => this.raw.mcpReq.notify?.({ method, params }));
  }

  async request(method: string, params: PlainObject): Promise<unknown> {
    const { mcpReq } = this.raw;
    // Protocol 2026-07-28 has no requests to the client any more; an envelope comes with that era only.
    const isEarlierEra = mcpReq.envelope === undefined;
    const isKnown = this.#target.getClientCapabilities?.() !== undefined;
    const { send } = mcpReq;
    if (!isEarlierEra || !isKnown || send === undefined) throw clientUnreachable(method);
    return askClient(method, this.signal, (options) => send.call(mcpReq, { method, params }, options));
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    return sendQuietly(() => this.raw.mcpReq.log?.(level, data, logger));
  }
}

function retryOf({ inputResponses, requestState }: SdkV2Context['mcpReq']): Retry {
  const state = requestState?.();
  return {
    requestState: typeof state === 'string' ? state : undefined,
    inputResponses: membersOf(inputResponses),
  };
}
