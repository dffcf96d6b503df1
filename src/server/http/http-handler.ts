import type { AuthInfo } from '../../call/call-exchange.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import { countCalls } from '../count-calls.ts';
import { InFlight } from '../in-flight.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import { openHttpConnection, type HttpConnection } from '../sdk-v1/http-connection.ts';
import type { ServerSurface } from '../server-surface.ts';
import { authenticateRequest } from './authenticate-request.ts';
import { checkContentLength, checkContentType, readPost, type PostedMessages } from './http-body.ts';
import type { HttpSettings } from './http-options.ts';
import { HttpRefusal } from './http-refusal.ts';
import type { HttpRequest } from './http-request.ts';
import { RepeatFilter } from './repeat-filter.ts';
import { guardSource, guardTarget } from './request-guard.ts';
import { SessionStore, type HttpSession, type SessionEntry } from './session-store.ts';
import { preflightResponse, shareWithOrigin } from './share-with-origin.ts';
import { trackBody } from './track-body.ts';
import { unlessAborted } from './unless-aborted.ts';
import { UnreadEvents } from './unread-events.ts';

/** A request that passed every check of its own. */
interface Admitted {
  readonly request: HttpRequest;
  readonly posted: PostedMessages | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly unread: UnreadEvents;
  /** Runs what is given when the response has been read or will never be. */
  readonly atEnd: (end: () => void) => void;
}

/**
 * Streamable HTTP for 2025-era clients (spec 2025-11-25: basic/transports, Streamable HTTP), free of any
 * HTTP server: a session has a protocol server of its own, and so has every request where there are no sessions.
 *
 * A client that goes away does not cancel what it asked in a session (same page, "Disconnection SHOULD NOT be
 * interpreted as the client cancelling its request"). Without sessions nobody can come back, so it does.
 */
export class HttpHandler {
  readonly #surface: ServerSurface;
  readonly #settings: HttpSettings;
  readonly #sessions: SessionStore | undefined;
  readonly #alone = new Set<HttpConnection>();
  readonly #inFlight = new InFlight();
  readonly #failures: RepeatFilter;
  readonly #methods: readonly string[];
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();

  constructor(surface: ServerSurface, settings: HttpSettings) {
    this.#surface = { ...surface, service: countCalls(surface.service, this.#inFlight) };
    this.#settings = settings;
    this.#sessions = settings.sessions === undefined ? undefined : new SessionStore(settings.sessions);
    this.#failures = new RepeatFilter(surface.logger);
    this.#methods = this.#sessions === undefined ? ['POST'] : ['GET', 'POST', 'DELETE'];
  }

