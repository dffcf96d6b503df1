import { concerns, type ChangeNotice } from '../../../call/notifier.ts';
import { maySee } from '../../../runtime/clients/changes.ts';
import { ANONYMOUS } from '../../../runtime/requirements/authorization.ts';
import type { CallerFacts } from '../../../kernel/call/authority.ts';
import type { ServedClient } from '../../../kernel/call/service-request.ts';
import type { McpService } from '../../../runtime/service.ts';
import { observeLife } from '../../../kernel/call/telemetry.ts';
import { offersTasks, taskPortOf, type TaskConnection } from '../../../runtime/tasks/task-port.ts';

import { thenMaybe, type MaybePromise } from '../../../shared/maybe-promise.ts';
import type { QuestionLimits } from '../../revision.ts';
import {
  ClientRequests,
  instanceOf,
  requestOf,
  type ClientMessage,
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
import type { SessionLink } from './session-link.ts';
import { ReplyWatch } from './reply-watch.ts';
import type { HeldRecord } from './shared-records.ts';

/** Why a session ends early: its client was silent for too long, or others needed its place. */
export type SessionFailure = 'timeout' | 'evicted';

export interface SessionOptions {
  readonly service: McpService;
  /** Sends a message that belongs to a request of the client, or to none. */
  readonly send: SendRelated;
  /** Told of what the client sends for nothing. */
  readonly report: (cause: Error) => void;
  readonly sessionId?: string | undefined;
  readonly owner?: string | undefined;
  /** Of a session that was opened elsewhere. */
  readonly held?: HeldRecord | undefined;
  /** Undefined where no other instance can go on with it. */
  readonly link?: SessionLink | undefined;
  /** False where requests to the client would be lost. */
  readonly canAsk: boolean;
  /** False where log messages would be lost. */
  readonly canLog: boolean;
  /** False where the connection ends with the answer of one request. */
  readonly isLasting: boolean;
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
  readonly #requests: ClientRequests;
  /** Undefined where no other instance receives replies. */
  readonly #watch: ReplyWatch | undefined;
  #record: SessionRecord;
  /** Of the record, in the store. */
  #version: number;
  /** What its client may see is what its latest request could see. */
  #latest: CallerFacts = ANONYMOUS;

  readonly #over: (() => void) | undefined;
  #failure: SessionFailure | undefined;

  constructor(options: SessionOptions) {
    const { service, sessionId, owner, link, held, send, canLog, isLasting } = options;
    this.#options = options;
    this.canLog = canLog;
    this.isLasting = isLasting;
    const own = crypto.randomUUID().slice(0, 8);
    const name = (): string => link?.nameQuestion() ?? `${own}-${crypto.randomUUID()}`;
    this.#requests = new ClientRequests(send, name);
    this.#watch = link && new ReplyWatch(() => void this.lookForReplies());
    this.#record = held?.record ?? newSession(sessionId ?? crypto.randomUUID(), owner, link?.instance);
    this.#version = held?.version ?? 0;
    this.client = this.#createClient();
    const { telemetry } = service.settings;
    // One that another instance began is counted there
    if (isLasting && held === undefined)
      this.#over = observeLife(
        telemetry,
        'toolwright.sessions.active',
        'mcp.server.session.duration',
        () => ({
          'network.transport': 'tcp',
          ...(this.#record.revision !== undefined && { 'mcp.protocol.version': this.#record.revision }),
          ...(this.#failure !== undefined && { 'error.type': this.#failure }),
        }),
      );
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get held(): HeldRecord {
    return { record: this.#record, version: this.#version };
  }

  /** Where others go on with the session, too, the promise resolves when the change is stored. */
  change(update: (record: SessionRecord) => SessionRecord): MaybePromise<void> {
    const { link } = this.#options;
    if (link === undefined) {
      this.#record = update(this.#record);
      return undefined;
    }
    return link.change(this.held, update).then((held) => {
      this.refresh(held);
    });
  }

  /** Takes over what is stored, unless a later change is known here. */
  refresh({ record, version }: HeldRecord): void {
    if (version > this.#version) [this.#record, this.#version] = [record, version];
  }

  /**
   * Learns what others have changed, where they can do so.
   * @returns false for a session that has ended
   */
  async reload(): Promise<boolean> {
    const { link } = this.#options;
    // While the store fails, what is known here counts
    const held = link === undefined ? this.held : await link.load(this.held).catch(() => this.held);
    if (held !== undefined) this.refresh(held);
    return held !== undefined;
  }

  get sessionId(): string | undefined {
    return this.#options.sessionId;
  }

  get canAsk(): boolean {
    return this.#options.canAsk && this.record.client !== undefined;
  }

  ask(question: object, limits: QuestionLimits, relatedRequestId: string | number): Promise<unknown> {
    const answer = this.#requests.ask(question as { method: string }, limits, relatedRequestId);
    return this.#watch === undefined ? answer : answer.finally(this.#watch.begin());
  }

  /**
   * The client is back which had lost the stream of some requests: it is asked again what it has not answered.
   * @param requests undefined among them for what belongs to none
   * @param replayed ids of questions that the client is sent again anyway
   */
  async askAgain(requests: readonly unknown[], replayed: ReadonlySet<unknown>): Promise<void> {
    await this.lookForReplies();
    this.#requests.askAgain(requests, replayed);
  }

  /** Takes the replies that other instances have stored. */
  async lookForReplies(): Promise<void> {
    for (const id of this.#requests.openIds) {
      const reply = await this.#options.link?.takeReply(id).catch(() => undefined);
      if (reply !== undefined) this.takeReply(reply);
    }
  }

  /**
   * Takes replies, and the progress of questions; other notifications say nothing to a server. The promise resolves when
   * a reply cannot be lost any more.
   * @throws SessionsUnavailable for a reply that cannot reach the instance which asked
   */
  receive(message: ClientMessage): MaybePromise<void> {
    const { method } = message;
    if (method !== undefined && method !== 'notifications/progress') return undefined;
    if (this.takeReply(message)) return undefined;
    const passing = this.#passOn(message);
    if (method === undefined) return passing;
    void passing;
    return undefined;
  }

  /** Takes what another instance passed on; false for a question that is not open here. */
  takeReply(message: ClientMessage): boolean {
    return this.#requests.receive(message);
  }

  /** Notifies the client of a change, if it subscribed. Never throws. */
  notify(change: ChangeNotice): void {
    const { service, link } = this.#options;
    if (!this.isLasting || !concerns(change, this.record.owner)) return;
    // Each instance learns of each change: the one with the stream says so
    if (link !== undefined && this.record.stream !== link.instance) return;
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

  /** Nothing that was asked will be answered. @param failure why it ends, unless its client or the server wants it */
  end(failure?: SessionFailure): void {
    this.#failure = failure;
    this.#requests.end();
    this.#over?.();
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
    const { link } = this.#options;
    const isOther = instance !== undefined && instance !== link?.instance;
    if (isOther && (await link?.passOn(instance, message)) === true) return;
    const what = 'method' in message ? 'told of progress of' : 'replied to';
    this.#options.report(new Error(`The client ${what} a request that is not open`));
  }

  #createClient(): ServedClient {
    const record = (): SessionRecord => this.record;
    const subscriptions = {
      add: (uri: string) => this.change((record) => subscribe(record, uri)),
      remove: (uri: string) => this.change((record) => unsubscribe(record, uri)),
      servedFor: (request: CallerFacts) => {
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
