import type { AuthInfo } from '../../../call/call-exchange.ts';
import type { SurfaceChange } from '../../../call/notifier.ts';
import { Cancellation } from '../../../call/call-context.ts';
import type { AskOptions } from '../../../runtime/ask-client.ts';
import { offersTasks, taskPortOf, type TaskConnection } from '../../../runtime/tasks/task-port.ts';
import type { ServedClient } from '../../../runtime/service-request.ts';
import { isObject } from '../../../shared/json.ts';
import type { ShortCall } from '../../dispatched-call.ts';
import type { Dispatcher } from '../../dispatcher.ts';
import type { HttpCarrier, RequestPeer } from '../../request-peer.ts';
import type { RpcRequest } from '../../rpc-request.ts';
import { type Reply, cancelledId, isRequest, reasonOf } from '../../json-rpc/message.ts';
import { dispatcherOf, type ServerSurface } from '../../server-surface.ts';
import { ClientRequests, type ReplyRouter } from './client-requests.ts';
import { LocalPeer, type ConnectedSession } from './local-peer.ts';
import type { SessionState } from './session-methods.ts';
import { newSession, subscribe, unsubscribe, wantsLevel, type SessionRecord } from './session-record.ts';

/** What carries the messages of one client. */
export interface ConnectionWire {
  /** @param relatedRequestId the request of the client that the message belongs to */
  send(message: object, relatedRequestId?: string | number): Promise<void>;
  /** Sends the answer to a request. */
  reply(reply: Reply, id: string | number): Promise<void>;
}

export interface Connection2025Options {
  readonly sessionId?: string | undefined;
  readonly owner?: string | undefined;
  /** False where requests to the client would be lost. */
  readonly canAsk: boolean;
  /** False where log messages would be lost. */
  readonly canLog: boolean;
  /** False where the connection ends with the answer of one request. */
  readonly isLasting: boolean;
  readonly replies?: ReplyRouter;
}

/** What a transport knows of a message beside the message. */
export interface MessageOrigin {
  readonly authInfo?: AuthInfo | undefined;
  readonly http?: HttpCarrier | undefined;
  /** Ends the response for a client that comes back. */
  readonly releaseStream?: (() => void) | undefined;
}

/**
 * One client of the revisions up to 2025-11-25, as long as it is connected: takes its messages, runs its requests and
 * asks it. What has to be remembered of the client is in its record.
 */
export class Connection2025 implements SessionState, ConnectedSession {
  record: SessionRecord;
  readonly #surface: ServerSurface;
  readonly #dispatcher: Dispatcher;
  readonly #wire: ConnectionWire;
  readonly #options: Connection2025Options;
  readonly #requests: ClientRequests;
  readonly #running = new Map<unknown, Cancellation>();
  #client: ServedClient | undefined;

  constructor(surface: ServerSurface, wire: ConnectionWire, options: Connection2025Options) {
    const { sessionId, owner, replies } = options;
    this.#surface = surface;
    this.#dispatcher = dispatcherOf(surface);
    this.#wire = wire;
    this.#options = options;
    this.#requests = new ClientRequests((message, related) => wire.send(message, related), replies);
    this.record = newSession(sessionId ?? crypto.randomUUID(), owner);
  }

  get canAsk(): boolean {
    return this.#options.canAsk && this.record.client !== undefined;
  }

