import type { AuthInfo, ClientDescription, LogLevel, Retry } from '../call/request-context.ts';
import type { Cancellation } from '../call/call-context.ts';
import type { Params } from '../kernel/call/request-params.ts';
import {
  wireFailure,
  withoutChallenge,
  type Challenge,
  type FailureOutcome,
  type Outcome,
  type ResultEncoder,
  type StandingOutcome,
} from '../kernel/call/outcome.ts';
import type { ServedClient, ServedContext, Origin } from '../kernel/call/service-request.ts';
import { clientOf2026 } from '../runtime/clients/served-clients.ts';
import type { McpService } from '../runtime/service.ts';
import { isRevisionOf2026, type ProtocolEra } from '../shared/protocol.ts';
import { isRequest, metaOf, type Members, type Reply } from './json-rpc/message.ts';
import { ENVELOPE } from './protocol.ts';
import type {
  HeaderReader,
  HttpCarrier,
  QuestionLimits,
  Revision,
  RpcRequest,
  SentMessage,
} from './revision.ts';
import type { ClientSession } from './revisions/2025/session-record.ts';
import { isValidEnvelope } from './revisions/2026-07-28/revision-2026.ts';
import type { Logger } from '../call/logger.ts';
import type { ChangeNotice } from '../call/notifier.ts';
import { Changes } from '../runtime/clients/changes.ts';
import { jsonRpcCodes } from './json-rpc/json-rpc-error.ts';

const NOTHING: Params = Object.freeze({});

/**
 * A request while it is served, as its handler sees it. Each transport has its own subclass, which knows the sender.
 * Notifications after the reply are dropped (spec: basic/utilities/progress, Behavior Requirements).
 */
export abstract class ServedMessage implements SentMessage, ServedContext, Origin {
  readonly message: RpcRequest;
  readonly cancellation: Cancellation;
  readonly #revision: Revision;
  #meta: Params | undefined;
  #retry: Retry | undefined;

  constructor(revision: Revision, message: RpcRequest, cancellation: Cancellation) {
    this.#revision = revision;
    this.message = message;
    this.cancellation = cancellation;
  }

  /** The state that the server keeps for the client of the request. */
  abstract readonly served: ServedClient;
  abstract readonly session: ClientSession | undefined;
  abstract readonly sessionId: string | undefined;
  abstract readonly authInfo: AuthInfo | undefined;
  abstract readonly http: HttpCarrier | undefined;
  abstract readonly releaseStream: (() => void) | undefined;
  abstract readonly canLog: boolean;
  abstract send(notification: object): Promise<void>;
  abstract ask(question: object, options: QuestionLimits): Promise<unknown>;
  /** Whether its response can still have a status of its own. */
  get canChallenge(): boolean {
    return false;
  }
  /**
   * Receives the reply; called exactly once, unless the request stays open.
   * @param challenge given where that is possible only
   */
  abstract deliver(reply: Reply, challenge?: Challenge): void;
  /** Receives, in place of the reply, a request that stays open. */
  stand(_request: StandingReply): void {
    throw new Error('No request stays open here');
  }

