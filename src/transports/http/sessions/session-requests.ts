import { Cancellation } from '../../../call/call-context.ts';
import type { ChangeNotice } from '../../../call/notifier.ts';
import { isRequest, type Reply } from '../../../engine/json-rpc/message.ts';
import { METHODS_2025 } from '../../../engine/protocol.ts';
import type { EngineReply, QuestionLimits, RpcRequest } from '../../../engine/revision.ts';
import type { HeldRecord } from '../../../engine/revisions/2025/shared-records.ts';
import type { Session } from '../../../engine/revisions/2025/session.ts';
import type { Owner } from '../../../shared/owners/owner-shares.ts';
import type { Challenge } from '../../../kernel/call/outcome.ts';
import type { ServedClient } from '../../../kernel/call/service-request.ts';
import {
  answerOf,
  HttpRefusal,
  isStopping,
  sessionEnded,
  type HttpAnswer,
  type PlainAnswer,
} from '../http-answer.ts';
import type { Endpoint, HttpEndpoint, HttpExchange } from '../http-exchange.ts';
import type { SessionSettings } from '../http-options.ts';
import { type CallEndpoint, PostedMessage } from '../posted-calls.ts';
import { storeReporter } from '../../event-store/session-events.ts';
import { StreamUpgradeTimer } from '../streams/stream-upgrade-timer.ts';
import { StreamedAnswer } from '../streams/streamed-answer.ts';
import {
  checkInitialize,
  idIsTaken,
  runsTooMany,
  sessionNotFound,
  readsEmptyEvents,
} from '../guards/check-post.ts';
import { HttpSession } from './http-session.ts';
import { LinkedSessions } from './linked-sessions.ts';
import { isSessionId, SessionStore, type KeptSession } from './session-store.ts';
import type { Channel } from '../streams/channel.ts';
import type { SessionMessage } from './batch.ts';

/** Milliseconds after which a waiting client gets a stream, which it can resume. */
const UPGRADE_AFTER = 100;
/** In characters. A longer answer comes on a stream, which the client can resume. */
const LARGEST_PLAIN = 64 * 1024;

/**
 * Answers requests of sessions (spec 2025-11-25: basic/transports, Streamable HTTP). A client that goes away does not
 * cancel what it asked (same page, "Disconnection SHOULD NOT be interpreted as the client cancelling its request").
 */
export class SessionRequests implements HttpEndpoint, CallEndpoint {
  readonly upgrades = new StreamUpgradeTimer<PostedMessage>(UPGRADE_AFTER);
  readonly context: Endpoint;
  readonly #settings: SessionSettings;
  readonly #store: SessionStore;
  /** Undefined for a single instance. */
  readonly #linked: LinkedSessions | undefined;
  readonly #onFailure: (cause: unknown) => void;
  #isClosed = false;

  constructor(context: Endpoint, settings: SessionSettings) {
    this.context = context;
    this.#settings = settings;
    this.#store = new SessionStore(settings, undefined, (session) => this.#linked?.keep(session));
    this.#onFailure = storeReporter(context.application.logger);
    const { sessions } = context.application;
    this.#linked = sessions && new LinkedSessions(sessions, this.#store.sessions, settings.idleTimeout);
  }

