import type { SurfaceChange } from '../../../call/notifier.ts';
import { Connection2025, type MessageOrigin } from '../../../engine/revisions/2025/connection-2025.ts';
import type { RunnableCall } from '../../../engine/dispatched-call.ts';
import type { RpcRequest } from '../../../engine/rpc-request.ts';
import { traitsOf } from '../../../engine/method-traits.ts';
import {
  replyMessage,
  type Reply,
  answeredId,
  cancelledId,
  idOf,
  isRequest,
  reasonOf,
  writeMessage,
} from '../../../engine/json-rpc/message.ts';
import type { SessionEvents } from '../../event-store/session-events.ts';
import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import type { ServerSurface } from '../../../engine/server-surface.ts';
import { Channels } from '../streams/channels.ts';
import type { HeaderReader } from '../../../engine/header-reader.ts';
import { type HttpAnswer, HttpRefusal, sessionEnded } from '../http-answer.ts';
import { answerOf } from '../known-answer.ts';
import type { Patience } from '../patience.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { UnreadEvents } from '../streams/unread-events.ts';
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
import {
  CollectedRequests,
  StreamedRequests,
  type PostedRequests,
  type RequestId,
} from './posted-requests.ts';
import type { HttpConnection, ServeOptions } from './http-connection.ts';
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
export class StreamableConnection implements HttpConnection {
  readonly #surface: ServerSurface;
  readonly #options: StreamableOptions;
  readonly #connection: Connection2025;
  readonly #running = new Map<unknown, PostedRequests>();
  readonly #channels: Channels;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #closing = new AbortController();
  #isInitialized = false;

  constructor(surface: ServerSurface, options: StreamableOptions) {
    const { sessionId, owner, json } = options;
    this.#surface = surface;
    this.#options = options;
    this.#headers = sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
    const isLasting = sessionId !== undefined;
    this.#connection = new Connection2025(
      surface,
      {
        send: (message, related) => this.#send(message, related),
        reply: (reply, id) => this.#send(replyMessage(reply, id), undefined),
      },
      // Plain JSON and a connection that ends with the answer carry no requests to the client.
      { sessionId, owner, canAsk: isLasting && !json, canLog: !json, isLasting },
    );
    this.#channels = new Channels({
      ...options,
      headers: () => this.#headers,
      onDrop: () => {
        this.#connection.report(
          new Error('A client does not read its stream, so notifications were dropped'),
        );
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
    this.#connection.notify(change);
  }

  async close(): Promise<void> {
    if (this.closed.aborted) return;
    // What still runs has an answer before its stream ends: nobody has to come back for it.
    for (const [id, posted] of this.#running) posted.end?.(id as RequestId);
    this.#channels.close();
    this.#running.clear();
    void this.#options.events?.end();
    this.#closing.abort();
    this.#connection.end();
  }

  /** Answers a request in a POST of its own with as little as it needs: plain JSON, or a stream. */
  async #serveSingle(message: RpcRequest, given: ServeOptions): Promise<HttpAnswer> {
    const { request, authInfo, unread } = given;
    this.#admit(request.headers, [message]);
    const { events, json, patience } = this.#options;
    const call = this.#connection.find(message);
    // Where streams can be continued, what is long comes on one.
    const isStreamed = events !== undefined && traitsOf(message.method).isLong === true;
    if (call.kind === 'answered' && !isStreamed) {
      return answerOf(call, this.#connection.report, this.#headers);
    }
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
    if (call.kind === 'answered') posted.finish(call.reply, call.id, this.#connection.report);
    else
      this.#runSingle(call, posted, {
        authInfo,
        http: request,
        releaseStream: releaseOf(posted, canComeBack),
      });
    return posted.begun;
  }

  #runSingle(call: RunnableCall, posted: SingleRequest, origin: MessageOrigin): void {
    const { id } = call;
    const { cancellation } = posted;
    this.#running.set(id, posted);
    call.run(this.#connection.peerOf(id, cancellation, origin), (reply: Reply) => {
      if (this.#running.get(id) === posted) this.#running.delete(id);
      posted.finish(reply, id, this.#connection.report);
    });
  }

  /** Serves a batch, and what is no request. */
  async #post({ request, body, authInfo, unread }: ServeOptions): Promise<HttpAnswer> {
    const { headers } = request;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const ids = this.#admit(headers, messages);
    const origin: MessageOrigin = { authInfo, http: request };
    if (ids.length === 0) {
      this.#receive(messages, origin);
      return new Response(null, { status: 202 });
    }
    if (this.#options.json) {
      const collected = new CollectedRequests(ids, Array.isArray(body), this.#headers);
      this.#run(ids, collected, messages, origin);
      const response = await unlessAborted(collected.response, [this.closed, request.gone.signal]);
      if (response === undefined) throw sessionEnded(idOf(body));
      return response;
    }
    const canComeBack = this.#options.events !== undefined && readsEmptyEvents(headers, messages[0]);
    const { channel, response } = this.#channels.openPosted(unread, canComeBack);
    const streamed = new StreamedRequests(ids.length, channel);
    this.#run(ids, streamed, messages, { ...origin, releaseStream: releaseOf(streamed, canComeBack) });
    return response;
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

  #run(
    ids: readonly RequestId[],
    posted: PostedRequests,
    messages: readonly unknown[],
    origin: MessageOrigin,
  ): void {
    for (const id of ids) this.#running.set(id, posted);
    this.#receive(messages, origin);
  }

  #receive(messages: readonly unknown[], origin: MessageOrigin): void {
    for (const message of messages) {
      this.#connection.receive(message, origin);
      // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
      this.#settle(cancelledId(message), message);
    }
  }

  async #send(message: object, related: string | number | undefined): Promise<void> {
    const written = writeMessage(message, this.#connection.report);
    const id = answeredId(written.message);
    const request = id ?? related;
    if (request === undefined) return this.#channels.standalone.send(written);
    const posted = this.#running.get(request);
    // The client cancelled the request, or it has its answer; only a question must fail then.
    const isLost = posted === undefined && isRequest(written.message);
    if (isLost) throw new Error('The request that this belongs to has ended');
    if (posted === undefined) return;
    const sending = posted.send(written);
    if (id !== undefined) this.#settle(id);
    await sending;
  }

  #settle(id: unknown, cancellation?: unknown): void {
    const posted = this.#running.get(id);
    this.#running.delete(id);
    if (cancellation !== undefined) posted?.cancel?.(reasonOf(cancellation));
    posted?.settle();
  }
}

function releaseOf(posted: PostedRequests, canComeBack: boolean): (() => void) | undefined {
  return canComeBack ? (): void => posted.release() : undefined;
}

function sessionNotFound(): HttpRefusal {
  const options = { code: jsonRpcCodes.sessionNotFound };
  return new HttpRefusal(404, 'Session not found; initialize a new one', options);
}
