import { Cancellation } from '../../../call/call-context.ts';
import type { AuthInfo } from '../../../call/call-exchange.ts';
import { DedupingLogger } from '../../../call/logger.ts';
import type { SurfaceChange } from '../../../call/notifier.ts';
import type { ServerSurface } from '../../../engine/dispatcher.ts';
import { isRequest, replyText, writeMessage, type Reply } from '../../../engine/json-rpc/message.ts';
import { METHODS_2025 } from '../../../engine/protocol.ts';
import { RunningRequest } from '../../../engine/request.ts';
import type { QuestionLimits, RpcRequest } from '../../../engine/revision.ts';
import type { Session } from '../../../engine/revisions/2025/session.ts';
import type { ServedClient } from '../../../runtime/service-request.ts';
import {
  answerOf,
  HttpRefusal,
  isStopping,
  sessionEnded,
  statusOf,
  type HttpAnswer,
} from '../http-answer.ts';
import type { EndpointContext, HttpEndpoint, HttpExchange } from '../http-exchange.ts';
import type { SessionSettings } from '../http-options.ts';
import type { Channel, ChannelMessage } from '../streams/channel.ts';
import { StreamUpgradeTimer, type UpgradableAnswer } from '../streams/stream-upgrade-timer.ts';
import { StreamedAnswer } from '../streams/streamed-answer.ts';
import type { SessionRequest } from './batch.ts';
import { checkInitialize, idIsTaken, readsEmptyEvents, runsTooMany, sessionNotFound } from './check-post.ts';
import { HttpSession } from './http-session.ts';
import { SessionStore } from './session-store.ts';

/** Milliseconds after which a session's client that waits gets a stream, which it can continue if it loses it. */
const UPGRADE_AFTER = 100;
/** In characters: who can continue a stream should not have to ask again for what was lost on the way. */
const LARGEST_PLAIN = 64 * 1024;

/**
 * Answers requests of sessions (spec 2025-11-25: basic/transports, Streamable HTTP). A client that goes away does not
 * cancel what it asked (same page, "Disconnection SHOULD NOT be interpreted as the client cancelling its request").
 */
export class SessionRequests implements HttpEndpoint {
  /** Those that were not answered at once. */
  readonly upgrades = new StreamUpgradeTimer<SessionCall>(UPGRADE_AFTER);
  readonly #context: EndpointContext;
  readonly #settings: SessionSettings;
  readonly #store: SessionStore;
  readonly #onFailure: (cause: unknown) => void;
  #isClosed = false;

  constructor(context: EndpointContext, settings: SessionSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#store = new SessionStore(settings);
    this.#onFailure = storeReporter(context.surface);
  }

  serve(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> | undefined {
    const session = this.#find(exchange);
    if (!isRequest(body))
      return this.#serveOther(session ?? sessionNotFound(exchange.sessionId), exchange, body);
    if (body.method === 'initialize') this.#initialize(session, exchange, body);
    else this.#runIn(session ?? sessionNotFound(exchange.sessionId), exchange, body);
    return undefined;
  }

  notify(change: SurfaceChange): void {
    for (const session of this.#store.all()) session.notify(change);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.upgrades.close();
    for (const session of this.#store.all()) session.close();
  }

  /** A session that somebody else opened is as unknown as one that never was. */
  #find({ sessionId, authInfo }: HttpExchange): HttpSession | undefined {
    if (sessionId === null) return undefined;
    const session = this.#store.sessions.get(sessionId);
    if (session === undefined) return undefined;
    const owner = authInfo && this.#context.settings.sessionOwner(authInfo);
    return session.owner === owner ? session : undefined;
  }

  #runIn(session: HttpSession, exchange: HttpExchange, message: RpcRequest): void {
    const { checked } = exchange;
    if (checked?.acceptFault !== undefined) throw checked.acceptFault;
    if (!session.isInitialized || checked?.revisionFault !== undefined) session.checkOpen(exchange);
    this.#run(session, exchange, message);
  }

  /** Answers a request in a POST of its own with as little as it needs: plain JSON, or a stream. */
  #run(session: HttpSession, exchange: HttpExchange, message: RpcRequest): void {
    const { revision, events, report, jsonHeaders } = session;
    checkRoom(session, message.id);
    const own = revision.find(message, session.session);
    // Where streams can be continued, what is long comes on one.
    const isStreamed = events !== undefined && METHODS_2025.get(message.method)?.isLong === true;
    if (own !== undefined && !isStreamed) {
      exchange.answer(answerOf(own, report, jsonHeaders));
      session.lastUsed = session.now();
      return;
    }
    const call = new SessionCall(this.upgrades, session, exchange, message);
    if (isStreamed) call.upgrade();
    if (own === undefined) call.start();
    else call.deliver(own.reply);
  }

