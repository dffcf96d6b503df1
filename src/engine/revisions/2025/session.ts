import { isObject } from '../../../shared/json.ts';
import type { SurfaceChange } from '../../../call/notifier.ts';
import type { ServedClient } from '../../../runtime/service-request.ts';
import type { McpService } from '../../../runtime/service.ts';
import { offersTasks, taskPortOf, type TaskConnection } from '../../../runtime/tasks/task-port.ts';

import type { QuestionLimits } from '../../revision.ts';
import { ClientRequests, type ReplyRouter, type SendRelated } from './client-requests.ts';
import type { SessionState } from './handshake.ts';
import {
  newSession,
  subscribe,
  unsubscribe,
  wantsLevel,
  type ClientSession,
  type SessionRecord,
} from './session-record.ts';

export interface SessionOptions {
  readonly service: McpService;
  /** Sends a message that belongs to a request of the client, or to none. */
  readonly send: SendRelated;
  /** Told of what the client sends for nothing. */
  readonly report: (cause: Error) => void;
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

/**
 * One client of the revisions up to 2025-11-25, as long as it is connected: it is asked, and told of changes. What has
 * to be remembered of the client is in its record.
 */
export class Session implements SessionState, ClientSession {
  record: SessionRecord;
  readonly canLog: boolean;
  readonly isLasting: boolean;
  /** What the service keeps for the client. */
  readonly client: ServedClient;
  readonly #options: SessionOptions;
  readonly #requests: ClientRequests;

  constructor(options: SessionOptions) {
    const { sessionId, owner, replies, send, canLog, isLasting } = options;
    this.#options = options;
    this.canLog = canLog;
    this.isLasting = isLasting;
    this.#requests = new ClientRequests(send, replies);
    this.record = newSession(sessionId ?? crypto.randomUUID(), owner);
    this.client = this.#createClient();
  }

  get canAsk(): boolean {
    return this.#options.canAsk && this.record.client !== undefined;
  }

  ask(question: object, limits: QuestionLimits, relatedRequestId: string | number): Promise<unknown> {
    return this.#requests.ask(question as { method: string }, limits, relatedRequestId);
  }

  /** Takes what is no request: replies, and what the client tells of its work on a question. */
  receive(message: object): void {
    if (!('method' in message)) {
      if (!this.#requests.receive(message)) this.#report('replied to a request that is not open');
      return;
    }
    const { method, params } = message as { readonly method: unknown; readonly params?: unknown };
    if (method !== 'notifications/progress') return;
    const token = isObject(params) ? params['progressToken'] : undefined;
    if (!this.#requests.progress(token)) this.#report('told of progress of a request that is not open');
  }

  /** Tells the client of a change, if it wants to know. Never throws. */
  notify(change: SurfaceChange): void {
    const { service } = this.#options;
    if (!this.isLasting) return;
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

  /** Nothing that was asked will be answered. */
  end(): void {
    this.#requests.end();
  }

  #announce(notification: object): void {
    // A client that went away needs no news.
    this.#send(notification).catch(() => undefined);
  }

  #send(notification: object): Promise<void> {
    return this.#options.send({ ...notification, jsonrpc: '2.0' }, undefined);
  }

  #report(what: string): void {
    this.#options.report(new Error(`The client ${what}`));
  }

  #createClient(): ServedClient {
    const record = (): SessionRecord => this.record;
    const subscriptions = {
      add: (uri: string) => (this.record = subscribe(this.record, uri)),
      remove: (uri: string) => (this.record = unsubscribe(this.record, uri)),
    };
    return {
      tasks: offersTasks(this.#options.service) ? taskPortOf('2025', this.#taskConnection()) : undefined,
      // Without an introduction the connection ends with its request, and the subscription with it.
      get subscriptions() {
        return record().client === undefined ? undefined : subscriptions;
      },
      isLocal: false,
    };
  }

  /** The connection as tasks know it, which go on when their request is answered. */
  #taskConnection(): TaskConnection {
    const idOf = (): string | undefined => (this.record.client === undefined ? undefined : this.record.id);
    return {
      get id() {
        return idOf();
      },
      notify: (method, params) => this.#send({ method, params }),
      log: async (params) => {
        if (!this.canLog || !wantsLevel(this.record, params.level)) return;
        await this.#send({ method: 'notifications/message', params });
      },
    };
  }
}
