import { Cancellation } from '../../../call/call-context.ts';
import { revisionsOf } from '../../../engine/served-application.ts';
import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { cancelledId, isRequest, reasonOf, writeMessage } from '../../../engine/json-rpc/message.ts';
import { observeNotification } from '../../../engine/observed-answer.ts';
import type { ServedMessage } from '../../../engine/request.ts';
import type { EngineReply } from '../../../engine/revision.ts';
import type { Revision2025 } from '../../../engine/revisions/2025/revision-2025.ts';
import type { SessionLink } from '../../../engine/revisions/2025/session-link.ts';
import { Session, type SessionFailure } from '../../../engine/revisions/2025/session.ts';
import { type McpService, InFlight } from '../../../runtime/service.ts';
import type { Owner } from '../../../shared/owners/owner-shares.ts';
import type { MaybePromise } from '../../../shared/maybe-promise.ts';
import { SessionEvents } from '../../event-store/session-events.ts';
import { checkStreamAccept } from '../guards/check-head.ts';
import { ACCEPTED, HttpRefusal, JSON_HEADERS, type HttpAnswer, type PlainAnswer } from '../http-answer.ts';
import type { Endpoint, HttpExchange } from '../http-exchange.ts';
import { Channels } from '../streams/channels.ts';
import { StreamedAnswer } from '../streams/streamed-answer.ts';
import {
  admitRequests,
  Batch,
  BatchedMessage,
  NO_SESSION,
  type SessionGiven,
  type SessionOfRequests,
  type SessionMessage,
} from './batch.ts';
import { isReply, readsEmptyEvents } from '../guards/check-post.ts';

/** One session of Streamable HTTP up to 2025-11-25 (spec: basic/transports), with its running requests. */
export class HttpSession implements SessionOfRequests {
  /** Undefined for a batch outside of a session. */
  readonly id: string | undefined;
  readonly owner: Owner;
  readonly context: Endpoint;
  readonly service: McpService;
  readonly revision: Revision2025;
  readonly session: Session;
  readonly channels: Channels;
  readonly link: SessionLink | undefined;
  /** Undefined where lost streams cannot be resumed. */
  readonly events: SessionEvents | undefined;
  /** How many requests may run at the same time. */
  readonly maxCalls: number;
  /** The requests that have no answer yet. */
  readonly running = new Map<unknown, SessionMessage>();
  /** The number of running calls and unanswered requests. */
  readonly activity = new InFlight();
  /** Of an answer in JSON. */
  readonly jsonHeaders: PlainAnswer['headers'];
  readonly now: () => number;
  lastUsed: number;
  /** The number of open streams without a pending request. */
  openStreams = 0;
  /** False until the client's initialize was accepted. */
  isInitialized: boolean;
  readonly #closing = new Cancellation();
  #isAwaited = false;

  constructor(context: Endpoint, given: SessionGiven = NO_SESSION) {
    const { json, keepAlive } = context.settings;
    const { id, owner, settings, held, link, now, onFailure } = given;
    const headers: PlainAnswer['headers'] = id === undefined ? {} : { 'mcp-session-id': id };
    this.id = id;
    this.owner = owner;
    this.link = link;
    this.context = context;
    this.maxCalls = settings.maxCalls;
    this.jsonHeaders = Object.freeze({ ...JSON_HEADERS, ...headers });
    this.now = now;
    this.lastUsed = now();
    this.isInitialized = held !== undefined;
    this.service = context.application.service.admittedBy(this.activity);
    this.revision = revisionsOf(context.application).revision2025;
    const isLasting = id !== undefined;
    this.session = new Session({
      service: this.service,
      send: (message, related) => this.#send(message, related),
      report: context.report,
      sessionId: id,
      owner,
      held,
      link,
      // Plain JSON, and a connection that ends with the answer, cannot carry requests to the client.
      canAsk: isLasting && !json,
      canLog: !json,
      isLasting,
    });
    const { eventStore, retryInterval = 0 } = settings.resumption ?? {};
    this.events = eventStore && id !== undefined ? new SessionEvents(id, eventStore, onFailure) : undefined;
    this.channels = new Channels({
      events: this.events,
      retryInterval,
      keepAlive,
      headers,
      link,
      onFailure,
      report: context.report,
      onReturn: (requests, replayed) => void this.session.askAgain(requests, replayed),
    });
  }