  get method(): string {
    return this.message.method;
  }
  get params(): Params {
    return this.message.params ?? NOTHING;
  }
  /** It is what its handler sees, too. */
  get context(): this {
    return this;
  }
  get requestId(): string | number {
    return this.message.id;
  }
  get carrier(): 'http' | 'local' | undefined {
    return this.http === undefined ? undefined : 'http';
  }
  get encoder(): ResultEncoder {
    return this.#revision;
  }
  get isCancelled(): boolean {
    return this.cancellation.isCancelled;
  }
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
  get meta(): Params {
    const { message } = this;
    const meta = message.params?.['_meta'];
    if (meta === undefined) return NOTHING;
    return (this.#meta ??= this.#revision.metaOf?.(message) ?? (meta as Params));
  }
  get retry(): Retry | undefined {
    return (this.#retry ??= this.#revision.retryOf?.(this.message));
  }
  get address(): string | undefined {
    return this.http?.address;
  }
  get surface(): string | undefined {
    return this.http?.surface;
  }
  get protocolVersion(): string | undefined {
    const { message, session } = this;
    const claimed = metaOf(message)?.[ENVELOPE.protocolVersion];
    if (typeof claimed === 'string') return claimed;
    return session === undefined ? this.header('mcp-protocol-version') : session.record.revision;
  }
  get raw(): unknown {
    return this.#revision.contact.raw(this);
  }

  client(): ClientDescription {
    return this.#revision.contact.describe(this);
  }

  header(name: string): string | undefined {
    return this.http?.headers.get(name.toLowerCase()) ?? undefined;
  }

  notify(method: string, params: Params): Promise<void> {
    return this.#revision.contact.notify(this, method, params);
  }

  request(method: string, params: Params): Promise<unknown> {
    return this.#revision.contact.ask(this, method, params);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    return this.#revision.contact.log(this, level, data, logger);
  }

  /** Has the service answer it. */
  run(service: McpService): void {
    const outcome = service.serve(this);
    if (!(outcome instanceof Promise)) this.#end(outcome);
    else
      void outcome.then((settled) => {
        this.#end(settled);
      });
  }

  #end(outcome: Outcome): void {
    const revision = this.#revision;
    if (outcome.kind === 'failure') return this.#fail(outcome);
    if (outcome.kind === 'standing') return this.#stand(outcome);
    const { value } = outcome;
    if (outcome.kind === 'result' && outcome.encoded !== undefined) this.deliver(outcome.encoded);
    else
      this.deliver({
        result: revision.encode?.(this.message.method, value as Members) ?? value,
      });
  }

  #fail(outcome: FailureOutcome): void {
    const { challenge } = outcome;
    if (challenge !== undefined && !this.canChallenge)
      return this.#end(withoutChallenge(outcome, this.message));
    const error = wireFailure(outcome.error);
    this.deliver({ error: this.#revision.encodeError?.(error) ?? error }, challenge);
  }

  #stand(outcome: StandingOutcome): void {
    const { id } = this.message;
    const form = this.#revision.standing?.(id);
    if (form === undefined) throw new Error('No request of this revision stays open');
    this.stand({
      id,
      end: { result: form.end(outcome.value) },
      open: (write) =>
        outcome.open({
          notify: (method, params) => {
            write(form.notice(method, params));
          },
        }),
    });
  }
}

/** How a request that stays open is answered, in the form of its revision. */
export interface StandingReply {
  readonly id: string | number;
  /** Its reply, which says that nothing was missed. */
  readonly end: Reply;
  /** Begins to write. @returns what ends that; undefined where nothing more will follow */
  open(write: (notification: object) => void): (() => void) | undefined;
}

/**
 * The era that answers a message, even with an error. The body decides, because proxies change headers: the revision in
 * `_meta`, and without one, the revision in the HTTP header. `initialize` exists in the 2025 era only, so it needs a
 * complete envelope to count as a message of 2026-07-28.
 */
export function eraOfMessage(message: unknown, headerRevision?: string): ProtocolEra {
  const method = (message as { readonly method?: unknown } | null)?.method;
  // The server sends no requests in the 2026 era, so a response belongs to the 2025 era.
  if (method === undefined) return '2025';
  const isHandshake = method === 'initialize' && isRequest(message) && !isValidEnvelope(message);
  if (!isHandshake && claims2026(message)) return '2026';
  return headerRevision !== undefined && isRevisionOf2026(headerRevision) ? '2026' : '2025';
}

/** Like {@link eraOfMessage}, for the body of an HTTP request. The 2026 era has no batches. */
export function eraOfBody(body: unknown, headers: Pick<HeaderReader, 'get'>): ProtocolEra {
  if (!Array.isArray(body)) return eraOfMessage(body, headers.get('mcp-protocol-version') ?? undefined);
  return body.some(claims2026) ? '2026' : '2025';
}

/** An invalid claim counts, too: the 2026 era refuses it. */
function claims2026(message: unknown): boolean {
  const meta = metaOf(message);
  return meta !== undefined && ENVELOPE.protocolVersion in meta;
}

/** A client that keeps more requests open is one that forgets to end them. */
const MOST = 1000;
const FULL: Reply = {
  error: {
    code: jsonRpcCodes.serverError,
    message: `This connection has reached its limit of ${String(MOST)} subscriptions`,
  },
};

interface Standing {
  readonly request: StandingReply;
  readonly close: () => void;
}

/** The requests of one connection that stay open (spec 2026-07-28: basic/utilities/subscriptions). */
export class StandingRequests {
  /** Whose requests may stay open here. */
  readonly client: ServedClient;
  readonly #changes: Changes;
  readonly #standing = new Map<unknown, Standing>();

  constructor(service: McpService, logger: Logger) {
    this.#changes = new Changes(service, logger);
    this.client = clientOf2026(this.#changes);
  }

  tell(change: ChangeNotice): void {
    this.#changes.tell(change);
  }

  /** Opens one, which writes from then on. @returns its reply, if it does not stay open */
  open(request: StandingReply, write: (notification: object) => void): Reply | undefined {
    if (this.#standing.size >= MOST) return FULL;
    const close = request.open(write);
    if (close === undefined) return request.end;
    this.#standing.set(request.id, { request, close });
    return undefined;
  }

  /** Its client wants no more. */
  close(id: unknown): void {
    this.#standing.get(id)?.close();
    this.#standing.delete(id);
  }

  /** Nothing is written any more. @returns those that were open */
  closeAll(): readonly StandingReply[] {
    const open = [...this.#standing.values()];
    for (const { request } of open) this.close(request.id);
    return open.map(({ request }) => request);
  }
}
