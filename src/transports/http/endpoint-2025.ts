import type { SurfaceChange } from '../../call/notifier.ts';
import { RepeatFilter } from '../../call/logger.ts';
import { initializeFaults } from '../../engine/revisions/2025/handshake.ts';
import { SessionEvents } from '../event-store/session-events.ts';
import { idOf, isRequest } from '../../engine/json-rpc/message.ts';
import { jsonRpcCodes } from '../../engine/json-rpc/json-rpc-error.ts';
import { dispatcherOf, type ServerSurface } from '../../engine/dispatcher.ts';
import type { AdmittedRequest, EraEndpoint } from './admitted-request.ts';
import { type HttpAnswer, HttpRefusal, isStopping } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import { Patience } from './patience.ts';
import { checkPostAccept, checkProtocolVersion } from './sessions/check-post.ts';
import type { HttpConnection, ServeOptions } from './sessions/http-connection.ts';
import { StreamableConnection } from './sessions/streamable-connection.ts';
import { StatelessRequests } from './stateless-requests.ts';
import { SessionStore, type HttpSession, type SessionEntry } from './sessions/session-store.ts';

/** Milliseconds after which a session's client that waits gets a stream, which it can continue if it loses it. */
const PATIENCE = 100;

/**
 * 2025-era clients (spec 2025-11-25: basic/transports, Streamable HTTP): a session has a connection of its own, and
 * so has a batch where there are no sessions. Any other request stands for itself there.
 *
 * A client that goes away does not cancel what it asked in a session (same page, "Disconnection SHOULD NOT be
 * interpreted as the client cancelling its request"). Without sessions nobody can come back, so it does.
 */
export class Endpoint2025 implements EraEndpoint {
  readonly #surface: ServerSurface;
  readonly #settings: HttpSettings;
  readonly #way: SessionStore | StatelessRequests;
  readonly #alone = new Set<HttpConnection>();
  readonly #patience = new Patience(PATIENCE);
  readonly #onFailure: (cause: unknown) => void;
  #isClosed = false;