  /** Whether a request is pending. */
  get isBusy(): boolean {
    return this.activity.count > 0;
  }

  get isClosed(): boolean {
    return this.#closing.isCancelled;
  }

  /** Whether a stream is open or a request runs, which others may have to do with. */
  get isActive(): boolean {
    return this.isBusy || this.openStreams > 0;
  }

  isIdleFor(milliseconds: number): boolean {
    return !this.isActive && this.now() - this.lastUsed >= milliseconds;
  }

  /** Receives what other instances say of it as long as it is active here, and learns what they have said before. */
  async follow(): Promise<void> {
    const { link } = this;
    if (link === undefined || this.isClosed || !(await link.follow())) return;
    if (!(await this.session.reload())) this.close(true);
    this.touchWhenIdle();
    this.leaveIfInactive();
  }

  /** What others say concerns only who has a stream or a call of it. A lost stream still gets the news of its client. */
  leaveIfInactive(): void {
    const isAwaited = this.events !== undefined && this.session.record.stream === this.link?.instance;
    if (this.isClosed || !(this.isActive || isAwaited)) this.link?.leave();
  }

  /** Keeps the session busy until the returned function is called. */
  begin(): () => void {
    const leave = this.activity.enter();
    return () => {
      leave();
      this.lastUsed = this.now();
    };
  }

  /** Counts work that continues after its request is answered, such as a task. */
  touchWhenIdle(): void {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    void this.activity.whenIdle().then(() => {
      this.#isAwaited = false;
      this.lastUsed = this.now();
      this.leaveIfInactive();
    });
  }

  /** Runs the listener when the client or the server ends it. */
  onClose(listener: () => void): void {
    this.#closing.onCancel(listener);
  }

  /** Its client has ended it, on every instance. */
  async end(): Promise<void> {
    await this.link?.end(this.session.record);
    this.close(true);
  }

  /**
   * @param isOver false where other instances may go on with it
   * @param failure why it ends, unless its client or the server wants it
   */
  close(isOver = this.link === undefined, failure?: SessionFailure): void {
    if (this.isClosed) return;
    // Running requests are refused before their stream ends, so that clients do not reconnect.
    for (const request of this.running.values()) request.end(isOver);
    this.channels.close();
    for (const { cancellation } of this.running.values()) cancellation.cancel();
    this.running.clear();
    if (isOver) void this.events?.end();
    this.#closing.cancel();
    this.link?.leave();
    this.session.end(failure);
  }

  /** False for a request that does not run here. */
  cancel(id: unknown, reason: unknown): boolean {
    const request = this.running.get(id);
    if (request === undefined) return false;
    this.running.delete(id);
    request.cancellation.cancel(reason);
    request.settle();
    return true;
  }

  leave(request: ServedMessage): void {
    const { id } = request.message;
    if (this.running.get(id) === request) this.running.delete(id);
  }

  /** @throws HttpRefusal when it was before */
  initialize(): void {
    if (this.isInitialized) {
      throw new HttpRefusal(400, 'Invalid request: this session is initialized already', {
        code: jsonRpcCodes.invalidRequest,
      });
    }
    this.isInitialized = this.id !== undefined;
  }

  /** @throws HttpRefusal for what comes before initialize, or in another revision */
  checkOpen({ checked }: HttpExchange): void {
    if (this.id !== undefined && !this.isInitialized) {
      throw new HttpRefusal(400, 'This session is not initialized; send initialize first');
    }
    if (checked?.revisionFault !== undefined) throw checked.revisionFault;
  }

  /**
   * Ends the streams that only listen, so that their client goes elsewhere.
   * @param movesCalls whether those of calls as well, whose answers the client gets at another instance
   */
  release(movesCalls: boolean): void {
    this.channels.standalone.release();
    if (movesCalls) for (const { releaseStream } of this.running.values()) releaseStream?.();
  }

