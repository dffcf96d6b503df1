import { concerns, type ChangeNotice } from '../../../call/notifier.ts';
import { maySee } from '../../../runtime/changes.ts';
import { ANONYMOUS, type CheckedRequest } from '../../../runtime/requirements/authorization.ts';
import type { ServedClient } from '../../../runtime/service-request.ts';
import type { McpService } from '../../../runtime/service.ts';
import { offersTasks, taskPortOf, type TaskConnection } from '../../../runtime/tasks/task-port.ts';

import { thenMaybe, type MaybePromise } from '../../../shared/maybe-promise.ts';
import type { QuestionLimits } from '../../revision.ts';
import {
  ClientRequests,
  instanceOf,
  LocalReplies,
  requestOf,
  type ClientMessage,
  type ReplyRouter,
  type SendRelated,
} from './client-requests.ts';
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
  /** Of a session that was opened elsewhere. */
  readonly record?: SessionRecord | undefined;
  /** Keeps a record that has changed, where others go on with the session. */
  readonly save?: ((record: SessionRecord) => MaybePromise<void>) | undefined;
  /** False where requests to the client would be lost. */
  readonly canAsk: boolean;
  /** False where log messages would be lost. */
  readonly canLog: boolean;
  /** False where the connection ends with the answer of one request. */
  readonly isLasting: boolean;
  /** Brings replies to the instance that asked; by default this one is alone. */
  readonly replies?: ReplyRouter | undefined;
}

/**
 * One client of the revisions up to 2025-11-25, as long as it is connected: it is asked, and told of changes. What has
 * to be remembered of the client is in its record.
 */
export class Session implements SessionState, ClientSession {
  readonly canLog: boolean;
  readonly isLasting: boolean;
  /** What the service keeps for the client. */
  readonly client: ServedClient;
  readonly #options: SessionOptions;
  readonly #replies: ReplyRouter;
  readonly #requests: ClientRequests;
  #record: SessionRecord;
  /** What its client may see is what its latest request could see. */
  #latest: CheckedRequest = ANONYMOUS;
  /** How many changes are being stored. */
  #unstored = 0;
  #changes = 0;

  constructor(options: SessionOptions) {
    const { sessionId, owner, replies, send, canLog, isLasting } = options;
    this.#options = options;
    this.canLog = canLog;
    this.isLasting = isLasting;
    this.#replies = replies ?? new LocalReplies();
    this.#requests = new ClientRequests(send, this.#replies.instance);
    this.#record = options.record ?? newSession(sessionId ?? crypto.randomUUID(), owner);
    this.client = this.#createClient();
  }

  get record(): SessionRecord {
    return this.#record;
  }

  /** Remembers it; where others go on with the session, too, it is stored when the promise resolves. */
  change(record: SessionRecord): MaybePromise<void> {
    if (record === this.#record) return undefined;
    const stored = this.#options.save?.(record);
    this.#record = record;
    this.#changes += 1;
    if (!(stored instanceof Promise)) return undefined;
    this.#unstored += 1;
    return stored.finally(() => {
      this.#unstored -= 1;
    });
  }

  /** Counts the changes made here. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Takes over changes that other instances have stored.
   * @param changes the count before the record was loaded: what was changed here since then is newer
   */
  refresh(record: SessionRecord, changes: number): void {
    if (this.#unstored === 0 && this.#changes === changes) this.#record = record;
  }

  get canAsk(): boolean {
    return this.#options.canAsk && this.record.client !== undefined;
  }

  ask(question: object, limits: QuestionLimits, relatedRequestId: string | number): Promise<unknown> {
    return this.#requests.ask(question as { method: string }, limits, relatedRequestId);
  }

  /** Takes replies, and the progress of questions; other notifications say nothing to a server. */
  receive(message: ClientMessage): void {
    const { method } = message;
    if (method !== undefined && method !== 'notifications/progress') return;
    if (!this.takeReply(message)) void this.#passOn(message);
  }

  /** Takes what another instance passed on; false for a question that is not open here. */
  takeReply(message: ClientMessage): boolean {
    return this.#requests.receive(message);
  }

  /** Notifies the client of a change, if it subscribed. Never throws. */
  notify(change: ChangeNotice): void {
    const { service } = this.#options;
    if (!this.isLasting || !concerns(change, this.record.owner)) return;
    const isResource = change.kind === 'resource';
    if (service[isResource ? 'resources' : change.kind] === undefined) return;
    if (!isResource) {
      this.#announce({ method: `notifications/${change.kind}/list_changed` });
      return;
    }
    const { uri } = change;
    // A resource that was disabled after the subscription is hidden from the client completely.
    if (!this.record.subscriptions.includes(uri) || service.resources?.knows(uri) === false) return;
    void thenMaybe(maySee(service, uri, this.#latest), (isSeen) => {
      if (isSeen) this.#announce({ method: 'notifications/resources/updated', params: { uri } });
    });
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

  /** To the instance that asked. */
  async #passOn(message: ClientMessage): Promise<void> {
    const instance = instanceOf(requestOf(message));
    const isOther = instance !== undefined && instance !== this.#replies.instance;
    try {
      if (isOther && (await this.#replies.send(instance, this.record.id, message))) return;
    } catch (cause) {
      this.#options.report(cause as Error);
    }
    const what = 'method' in message ? 'told of progress of' : 'replied to';
    this.#options.report(new Error(`The client ${what} a request that is not open`));
  }

  #createClient(): ServedClient {
    const record = (): SessionRecord => this.record;
    const subscriptions = {
      add: (uri: string) => this.change(subscribe(this.record, uri)),
      remove: (uri: string) => this.change(unsubscribe(this.record, uri)),
      servedFor: (request: CheckedRequest) => {
        this.#latest = request;
      },
    };
    return {
      tasks: offersTasks(this.#options.service) ? taskPortOf('2025', this.#taskConnection()) : undefined,
      // Without an introduction the connection ends with its request, and the subscription with it.
      get subscriptions() {
        return record().client === undefined ? undefined : subscriptions;
      },
      changes: undefined,
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
