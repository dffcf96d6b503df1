import type { AuthInfo, ClientDescription, Subject } from '../call/request-context.ts';
import { subjectOf } from '../call/subject.ts';
import { EncodedResult } from '../kernel/call/outcome.ts';
import { describeClient } from '../runtime/clients/ask-client.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import {
  OTHER,
  type Observation,
  type ObservedEnd,
  type ObservedNotification,
  type ObservedRequest,
  type Telemetry,
} from '../kernel/call/telemetry.ts';
import { REVISIONS_2026 } from '../shared/protocol.ts';
import { jsonRpcCodes } from './json-rpc/json-rpc-error.ts';
import { metaOf, type Members, type Reply } from './json-rpc/message.ts';
import { ENVELOPE, METHODS_2025, METHODS_2026, REVISIONS_2025 } from './protocol.ts';
import type { EngineReply, HttpCarrier, RpcRequest } from './revision.ts';

/** Whom a request came from: over HTTP, or over another connection. */
export type Sender =
  | HttpCarrier
  | {
      readonly isLocal: boolean;
      readonly authInfo?: AuthInfo | undefined;
      readonly surface?: string | undefined;
    };

/** The session of a request, as far as it has one. */
interface SessionFacts {
  readonly sessionId?: string | undefined;
  readonly record: {
    readonly revision: string | undefined;
    readonly client: { readonly info: Members } | undefined;
  };
}

/**
 * Observes what the engine answers itself, handshakes and faults of the envelope among it, as the service observes what
 * it answers.
 */
export function observeAnswer<Own extends EngineReply>(
  request: RpcRequest,
  own: Own,
  { observer }: Pick<ServiceSettings, 'observer'>,
  sender: Sender,
  session?: SessionFacts,
): Own {
  if (observer === undefined) return own;
  const reply = written(own.reply);
  const answered = new EngineAnswer(request, reply, sender, session);
  const observation = observer.begin(answered, answered);
  answered.observation = observation;
  const ended = (): void => observation.end(endOf(reply));
  if (own.stored === undefined) ended();
  else own.stored.then(ended, () => observation.end(endOf(NOT_STORED)));
  return { ...own, reply };
}

const NOT_STORED: Reply = { error: { code: jsonRpcCodes.internalError, message: 'Internal error' } };

/** Its size is known then, and it is written once. */
function written(reply: Reply): Reply {
  return 'error' in reply || reply instanceof EncodedResult ? reply : new EncodedResult(reply.result);
}

/** What the engine answers, as telemetry and the access log know it. */
class EngineAnswer implements ObservedRequest {
  readonly method: string;
  readonly action = undefined;
  readonly uri = undefined;
  readonly callTrace = undefined;
  readonly protocolVersion: string | undefined;
  readonly sessionId: string | undefined;
  readonly retry = undefined;
  observation: Observation | undefined;
  readonly #request: RpcRequest;
  readonly #http: HttpCarrier | undefined;
  readonly #isLocal: boolean;
  readonly #session: SessionFacts | undefined;

  constructor(request: RpcRequest, reply: Reply, sender: Sender, session: SessionFacts | undefined) {
    const { method } = request;
    this.#request = request;
    this.#http = 'headers' in sender ? sender : undefined;
    this.#isLocal = 'isLocal' in sender && sender.isLocal;
    this.method = METHODS_2025.has(method) || METHODS_2026.has(method) ? method : OTHER;
    this.#session = session;
    this.sessionId = session?.sessionId;
    this.protocolVersion =
      revisionOf(request, reply, session) ?? servedRevision(this.header(REVISION_HEADER));
  }

