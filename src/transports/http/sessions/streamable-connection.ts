import type { SurfaceChange } from '../../../call/notifier.ts';
import { dispatcherOf, type ServerSurface } from '../../../engine/dispatcher.ts';
import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import {
  cancelledId,
  idOf,
  isRequest,
  reasonOf,
  writeMessage,
  type Reply,
} from '../../../engine/json-rpc/message.ts';
import { METHODS_2025 } from '../../../engine/protocol.ts';
import type { HeaderReader, RpcRequest } from '../../../engine/revision.ts';
import type { Revision2025 } from '../../../engine/revisions/2025/revision-2025.ts';
import { Session } from '../../../engine/revisions/2025/session.ts';
import type { SessionEvents } from '../../event-store/session-events.ts';
import { HttpRefusal, sessionEnded, type HttpAnswer } from '../http-answer.ts';
import { answerOf } from '../known-answer.ts';
import type { Patience } from '../patience.ts';
import { Channels } from '../streams/channels.ts';
import type { UnreadEvents } from '../streams/unread-events.ts';
import { unlessAborted } from '../unless-aborted.ts';
import {
  checkBatch,
  checkGetAccept,
  checkPostAccept,
  checkProtocolVersion,
  checkRoom,
  freeIds,
  isInitialize,
  readsEmptyEvents,
} from './check-post.ts';
import type { HttpConnection, ServeOptions } from './http-connection.ts';
import {
  CollectedRequests,
  StreamedRequests,
  type PostedRequests,
  type RequestId,
} from './posted-requests.ts';
import { SessionRequest, type RequestOrigin, type SessionDoor } from './session-request.ts';
import { SingleRequest } from './single-request.ts';

export interface StreamableOptions {
  /** Undefined for the single request of a stateless server. */
  readonly sessionId: string | undefined;
  /** Who opened the session, where clients are authenticated. */
  readonly owner?: string | undefined;
  readonly json: boolean;
  /** Milliseconds between two comments on an open stream. */
  readonly keepAlive: number | undefined;
  /** How many requests may run at the same time. */
  readonly maximumCalls: number;
  /** Undefined where a lost stream cannot be continued. */
  readonly events: SessionEvents | undefined;
  /** Milliseconds after which a client comes back to what it lost. */
  readonly retryInterval: number;
  /** Told of an event store that could not be read. */
  readonly onFailure: (cause: unknown) => void;
  /** Tells which requests take so long that their clients get a stream. */
  readonly patience: Patience;
}

/** In characters: who can continue a stream should not have to ask again for what was lost on the way. */
const LARGEST_PLAIN = 64 * 1024;

/** Streamable HTTP of one session, or of one request of a stateless server (spec 2025-11-25: basic/transports). */
export class StreamableConnection implements HttpConnection, SessionDoor {
  readonly revision: Revision2025;
  readonly session: Session;
  readonly sessionId: string | undefined;
  readonly #surface: ServerSurface;
  readonly #options: StreamableOptions;
  readonly #running = new Map<unknown, SessionRequest>();
  readonly #channels: Channels;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #closing = new AbortController();
  #isInitialized = false;