  serve(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> | undefined {
    if (this.#linked !== undefined) return this.#serveLinked(this.#linked, exchange, body);
    const session = this.#store.sessions.get(exchange.sessionId ?? '');
    return this.#serveIn(this.#ownedBy(exchange, session), exchange, body);
  }

  notify(change: ChangeNotice): void {
    for (const each of this.#store.all()) {
      if (this.#linked?.defers(each, change) !== true) each.session.notify(change);
    }
  }

  release(): void {
    const movesCalls = this.#linked !== undefined && this.#settings.resumption?.isShared === true;
    for (const session of this.#store.all()) session.release(movesCalls);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.upgrades.close();
    this.#linked?.close();
    for (const session of this.#store.all()) session.close();
  }

  #serveIn(
    session: HttpSession | undefined,
    exchange: HttpExchange,
    body: unknown,
  ): Promise<HttpAnswer | undefined> | undefined {
    if (isRequest(body) && body.method === 'initialize') return this.#initialize(session, exchange, body);
    const found = session ?? sessionNotFound(exchange.sessionId);
    return isRequest(body) ? this.#runIn(found, exchange, body) : this.#serveOther(found, exchange, body);
  }

  /** Sessions of other owners are reported as not found. */
  #ownedBy<Owned extends { readonly owner: Owner }>(
    { authInfo }: HttpExchange,
    session: Owned | undefined,
  ): Owned | undefined {
    const owner = authInfo && this.context.settings.sessionOwner(authInfo);
    return session?.owner === owner ? session : undefined;
  }

  /** In a session that another instance may have opened, changed or ended. */
  #serveLinked(
    linked: LinkedSessions,
    exchange: HttpExchange,
    body: unknown,
  ): Promise<HttpAnswer | undefined> {
    const { sessionId: id } = exchange;
    return linked.serve(body, async () => {
      const held = id !== null && isSessionId(id) ? await linked.load(id) : undefined;
      if (this.#isClosed) throw isStopping();
      const isOwn = this.#ownedBy(exchange, held?.record) !== undefined;
      const session = isOwn ? (this.#store.sessions.get(id ?? '') ?? this.#open(exchange, held)) : undefined;
      return this.#serveIn(session, exchange, body);
    });
  }

  #runIn(
    session: HttpSession,
    exchange: HttpExchange,
    message: RpcRequest,
  ): Promise<HttpAnswer | undefined> | undefined {
    const { checked } = exchange;
    if (checked?.acceptFault !== undefined) throw checked.acceptFault;
    if (!session.isInitialized || checked?.revisionFault !== undefined) session.checkOpen(exchange);
    return this.#run(session, exchange, message);
  }

  /** Answers a single request with plain JSON where possible, otherwise with a stream. */
  #run(session: HttpSession, exchange: HttpExchange, message: RpcRequest): Promise<HttpAnswer> | undefined {
    const { revision, jsonHeaders } = session;
    checkRoom(session, message.id);
    const traits = METHODS_2025.get(message.method);
    const own = traits && revision.answerOwn(message, session.session, exchange);
    if (own === undefined) {
      new PostedSessionMessage(this, session, exchange, message).start();
      return undefined;
    }
    session.lastUsed = session.now();
    const written = (answered: EngineReply): HttpAnswer | Promise<HttpAnswer> => {
      const answer = answerOf(answered, this.context.report, jsonHeaders);
      return answered.stored === undefined ? answer : answered.stored.then(() => answer);
    };
    const answer = own instanceof Promise ? own.then(written) : written(own);
    if (answer instanceof Promise) return answer;
    exchange.answer(answer);
    return undefined;
  }

  #initialize(
    found: HttpSession | undefined,
    exchange: HttpExchange,
    message: RpcRequest,
  ): Promise<HttpAnswer> | undefined {
    checkInitialize(message);
    if (this.#isClosed) throw isStopping(message.id);
    // A client that initializes again may still send the id of its lost session.
    const session = found ?? this.#open(exchange);
    let hasBegun = false;
    try {
      if (exchange.checked?.acceptFault !== undefined) throw exchange.checked.acceptFault;
      session.initialize();
      hasBegun = true;
      return this.#run(session, exchange, message)?.catch((error: unknown) => {
        session.close(true);
        throw error;
      });
    } catch (error) {
      // A session whose `initialize` was refused has no client.
      if (hasBegun || !session.isInitialized) session.close(true);
      throw error;
    }
  }

