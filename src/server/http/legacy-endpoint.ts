import type { SurfaceChange } from '../../call/notifier.ts';
import { countSurface } from '../count-calls.ts';
import { idOf, isRequest } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import type { HttpConnection } from '../sdk-v1/http-connection.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { AdmittedRequest, EraEndpoint } from './admitted-request.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import { HttpRefusal, isStopping, sessionEnded } from './http-refusal.ts';
import { Patience } from './patience.ts';
import { StatelessDirect } from './stateless-direct.ts';
import { SessionStore, type HttpSession, type SessionEntry } from './session-store.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Milliseconds after which a session's client that waits gets a stream, which it can continue if it loses it. */
const PATIENCE = 100;

/**
 * 2025-era clients (spec 2025-11-25: basic/transports, Streamable HTTP): a session has a protocol server of its
 * own, and so has every request where there are no sessions. The SDK is loaded for the first of them.
 *
 * A client that goes away does not cancel what it asked in a session (same page, "Disconnection SHOULD NOT be
 * interpreted as the client cancelling its request"). Without sessions nobody can come back, so it does.
 */
export class LegacyEndpoint implements EraEndpoint {
  readonly #surface: ServerSurface;
  readonly #settings: HttpSettings;
  readonly #sessions: SessionStore | undefined;
  readonly #alone = new Set<HttpConnection>();
  /** Undefined with sessions, which requests belong to. */
  readonly direct: StatelessDirect | undefined;
  readonly #patience = new Patience(PATIENCE);
  #isClosed = false;

  constructor(surface: ServerSurface, settings: HttpSettings) {
    this.#surface = surface;
    this.#settings = settings;
    this.direct =
      settings.sessions === undefined ? new StatelessDirect('legacy', surface, settings) : undefined;
    this.#sessions = settings.sessions === undefined ? undefined : new SessionStore(settings.sessions);
  }

  async serve(admitted: AdmittedRequest): Promise<HttpAnswer> {
    if (this.#sessions === undefined) return this.direct?.serve(admitted) ?? this.#serveAlone(admitted);
    const isInitialize = await isInitializeRequest(admitted.posted?.body);
    const { session, connection } = await this.#findSession(this.#sessions, admitted, isInitialize);
    const isStream = admitted.request.method === 'GET';
    admitted.atEnd((isStream ? session.streams : session.activity).enter());
    try {
      return await serveOver(connection, admitted);
    } finally {
      // The SDK refused to initialize, for example because of the Accept header: nobody knows this session.
      if (!connection.isInitialized) await connection.close();
    }
  }

  /** Reaches sessions only: without them a client is gone as soon as it has its answer. */
  notify(change: SurfaceChange): void {
    for (const connection of this.#sessions?.connections ?? []) connection.notify(change);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.direct?.close();
    this.#patience.close();
    await Promise.all([...this.#alone].map((connection) => connection.close()));
    await this.#sessions?.closeAll();
  }

  async #serveAlone(admitted: AdmittedRequest): Promise<HttpAnswer> {
    await isInitializeRequest(admitted.posted?.body);
    const connection = await this.#connect(this.#surface, undefined);
    await this.#refuseWhenClosed(connection, admitted);
    this.#alone.add(connection);
    admitted.atEnd(() => {
      this.#alone.delete(connection);
      void connection.close();
    });
    return serveOver(connection, admitted);
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

  #connectSession(session: HttpSession): Promise<HttpConnection> {
    return this.#connect(countSurface(this.#surface, { inFlight: session.activity }), session.id);
  }

  async #connect(surface: ServerSurface, sessionId: string | undefined): Promise<HttpConnection> {
    const { json, keepAlive, sessions } = this.#settings;
    const { maximumCalls, resumption } = sessionId === undefined ? {} : (sessions ?? {});
    const { openHttpConnection } = await import('../sdk-v1/http-connection.ts');
    const patience = this.#patience;
    return openHttpConnection(surface, { sessionId, json, keepAlive, maximumCalls, resumption, patience });
  }
}

/** The SDK takes an incomplete initialize for any other request, and says only that there is no session. */
async function isInitializeRequest(body: unknown): Promise<boolean> {
  if (!isRequest(body) || body.method !== 'initialize') return false;
  const { isInitialize } = await import('../sdk-v1/message-check.ts');
  if (isInitialize(body)) return true;
  throw new HttpRefusal(400, 'initialize needs protocolVersion, capabilities and clientInfo', {
    code: jsonRpcCodes.invalidParams,
    id: idOf(body),
  });
}

async function serveOver(
  connection: HttpConnection,
  { request, posted, authInfo, unread }: AdmittedRequest,
): Promise<HttpAnswer> {
  const options = { request, body: posted?.body, authInfo, unread };
  const direct = connection.serveDirectly(options);
  if (direct !== undefined) return direct;
  const serving = connection.serve(options);
  // A DELETE ends the connection itself, and must still be answered.
  if (posted === undefined) return serving;
  // With plain JSON the SDK never settles a response whose connection ended first.
  const response = await unlessAborted(serving, [connection.closed, request.gone.signal]);
  if (response !== undefined) return response;
  throw sessionEnded(idOf(posted.body));
}