  constructor(surface: ServerSurface, settings: HttpSettings) {
    this.#surface = { ...surface, dispatcher: dispatcherOf(surface) };
    this.#settings = settings;
    this.#onFailure = storeReporter(surface);
    this.#way =
      settings.sessions === undefined
        ? new StatelessRequests('2025', this.#surface, settings)
        : new SessionStore(settings.sessions);
  }

  /** Undefined with sessions, which requests belong to. */
  get direct(): StatelessRequests | undefined {
    return this.#way instanceof StatelessRequests ? this.#way : undefined;
  }

  async serve(admitted: AdmittedRequest): Promise<HttpAnswer> {
    if (this.#way instanceof StatelessRequests) return this.#serveAlone(this.#way, admitted);
    const isInitialize = isInitializeRequest(admitted.posted?.body);
    const { session, connection } = await this.#findSession(this.#way, admitted, isInitialize);
    const isStream = admitted.request.method === 'GET';
    admitted.atEnd((isStream ? session.streams : session.activity).enter());
    try {
      return await connection.serve(optionsOf(admitted));
    } finally {
      // It was refused to initialize, for example because of the Accept header: nobody knows this session.
      if (!connection.isInitialized) await connection.close();
    }
  }

  /** Reaches sessions only: without them a client is gone as soon as it has its answer. */
  notify(change: SurfaceChange): void {
    if (this.#way instanceof StatelessRequests) return;
    for (const connection of this.#way.connections) connection.notify(change);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#patience.close();
    await Promise.all([...this.#alone].map((connection) => connection.close()));
    if (this.#way instanceof StatelessRequests) this.#way.close();
    else await this.#way.closeAll();
  }

  async #serveAlone(direct: StatelessRequests, admitted: AdmittedRequest): Promise<HttpAnswer> {
    const { request, posted } = admitted;
    const body = posted?.body;
    if (this.#isClosed) throw isStopping(idOf(body));
    const isInitialize = isInitializeRequest(body);
    const call = direct.find(body, request);
    if (call !== undefined && !('kind' in call && call.kind === 'standing')) {
      checkPostAccept(request.headers);
      if (!isInitialize) checkProtocolVersion(request.headers);
      return direct.begin(call, admitted, !isInitialize);
    }
    const connection = this.#connect(this.#surface);
    this.#alone.add(connection);
    admitted.atEnd(() => {
      this.#alone.delete(connection);
      void connection.close();
    });
    return connection.serve(optionsOf(admitted));
  }

  async #findSession(
    sessions: SessionStore,
    admitted: AdmittedRequest,
    isInitialize: boolean,
  ): Promise<SessionEntry> {
    const { request, authInfo } = admitted;
    const owner = authInfo && this.#settings.sessionOwner(authInfo);
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const entry = sessions.find(id, owner);
      if (entry !== undefined) return entry;
    }
    // A client that initializes anew may still name the session that it lost.
    if (id !== null && !isInitialize) {
      // 404 tells the client to initialize anew (spec 2025-11-25: basic/transports, Session Management).
      throw new HttpRefusal(404, 'Session not found; initialize a new one', {
        code: jsonRpcCodes.sessionNotFound,
      });
    }
    if (!isInitialize) {
      throw new HttpRefusal(400, 'The Mcp-Session-Id header is missing; send initialize first');
    }
    const entry = await sessions.open(owner, (session) => this.#connectSession(session));
    if (entry !== undefined) {
      await this.#refuseWhenClosed(entry.connection, admitted);
      return entry;
    }
    const { maximum = 0, maximumPerOwner = 0 } = this.#settings.sessions ?? {};
    const limit = owner === undefined ? '' : `, or you yours of ${String(maximumPerOwner)}`;
    throw new HttpRefusal(
      503,
      `The server has reached its limit of ${String(maximum)} sessions${limit}; try again later`,
    );
  }

  /** What was opened while everything closed, nobody else would close. */
  async #refuseWhenClosed(connection: HttpConnection, { posted }: AdmittedRequest): Promise<void> {
    if (!this.#isClosed) return;
    await connection.close();
    throw isStopping(idOf(posted?.body));
  }

  async #connectSession(session: HttpSession): Promise<HttpConnection> {
    const service = this.#surface.service.admittedBy(session.activity);
    return this.#connect({ ...this.#surface, service }, session);
  }

  #connect(surface: ServerSurface, session?: HttpSession): HttpConnection {
    const { json, keepAlive, sessions } = this.#settings;
    const { id: sessionId, owner } = session ?? {};
    const { maximumCalls, resumption } = sessionId === undefined ? {} : (sessions ?? {});
    return new StreamableConnection(surface, {
      sessionId,
      owner,
      json,
      keepAlive,
      maximumCalls: maximumCalls ?? Infinity,
      events: resumption && new SessionEvents(resumption.eventStore, this.#onFailure),
      retryInterval: resumption?.retryInterval ?? 0,
      onFailure: this.#onFailure,
      patience: this.#patience,
    });
  }
}

/** An incomplete initialize opens no session, and none that says more of its client than is kept. */
function isInitializeRequest(body: unknown): boolean {
  if (!isRequest(body) || body.method !== 'initialize') return false;
  const faults = initializeFaults((body as { readonly params?: unknown }).params);
  if (faults.length === 0) return true;
  const text = `initialize needs protocolVersion, capabilities and clientInfo: ${faults.join('; ')}`;
  throw new HttpRefusal(400, text, {
    code: jsonRpcCodes.invalidParams,
    id: idOf(body),
  });
}

function storeReporter({ logger }: ServerSurface): (cause: unknown) => void {
  const repeats = new RepeatFilter(logger);
  return (cause) => {
    const message = 'The event store failed; what it should have kept cannot be resumed.';
    repeats.log({ level: 'warning', event: 'http.event-store', message, cause });
  };
}

function optionsOf({ request, posted, authInfo, unread }: AdmittedRequest): ServeOptions {
  return { request, body: posted?.body, authInfo, unread };
}