  constructor(surface: ServerSurface, options: StreamableOptions) {
    const { sessionId, owner, json } = options;
    this.#surface = surface;
    this.#options = options;
    this.sessionId = sessionId;
    this.revision = dispatcherOf(surface).revision2025;
    this.#headers = sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
    const isLasting = sessionId !== undefined;
    this.session = new Session({
      service: surface.service,
      send: (message, related) => this.#send(message, related),
      report: this.report,
      sessionId,
      owner,
      // Plain JSON and a connection that ends with the answer carry no requests to the client.
      canAsk: isLasting && !json,
      canLog: !json,
      isLasting,
    });
    this.#channels = new Channels({
      ...options,
      headers: () => this.#headers,
      onDrop: () => {
        this.report(new Error('A client does not read its stream, so notifications were dropped'));
      },
    });
  }

  /** False until the client's initialize was accepted. */
  get isInitialized(): boolean {
    return this.#isInitialized;
  }

  /** Aborted when the client or the server ended the connection. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** @throws HttpRefusal */
  async serve(options: ServeOptions): Promise<HttpAnswer> {
    if (this.closed.aborted) throw sessionNotFound();
    const { method, headers } = options.request;
    if (method === 'POST') {
      return isRequest(options.body) ? this.#serveSingle(options.body, options) : this.#post(options);
    }
    if (method === 'GET') checkGetAccept(headers);
    this.#checkInitialized(headers);
    if (method === 'GET') return this.#listen(headers, options.unread);
    await this.close();
    return new Response(null, { status: 200 });
  }

  notify(change: SurfaceChange): void {
    this.session.notify(change);
  }

  async close(): Promise<void> {
    if (this.closed.aborted) return;
    // What still runs has an answer before its stream ends: nobody has to come back for it.
    for (const { posted, message } of this.#running.values()) posted.end?.(message.id);
    this.#channels.close();
    for (const { cancellation } of this.#running.values()) cancellation.cancel();
    this.#running.clear();
    void this.#options.events?.end();
    this.#closing.abort();
    this.session.end();
  }

  /** Sends the reply to a request that ran. */
  settle(request: SessionRequest, reply: Reply): void {
    const { message, posted } = request;
    if (this.#running.get(message.id) === request) this.#running.delete(message.id);
    // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
    if (!request.isCancelled) posted.finish(reply, message.id, this.report);
  }

  readonly report = (cause: Error): void => {
    const { logger } = this.#surface;
    logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };

  /** Answers a request in a POST of its own with as little as it needs: plain JSON, or a stream. */
  async #serveSingle(message: RpcRequest, given: ServeOptions): Promise<HttpAnswer> {
    const { request, authInfo, unread } = given;
    this.#admit(request.headers, [message]);
    const { events, json, patience } = this.#options;
    const own = this.revision.find(message, this.session);
    // Where streams can be continued, what is long comes on one.
    const isStreamed = events !== undefined && METHODS_2025.get(message.method)?.isLong === true;
    if (own !== undefined && !isStreamed) return answerOf(own, this.report, this.#headers);
    const canComeBack = events !== undefined && readsEmptyEvents(request.headers, message);
    const posted = new SingleRequest(
      {
        open: () => (json ? undefined : this.#channels.openPosted(unread, canComeBack)),
        headers: this.#headers,
        largestPlain: canComeBack ? LARGEST_PLAIN : undefined,
      },
      patience,
    );
    if (isStreamed) posted.goOn();
    if (own === undefined) {
      const releaseStream = releaseOf(posted, canComeBack);
      this.#run(message, { posted, authInfo, http: request, releaseStream });
    } else posted.finish(own.reply, own.id, this.report);
    return posted.begun;
  }

  #run(message: RpcRequest, origin: RequestOrigin): void {
    const running = new SessionRequest(this, message, origin);
    this.#running.set(message.id, running);
    running.run(this.#surface.service);
  }

  /** Serves a batch, and what is no request. */
  async #post({ request, body, authInfo, unread }: ServeOptions): Promise<HttpAnswer> {
    const { headers } = request;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const ids = this.#admit(headers, messages);
    if (ids.length === 0) {
      for (const message of messages) this.#hear(message as object);
      return new Response(null, { status: 202 });
    }
    const origin = { authInfo, http: request, releaseStream: undefined };
    if (this.#options.json) {
      const collected = new CollectedRequests(ids, Array.isArray(body), this.#headers);
      this.#receive(messages, { ...origin, posted: collected });
      const response = await unlessAborted(collected.response, [this.closed, request.gone.signal]);
      if (response === undefined) throw sessionEnded(idOf(body));
      return response;
    }
    const canComeBack = this.#options.events !== undefined && readsEmptyEvents(headers, messages[0]);
    const { channel, response } = this.#channels.openPosted(unread, canComeBack);
    const posted = new StreamedRequests(ids.length, channel);
    this.#receive(messages, { ...origin, posted, releaseStream: releaseOf(posted, canComeBack) });
    return response;
  }

  #receive(messages: readonly unknown[], origin: RequestOrigin): void {
    for (const message of messages) {
      if (!isRequest(message)) {
        this.#hear(message as object);
        continue;
      }
      const own = this.revision.find(message, this.session);
      if (own === undefined) this.#run(message, origin);
      else origin.posted.finish(own.reply, own.id, this.report);
    }
  }

  /** Takes what is no request. */
  #hear(message: object): void {
    const request = this.#running.get(cancelledId(message));
    if (request === undefined) {
      this.session.receive(message);
      return;
    }
    this.#running.delete(request.message.id);
    request.cancellation.cancel(reasonOf(message));
    request.posted.settle();
  }

  async #listen(headers: HeaderReader, unread: UnreadEvents): Promise<Response> {
    const lastEvent = headers.get('last-event-id') ?? '';
    if (lastEvent !== '' && this.#options.events !== undefined)
      return this.#channels.resume(lastEvent, unread);
    return this.#channels.openStandalone(unread, readsEmptyEvents(headers, undefined));
  }

  /** @throws HttpRefusal */
  #admit(headers: HeaderReader, messages: readonly unknown[]): RequestId[] {
    checkPostAccept(headers);
    checkBatch(messages);
    if (messages.some(isInitialize)) this.#initialize();
    else this.#checkInitialized(headers);
    const ids = freeIds(messages, (id) => this.#running.has(id));
    checkRoom(this.#running.size + ids.length, this.#options.maximumCalls, ids[0]);
    return ids;
  }

  #initialize(): void {
    if (this.#isInitialized) {
      throw new HttpRefusal(400, 'Invalid request: this session is initialized already', {
        code: jsonRpcCodes.invalidRequest,
      });
    }
    this.#isInitialized = this.#options.sessionId !== undefined;
  }

  #checkInitialized(headers: HeaderReader): void {
    if (this.#options.sessionId !== undefined && !this.#isInitialized) {
      throw new HttpRefusal(400, 'This session is not initialized; send initialize first');
    }
    checkProtocolVersion(headers);
  }

  /** Sends what the session says: on the stream of the request that it belongs to, or on that of the session. */
  async #send(message: object, related: string | number | undefined): Promise<void> {
    const written = writeMessage(message, this.report);
    if (related === undefined) return this.#channels.standalone.send(written);
    const request = this.#running.get(related);
    if (request !== undefined) return request.posted.send(written);
    // The client cancelled the request, or it has its answer; only a question must fail then.
    if (isRequest(message)) throw new Error('The request that this belongs to has ended');
  }
}

function releaseOf(posted: PostedRequests, canComeBack: boolean): (() => void) | undefined {
  return canComeBack ? (): void => posted.release() : undefined;
}

function sessionNotFound(): HttpRefusal {
  const options = { code: jsonRpcCodes.sessionNotFound };
  return new HttpRefusal(404, 'Session not found; initialize a new one', options);
}