  #initialize(found: HttpSession | undefined, exchange: HttpExchange, message: RpcRequest): void {
    checkInitialize(message);
    // A client that initializes anew may still name the session that it lost.
    const session = found ?? this.#open(exchange, message);
    try {
      if (exchange.checked?.acceptFault !== undefined) throw exchange.checked.acceptFault;
      session.initialize();
      this.#run(session, exchange, message);
    } finally {
      // Nobody knows a session that was refused to initialize.
      if (!session.isInitialized) session.close();
    }
  }

  #open({ authInfo }: HttpExchange, { id }: RpcRequest): HttpSession {
    if (this.#isClosed) throw isStopping(id);
    const owner = authInfo && this.#context.settings.sessionOwner(authInfo);
    const given = { settings: this.#settings, onFailure: this.#onFailure };
    const session = this.#store.open(owner, (kept) => new HttpSession(this.#context, { ...given, ...kept }));
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
      session.close();
      return { status: 200, headers: {}, text: '' };
    } finally {
      leave();
    }
  }

  async #listen(session: HttpSession, exchange: HttpExchange): Promise<HttpAnswer | undefined> {
    const stream = new StreamedAnswer(exchange, this.#context.backlog);
    stream.atEnd(this.#store.openStream(session));
    try {
      const instead = await session.listen(exchange, stream);
      if (instead !== undefined) stream.end();
      return instead;
    } catch (error) {
      stream.end();
      throw error;
    }
  }
}

/** A request in a POST of its own. */
class SessionCall extends RunningRequest implements SessionRequest, UpgradableAnswer {
  since: number | undefined;
  readonly session: Session;
  readonly served: ServedClient;
  readonly sessionId: string | undefined;
  readonly http: HttpExchange;
  readonly #home: HttpSession;
  readonly #upgrades: StreamUpgradeTimer<SessionCall>;
  #channel: Channel | undefined;
  #isOver = false;

  constructor(
    upgrades: StreamUpgradeTimer<SessionCall>,
    home: HttpSession,
    exchange: HttpExchange,
    message: RpcRequest,
  ) {
    super(home.revision, message, new Cancellation());
    this.session = home.session;
    this.served = home.session.client;
    this.sessionId = home.id;
    this.http = exchange;
    this.#home = home;
    this.#upgrades = upgrades;
  }

  get authInfo(): AuthInfo | undefined {
    return this.http.authInfo;
  }
  get canLog(): boolean {
    return this.session.canLog;
  }
  get releaseStream(): (() => void) | undefined {
    if (!this.#canComeBack) return undefined;
    return () => {
      if (!this.#isOver) this.#stream()?.release();
    };
  }

  start(): void {
    this.#home.running.set(this.message.id, this);
    this.run(this.#home.service);
    if (!this.#isOver) this.#upgrades.watch(this);
  }

  deliver(reply: Reply): void {
    const { id } = this.message;
    const home = this.#home;
    if (home.running.get(id) === this) home.running.delete(id);
    if (this.since !== undefined) this.#upgrades.forget(this);
    home.lastUsed = home.now();
    if (home.activity.count > 0) home.touchWhenIdle();
    if (this.#isOver) return;
    if (this.#channel === undefined) {
      const text = replyText(reply, id, home.report);
      if (text.length < LARGEST_PLAIN || !this.#canComeBack || this.#stream() === undefined) {
        this.#isOver = true;
        const status = 'error' in reply ? statusOf(reply) : 200;
        this.http.answer({ status, headers: home.jsonHeaders, text });
        return;
      }
    }
    this.#isOver = true;
    this.#channel?.finish(reply, id, home.report);
  }

  /** Its client has waited for long. */
  upgrade(): void {
    this.#stream();
  }

  send(notification: object): Promise<void> {
    return this.post(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#home.report));
  }

  ask(question: object, limits: QuestionLimits): Promise<unknown> {
    return this.session.ask(question, limits, this.message.id);
  }

  async post(given: ChannelMessage): Promise<void> {
    if (this.#isOver) return;
    const channel = this.#stream();
    if (channel !== undefined) await channel.send(given);
    else if (isRequest(given.message)) throw new Error('Plain JSON carries no requests to the client');
  }

  /** It ends as a stream on which no answer came. */
  settle(): void {
    if (this.since !== undefined) this.#upgrades.forget(this);
    if (this.#isOver) return;
    const channel = this.#stream();
    this.#isOver = true;
    if (channel === undefined) this.http.answer({ status: 202, headers: {}, text: '' });
    else channel.end();
  }

  end(): void {
    if (this.since !== undefined) this.#upgrades.forget(this);
    if (this.#isOver) return;
    this.#isOver = true;
    const instead = sessionEnded(this.message.id).toAnswer();
    if (this.#channel === undefined) this.http.answer(instead);
    else this.#channel.closeWith(instead.text);
  }

  /** Whether its client can continue a stream that it loses. */
  get #canComeBack(): boolean {
    return this.#home.events !== undefined && readsEmptyEvents(this.http.revision, this.message);
  }

  /** Goes on as a stream, where the answer may be one. */
  #stream(): Channel | undefined {
    const home = this.#home;
    if (this.#channel !== undefined || this.#isOver || home.context.settings.json) return this.#channel;
    this.#channel = home.channels.openPosted(home.streamFor(this.http), this.#canComeBack);
    return this.#channel;
  }
}

/** Two running requests cannot share an id, and there may not be too many. */
function checkRoom({ running, maxCalls }: HttpSession, id: string | number): void {
  if (running.has(id)) throw idIsTaken(id);
  if (running.size >= maxCalls) throw runsTooMany(maxCalls, id);
}

function storeReporter({ logger }: ServerSurface): (cause: unknown) => void {
  const repeats = new DedupingLogger(logger);
  return (cause) => {
    const message = 'The event store failed; what it should have kept cannot be resumed.';
    repeats.log({ level: 'warning', event: 'http.event-store', message, cause });
  };
}