  #open({ authInfo }: HttpExchange, held?: HeldRecord): HttpSession {
    const owner = authInfo && this.context.settings.sessionOwner(authInfo);
    const given = { settings: this.#settings, onFailure: this.#onFailure, held };
    const create = (kept: KeptSession): HttpSession =>
      new HttpSession(this.context, { ...given, ...kept, link: this.#linked?.linkOf(kept.id) });
    const session = this.#store.open(owner, create, authInfo, held?.record.id);
    if (session !== undefined) return session;
    const { maxSessions, maxSessionsPerOwner } = this.#settings;
    const limit = owner === undefined ? '' : `, or you yours of ${String(maxSessionsPerOwner)}`;
    const text = `The server has reached its limit of ${String(maxSessions)} sessions${limit}; try again later`;
    throw new HttpRefusal(503, text);
  }

  async #serveOther(
    session: HttpSession,
    exchange: HttpExchange,
    body: unknown,
  ): Promise<HttpAnswer | undefined> {
    if (exchange.method === 'GET') return this.#listen(session, exchange);
    const leave = session.begin();
    try {
      if (exchange.method === 'POST') return await session.post(exchange, body);
      session.checkOpen(exchange);
      await session.end();
      return { status: 200, headers: {}, text: '' };
    } finally {
      leave();
    }
  }

  async #listen(session: HttpSession, exchange: HttpExchange): Promise<HttpAnswer | undefined> {
    const stream = new StreamedAnswer(exchange, this.context.backlog, true);
    stream.atEnd(this.#store.openStream(session));
    try {
      await session.follow();
      if (session.isClosed) sessionNotFound(exchange.sessionId);
      const instead = await session.listen(exchange, stream);
      if (instead !== undefined) stream.end();
      return instead;
    } catch (error) {
      stream.end();
      throw error;
    }
  }
}

/** A single request of a session. */
class PostedSessionMessage extends PostedMessage implements SessionMessage {
  readonly session: Session;
  readonly served: ServedClient;
  readonly sessionId: string | undefined;
  protected readonly jsonHeaders: PlainAnswer['headers'];
  readonly #home: HttpSession;

  constructor(endpoint: CallEndpoint, home: HttpSession, exchange: HttpExchange, message: RpcRequest) {
    super(endpoint, exchange, message, home.revision, new Cancellation());
    this.session = home.session;
    this.served = home.session.client;
    this.sessionId = home.id;
    this.jsonHeaders = home.jsonHeaders;
    this.#home = home;
  }

  get canLog(): boolean {
    return this.session.canLog;
  }
  get releaseStream(): (() => void) | undefined {
    if (!this.#canComeBack) return undefined;
    return () => {
      if (!this.isOver) this.stream()?.release();
    };
  }

  start(): void {
    this.#home.running.set(this.message.id, this);
    this.serve(this.#home.service);
    if (!this.isOver && this.#isForStream(0)) super.upgrade();
  }

  /** It takes so long that what others say of its session may concern it. */
  override upgrade(): void {
    void this.#home.follow();
    super.upgrade();
  }

  override deliver(reply: Reply, challenge?: Challenge): void {
    const home = this.#home;
    if (home.running.get(this.message.id) === this) home.running.delete(this.message.id);
    home.lastUsed = home.now();
    if (home.activity.count > 0) home.touchWhenIdle();
    super.deliver(reply, challenge);
  }

  ask(question: object, limits: QuestionLimits): Promise<unknown> {
    return this.session.ask(question, limits, this.message.id);
  }

  end(isOver: boolean): void {
    const { id } = this.message;
    this.refuse(isOver ? sessionEnded(id) : isStopping(id));
  }

  protected override isPlain(text: string): boolean {
    return !this.#isForStream(text.length) || this.stream() === undefined;
  }

  protected openChannel(): Channel {
    const home = this.#home;
    return home.channels.openPosted(home.streamFor(this.http), this.#canComeBack, [this.message.id]);
  }

  /** Where streams can be continued, what is long comes on one. */
  #isForStream(length: number): boolean {
    if (this.#home.events === undefined) return false;
    const isLong = METHODS_2025.get(this.message.method)?.isLong === true;
    return isLong || (length >= LARGEST_PLAIN && this.#canComeBack);
  }

  /** Whether the client can resume a lost stream. */
  get #canComeBack(): boolean {
    return this.#home.events !== undefined && readsEmptyEvents(this.http.revision, this.message);
  }
}

/** Checks that the id is unique among running requests, and that there are not too many. */
function checkRoom({ running, maxCalls }: HttpSession, id: string | number): void {
  if (running.has(id)) throw idIsTaken(id);
  if (running.size >= maxCalls) throw runsTooMany(maxCalls, id);
}