  /** Always resolves to a response. */
  async handle(request: HttpRequest): Promise<Response> {
    try {
      const origin = guardSource(request, this.#settings);
      const response = await this.#respond(request, origin !== undefined);
      return origin === undefined ? response : shareWithOrigin(response, origin);
    } catch (error) {
      return this.#refuse(error);
    }
  }

  /** Refuses what is new from now on, and resolves when everything that runs is answered. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#inFlight.whenIdle();
  }

  /** Ends every session and aborts what still runs. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#closing.abort();
    await Promise.all([...this.#alone].map((connection) => connection.close()));
    await this.#sessions?.closeAll();
  }

  /** Reaches sessions only: without them a client is gone as soon as it has its answer. */
  notify(change: SurfaceChange): void {
    for (const connection of this.#sessions?.connections ?? []) connection.notify(change);
  }

  async #respond(request: HttpRequest, hasOrigin: boolean): Promise<Response> {
    const ends: (() => void)[] = [];
    const end = (): void => {
      for (const each of ends.splice(0)) each();
    };
    try {
      const isPreflight = hasOrigin && request.method === 'OPTIONS';
      guardTarget(request, this.#settings.path, isPreflight ? ['OPTIONS'] : this.#methods);
      if (isPreflight) return preflightResponse(this.#methods);
      const unread = new UnreadEvents();
      const admitted = {
        ...(await this.#admit(request)),
        unread,
        atEnd: (each: () => void) => void ends.push(each),
      };
      // A standalone stream never ends by itself, so stopping must not wait for it.
      if (request.method === 'POST') admitted.atEnd(this.#inFlight.enter());
      const response = await this.#serve(admitted);
      return trackBody(response, (chunk) => unread.take(chunk), end);
    } catch (error) {
      end();
      return this.#refuse(error);
    }
  }

  /** Nothing waits for what has not been read: neither a client that is slow, nor whoever authenticates it. */
  async #admit(request: HttpRequest): Promise<Omit<Admitted, 'atEnd' | 'unread'>> {
    const stopping = this.#stopping.signal;
    if (this.#closing.signal.aborted || (stopping.aborted && request.method === 'GET')) throw isStopping();
    const refusing = stopping.aborted ? this.#closing.signal : stopping;
    const read = await unlessAborted(this.#read(request), [request.signal, refusing]);
    // What ends something that runs is welcome until the end: cancellations, answers, DELETE.
    if (read === undefined || (stopping.aborted && read.posted?.hasRequests === true)) throw isStopping();
    request.onAdmit?.();
    return { request, ...read };
  }

  async #read(request: HttpRequest): Promise<Pick<Admitted, 'posted' | 'authInfo'>> {
    const authInfo = await authenticateRequest(request, this.#settings.authenticate, this.#failures);
    return { authInfo, posted: request.method === 'POST' ? await this.#readPost(request) : undefined };
  }

  async #readPost(request: HttpRequest): Promise<PostedMessages> {
    const { bodyLimit } = this.#settings;
    checkContentType(request.headers);
    checkContentLength(request.headers, bodyLimit);
    return readPost(await request.readBody(bodyLimit), bodyLimit);
  }

  async #serve(admitted: Admitted): Promise<Response> {
    // Its body may have arrived after everything was closed; what it opened now, nobody would close.
    if (this.#closing.signal.aborted) throw isStopping();
    if (this.#sessions === undefined) return this.#serveAlone(admitted);
    const { session, connection } = await this.#findSession(this.#sessions, admitted);
    admitted.atEnd(session.activity.enter());
    const response = await serveOver(connection, admitted);
    // The SDK refused to initialize, for example because of the Accept header: nobody knows this session.
    if (!connection.isInitialized) await connection.close();
    return response;
  }

  async #serveAlone(admitted: Admitted): Promise<Response> {
    const connection = await this.#connect(this.#surface, undefined);
    this.#alone.add(connection);
    admitted.atEnd(() => {
      this.#alone.delete(connection);
      void connection.close();
    });
    return serveOver(connection, admitted);
  }

  async #findSession(sessions: SessionStore, { request, posted, authInfo }: Admitted): Promise<SessionEntry> {
    const owner = authInfo && this.#settings.sessionOwner(authInfo);
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const entry = sessions.find(id, owner);
      if (entry !== undefined) return entry;
    }
    // A client that initializes anew may still name the session that it lost.
    if (id !== null && posted?.isInitialize !== true) {
      // 404 tells the client to initialize anew (spec 2025-11-25: basic/transports, Session Management).
      throw new HttpRefusal(404, 'Session not found; initialize a new one', {
        code: jsonRpcCodes.sessionNotFound,
      });
    }
    if (posted?.isInitialize !== true) {
      throw new HttpRefusal(400, 'The Mcp-Session-Id header is missing; send initialize first');
    }
    const entry = await sessions.open(owner, (session) => this.#connectSession(session));
    if (entry !== undefined) return entry;
    const maximum = String(this.#settings.sessions?.maximum);
    throw new HttpRefusal(503, `The server has reached its limit of ${maximum} sessions; try again later`);
  }

  #connectSession(session: HttpSession): Promise<HttpConnection> {
    const service = countCalls(this.#surface.service, session.activity);
    return this.#connect({ ...this.#surface, service }, session.id);
  }

  #connect(surface: ServerSurface, sessionId: string | undefined): Promise<HttpConnection> {
    const { json, keepAlive } = this.#settings;
    return openHttpConnection(surface, { sessionId, json, keepAlive });
  }

  #refuse(error: unknown): Response {
    if (error instanceof HttpRefusal) return error.toResponse();
    const message = 'An HTTP request could not be served.';
    this.#surface.logger.log({ level: 'error', event: 'http.failed', message, cause: error });
    return new HttpRefusal(500, 'Internal error', { code: jsonRpcCodes.internalError }).toResponse();
  }
}

async function serveOver(
  connection: HttpConnection,
  { request, posted, authInfo, unread }: Admitted,
): Promise<Response> {
  const { method, headers, url, signal } = request;
  const serving = connection.serve(new Request(url, { method, headers }), {
    body: posted?.body,
    authInfo,
    unread,
  });
  // A DELETE ends the connection itself, and must still be answered.
  if (posted === undefined) return serving;
  // With plain JSON the SDK never settles a response whose connection ended first.
  const response = await unlessAborted(serving, [connection.closed, signal]);
  if (response !== undefined) return response;
  throw new HttpRefusal(404, 'The session ended before the answer', { code: jsonRpcCodes.sessionNotFound });
}

function isStopping(): HttpRefusal {
  return new HttpRefusal(503, 'The server is shutting down', { headers: { connection: 'close' } });
}