  /** Opens the standalone stream, or resumes a lost one. */
  async listen(exchange: HttpExchange, answer: StreamedAnswer): Promise<PlainAnswer | undefined> {
    checkStreamAccept(exchange);
    this.checkOpen(exchange);
    const { authInfo } = exchange;
    this.session.client.subscriptions?.servedFor({ authInfo, isLocal: false });
    const lastEvent = exchange.headers.get('last-event-id') ?? '';
    if (lastEvent !== '' && this.events !== undefined) {
      return this.channels.resume(lastEvent, answer, this.session);
    }
    await this.channels.openStandalone(answer, readsEmptyEvents(exchange.revision, undefined), this.session);
    return undefined;
  }

  /** Serves a batch, a notification or a response. */
  async post(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> {
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    let ids = admitRequests(this, exchange, messages);
    const replies = messages.filter(isReply);
    if (replies.length > 0) {
      await Promise.all(replies.map(async (reply) => this.session.receive(reply as object)));
      // Others may have begun in the meantime
      ids = admitRequests(this, exchange, messages);
    }
    if (ids.length === 0) {
      for (const message of messages) this.#hear(message as object, exchange);
      return ACCEPTED;
    }
    // Nothing watches how long those of a batch take
    void this.follow();
    const { settings, report } = this.context;
    if (settings.json) {
      const batch = new Batch({ exchange, ids, report, channel: undefined, canComeBack: false });
      this.#receive(messages, batch);
      return batch.toAnswer(this.jsonHeaders, this.#closing);
    }
    const canComeBack = this.events !== undefined && readsEmptyEvents(exchange.revision, messages[0]);
    const channel = this.channels.openPosted(this.streamFor(exchange), canComeBack, ids);
    this.#receive(messages, new Batch({ exchange, ids, report, channel, canComeBack }));
    return undefined;
  }

  /** A stream that keeps the session busy until it is read. */
  streamFor(exchange: HttpExchange): StreamedAnswer {
    const answer = new StreamedAnswer(exchange, this.context.backlog);
    answer.atEnd(this.begin());
    return answer;
  }

  #receive(messages: readonly unknown[], batch: Batch): void {
    for (const message of messages) {
      if (!isRequest(message)) {
        this.#hear(message as object, batch.exchange);
        continue;
      }
      const own = this.revision.answerOwn(message, this.session, batch.exchange);
      if (own === undefined) {
        const request = new BatchedMessage(this, message, batch);
        this.running.set(message.id, request);
        request.run(this.service);
      } else void this.#answer(own, batch);
    }
  }

  async #answer(own: MaybePromise<EngineReply>, batch: Batch): Promise<void> {
    const { reply, id, stored } = own instanceof Promise ? await own : own;
    try {
      if (stored !== undefined) await stored;
      batch.finish(reply, id);
    } catch (cause) {
      this.context.report(cause as Error);
      batch.finish({ error: { code: jsonRpcCodes.internalError, message: 'Internal error' } }, id);
    }
  }

  /** Receives a notification. */
  #hear(message: object, exchange: HttpExchange): void {
    if (isReply(message)) return;
    observeNotification(message, this.service.settings, exchange, this.session);
    const cancelled = cancelledId(message);
    if (cancelled === undefined) void this.session.receive(message);
    else if (!this.cancel(cancelled, reasonOf(message))) this.link?.cancel(cancelled, reasonOf(message));
  }

  /** Sends a message of the session, on the stream of its request or on the standalone stream. */
  async #send(message: object, related: string | number | undefined): Promise<void> {
    const written = writeMessage(message, this.context.report);
    if (related === undefined) return this.channels.sendStandalone(written, this.session);
    const request = this.running.get(related);
    if (request !== undefined) return request.post(written);
    // The request was cancelled or answered; only a question must fail then.
    if (isRequest(message)) throw new Error('The request that this belongs to has ended');
  }
}