  /** What the service keeps for the client. */
  get client(): ServedClient {
    return (this.#client ??= this.#createClient());
  }

  /** Takes any message of the protocol. */
  receive(message: unknown, origin: MessageOrigin = {}): void {
    if (isRequest(message)) this.#run(message, origin);
    else if ('method' in (message as object)) this.#hear(message as Notification);
    else if (!this.#requests.receive(message as object)) {
      this.report(new Error('The client replied to a request that is not open'));
    }
  }

  get canLog(): boolean {
    return this.#options.canLog;
  }

  get isLasting(): boolean {
    return this.#options.isLasting;
  }

  /** How a request is answered. */
  find(request: RpcRequest): ShortCall {
    return this.#dispatcher.find2025(request, this);
  }

  peerOf(id: string | number, cancellation: Cancellation, origin: MessageOrigin): RequestPeer {
    const { authInfo, http, releaseStream } = origin;
    const { canLog, sessionId } = this.#options;
    return new LocalPeer(this, id, {
      authInfo,
      http,
      releaseStream,
      canLog,
      service: this.#surface.service,
      cancellation,
      sessionId,
    });
  }

  send(message: object, relatedRequestId?: string | number): Promise<void> {
    return this.#wire.send({ ...message, jsonrpc: '2.0' }, relatedRequestId);
  }

  ask(question: object, options: AskOptions, relatedRequestId: string | number): Promise<unknown> {
    return this.#requests.ask(question as { method: string }, options, relatedRequestId);
  }

  /** Tells the client of a change, if it wants to know. Never throws. */
  notify(change: SurfaceChange): void {
    const { service } = this.#surface;
    if (!this.#options.isLasting) return;
    const isResource = change.kind === 'resource';
    if (service[isResource ? 'resources' : change.kind] === undefined) return;
    if (!isResource) {
      this.#announce({ method: `notifications/${change.kind}/list_changed` });
      return;
    }
    const { uri } = change;
    // What was switched off since the client subscribed is hidden from it altogether.
    if (!this.record.subscriptions.includes(uri) || service.resources?.knows(uri) === false) return;
    this.#announce({ method: 'notifications/resources/updated', params: { uri } });
  }

  /** Aborts what runs, and what was asked; there is nobody to answer any more. */
  end(): void {
    for (const cancellation of this.#running.values()) cancellation.cancel();
    this.#running.clear();
    this.#requests.end();
  }

  readonly report = (cause: Error): void => {
    this.#surface.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };

  #run(request: RpcRequest, origin: MessageOrigin): void {
    const { id } = request;
    const call = this.find(request);
    if (call.kind === 'answered') {
      this.#reply(call.reply, id);
      return;
    }
    const cancellation = new Cancellation();
    this.#running.set(id, cancellation);
    call.run(this.peerOf(id, cancellation, origin), (reply) => {
      if (this.#running.get(id) === cancellation) this.#running.delete(id);
      // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
      if (!cancellation.isCancelled) this.#reply(reply, id);
    });
  }

  #reply(reply: Reply, id: string | number): void {
    this.#wire.reply(reply, id).catch(this.report);
  }

  #hear(notification: Notification): void {
    const { method, params } = notification;
    if (method === 'notifications/cancelled') this.#cancel(cancelledId(notification), reasonOf(notification));
    if (method !== 'notifications/progress') return;
    const token = isObject(params) ? params['progressToken'] : undefined;
    if (!this.#requests.progress(token)) {
      this.report(new Error('The client told of progress of a request that is not open'));
    }
  }

  #cancel(id: unknown, reason: unknown): void {
    const cancellation = this.#running.get(id);
    this.#running.delete(id);
    cancellation?.cancel(reason);
  }

  #announce(notification: object): void {
    // A client that went away needs no news.
    this.send(notification).catch(() => undefined);
  }

  #createClient(): ServedClient {
    const record = (): SessionRecord => this.record;
    const subscriptions = {
      add: (uri: string) => (this.record = subscribe(this.record, uri)),
      remove: (uri: string) => (this.record = unsubscribe(this.record, uri)),
    };
    return {
      tasks: offersTasks(this.#surface.service) ? taskPortOf(this.#taskConnection(), '2025') : undefined,
      // Without an introduction the connection ends with its request, and the subscription with it.
      get subscriptions() {
        return record().client === undefined ? undefined : subscriptions;
      },
      isLocal: false,
    };
  }

  /** The connection as the methods of tasks know it, which go on when their request is answered. */
  #taskConnection(): TaskConnection {
    return {
      transport: this,
      getClientCapabilities: () => this.record.client?.capabilities,
      notification: (notification) => this.send(notification as object),
      sendLoggingMessage: async (params) => {
        const { level } = params as { level: never };
        if (this.#options.canLog && wantsLevel(this.record, level)) {
          await this.send({ method: 'notifications/message', params });
        }
      },
    };
  }
}

interface Notification {
  readonly method: string;
  readonly params?: unknown;
}