  // What it names was not looked up
  get tool(): string | undefined {
    return this.method === 'tools/call' ? OTHER : undefined;
  }
  get prompt(): string | undefined {
    return this.method === 'prompts/get' ? OTHER : undefined;
  }
  get resource(): string | undefined {
    return this.method === 'resources/read' ? OTHER : undefined;
  }
  get requestId(): string | number {
    return this.#request.id;
  }
  get carrier(): ObservedRequest['carrier'] {
    if (this.#http !== undefined) return 'http';
    return this.#isLocal ? 'stdio' : undefined;
  }
  get httpVersion(): string | undefined {
    return this.#http?.httpVersion;
  }
  get address(): string | undefined {
    return this.#http?.address;
  }
  get port(): number | undefined {
    return this.#http?.port;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#http?.authInfo;
  }
  get isAnonymous(): boolean {
    return this.authInfo === undefined && !this.#isLocal;
  }
  get subject(): Subject | undefined {
    return subjectOf(this.authInfo);
  }
  get meta(): Members {
    return metaOf(this.#request) ?? {};
  }

  client(): ClientDescription {
    const introduced = this.#request.params?.['clientInfo'] ?? this.#session?.record.client?.info;
    return describeClient(this.meta[ENVELOPE.clientInfo] ?? introduced, undefined);
  }

  header(name: string): string | undefined {
    return this.#http?.headers.get(name.toLowerCase()) ?? undefined;
  }

  argumentsText(): undefined {
    return undefined;
  }
}

const REVISION_HEADER = 'mcp-protocol-version';

/** A revision that is served: callers write what they like. */
function revisionOf(
  request: RpcRequest,
  reply: Reply,
  session: SessionFacts | undefined,
): string | undefined {
  const agreed = request.method === 'initialize' && 'result' in reply ? (reply.result as Members) : undefined;
  if (agreed !== undefined) return servedRevision(agreed['protocolVersion']);
  return servedRevision(metaOf(request)?.[ENVELOPE.protocolVersion]) ?? session?.record.revision;
}

function servedRevision(named: unknown): string | undefined {
  return [...REVISIONS_2026, ...REVISIONS_2025].find((revision) => revision === named);
}

function endOf(reply: Reply): ObservedEnd {
  const code = 'error' in reply ? reply.error.code : undefined;
  return {
    errorType: code === undefined ? undefined : String(code),
    status: code,
    errorCode: undefined,
    resultType: code === undefined ? 'complete' : undefined,
    isReplayed: false,
    consent: undefined,
    size: reply instanceof EncodedResult ? reply.bytes.length : undefined,
    resultText: () => undefined,
  };
}

/** What clients send; further names are `_OTHER`. */
const NOTIFICATIONS = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

/** Reports a notification of a client; replies are no notifications. */
export function observeNotification(
  message: object,
  { telemetry }: { readonly telemetry?: Telemetry | undefined },
  sender: Sender,
  session: SessionFacts | undefined,
): void {
  if (telemetry?.notified === undefined) return;
  const { method } = message as { readonly method?: unknown };
  if (typeof method !== 'string') return;
  telemetry.notified({
    method: NOTIFICATIONS.has(method) ? method : OTHER,
    sessionId: session?.sessionId,
    ...readSender(sender, metaOf(message) ?? {}, session?.record.revision),
  } satisfies ObservedNotification);
}

function readSender(
  sender: Sender,
  meta: Members,
  agreed: string | undefined,
): Omit<ObservedNotification, 'method' | 'sessionId'> {
  const claimed = servedRevision(meta[ENVELOPE.protocolVersion]) ?? agreed;
  const isAnonymous = sender.authInfo === undefined;
  if (!('headers' in sender)) {
    const { isLocal } = sender;
    const unknown = { httpVersion: undefined, address: undefined, port: undefined, header: () => undefined };
    const carrier = isLocal ? 'stdio' : undefined;
    return { ...unknown, carrier, meta, isAnonymous: isAnonymous && !isLocal, protocolVersion: claimed };
  }
  const { headers, httpVersion, address, port } = sender;
  const header = (name: string): string | undefined => headers.get(name.toLowerCase()) ?? undefined;
  const protocolVersion = claimed ?? servedRevision(header(REVISION_HEADER));
  return { carrier: 'http', httpVersion, address, port, isAnonymous, meta, header, protocolVersion };
}
