import type { AuthInfo as SdkAuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import { Channels, type OpenChannel } from '../http/channels.ts';
import type { HeaderReader } from '../http/header-reader.ts';
import type { HttpAnswer } from '../http/http-answer.ts';
import type { SessionEvents } from '../event-store/session-events.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { UnreadEvents } from '../http/unread-events.ts';
import { answeredId, cancelledId, isRequest, reasonOf } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import { writeMessage } from '../json-rpc/write-message.ts';
import {
  checkBatch,
  checkGetAccept,
  checkPostAccept,
  checkProtocolVersion,
  checkRoom,
  freeIds,
  isInitialize,
  readsEmptyEvents,
} from './check-http-request.ts';
import type { ServeOptions } from './serve-options.ts';
import type { SessionDirect } from './session-direct.ts';
import {
  CollectedRequests,
  StreamedRequests,
  type PostedRequests,
  type RequestId,
} from './posted-requests.ts';

export interface HttpTransportOptions {
  /** Undefined for the single request of a stateless server. */
  readonly sessionId: string | undefined;
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
}

/**
 * Streamable HTTP of one session, or of one request of a stateless server (spec 2025-11-25: basic/transports).
 * An own one: the SDK's knows neither which requests run nor what a client has read, and loses the order of
 * events when a store is slow.
 */
export class HttpTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Set when the client's initialize was accepted. */
  sessionId?: string;
  /** Answers requests without the SDK. */
  direct?: SessionDirect;
  readonly #options: HttpTransportOptions;
  readonly #running = new Map<unknown, PostedRequests>();
  readonly #channels: Channels;
  #isInitialized = false;
  #isClosed = false;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#channels = new Channels({
      ...options,
      headers: () => this.#headers(),
      onDrop: () => {
        this.onerror?.(new Error('A client does not read its stream, so notifications were dropped'));
      },
    });
  }

  async start(): Promise<void> {
    // Messages come with the requests that are served.
  }

  /** Always resolves to an answer. */
  async serve(options: ServeOptions): Promise<HttpAnswer> {
    try {
      return await this.#serve(options);
    } catch (error) {
      if (error instanceof HttpRefusal) return error.toAnswer();
      throw error;
    }
  }

  /** Answers without the SDK; undefined for what has to go to it. @throws HttpRefusal */
  serveDirectly(options: ServeOptions): Promise<HttpAnswer> | undefined {
    const { request, body, unread } = options;
    const call = request.method === 'POST' && !this.#isClosed ? this.direct?.find(body, request) : undefined;
    if (call === undefined || this.direct === undefined) return undefined;
    const { events } = this.#options;
    // Where streams can be continued, lists come on one: they are long, and would have to be asked for again.
    if (events !== undefined && isList(body)) return undefined;
    this.#admit(request.headers, [body]);
    const canComeBack = events !== undefined && readsEmptyEvents(request.headers, body);
    const open = (): OpenChannel => this.#channels.openPosted(unread, canComeBack);
    return this.direct.serve(call, options, {
      running: this.#running,
      canComeBack,
      open: this.#options.json ? undefined : open,
      headers: this.#headers(),
    });
  }

  async send(given: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const written = writeMessage(given, (error) => this.onerror?.(error));
    const id = answeredId(written.message);
    const request = id ?? options?.relatedRequestId;
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

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // What still runs has an answer before its stream ends: nobody has to come back for it.
    for (const [id, posted] of this.#running) posted.end?.(id as RequestId);
    this.#channels.close();
    this.#running.clear();
    void this.#options.events?.end();
    this.onclose?.();
  }

  async #serve(options: ServeOptions): Promise<HttpAnswer> {
    if (this.#isClosed) throw sessionNotFound();
    const { method, headers } = options.request;
    if (method === 'POST') return this.#post(options);
    if (method === 'GET') checkGetAccept(headers);
    this.#checkInitialized(headers);
    if (method === 'GET') return this.#listen(headers, options.unread);
    await this.close();
    return new Response(null, { status: 200 });
  }

  /** As the SDK would be asked. @throws HttpRefusal */
  #admit(headers: HeaderReader, messages: readonly unknown[]): RequestId[] {
    checkPostAccept(headers);
    checkBatch(messages);
    if (messages.some(isInitialize)) this.#initialize();
    else this.#checkInitialized(headers);
    const ids = freeIds(messages, (id) => this.#running.has(id));
    checkRoom(this.#running.size + ids.length, this.#options.maximumCalls, ids[0]);
    return ids;
  }

  async #post({ request, body, authInfo, unread }: ServeOptions): Promise<HttpAnswer> {
    const { headers, url } = request;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const ids = this.#admit(headers, messages);
    const extra: MessageExtraInfo = {
      requestInfo: { headers: Object.fromEntries(headers), url },
      // The SDK's type differs in being mutable only.
      ...(authInfo === undefined ? {} : { authInfo: authInfo as unknown as SdkAuthInfo }),
    };
    if (ids.length === 0) {
      this.#receive(messages, extra);
      return new Response(null, { status: 202 });
    }
    if (this.#options.json) {
      const collected = new CollectedRequests(ids, Array.isArray(body), this.#headers());
      this.#run(ids, collected, messages, extra);
      return collected.response;
    }
    const canComeBack = this.#options.events !== undefined && readsEmptyEvents(headers, messages[0]);
    const { channel, response } = this.#channels.openPosted(unread, canComeBack);
    const streamed = new StreamedRequests(ids.length, channel);
    const release = (): void => streamed.release();
    this.#run(ids, streamed, messages, canComeBack ? { ...extra, closeSSEStream: release } : extra);
    return response;
  }

  async #listen(headers: HeaderReader, unread: UnreadEvents): Promise<Response> {
    const lastEvent = headers.get('last-event-id') ?? '';
    if (lastEvent !== '' && this.#options.events !== undefined)
      return this.#channels.resume(lastEvent, unread);
    return this.#channels.openStandalone(unread, readsEmptyEvents(headers, undefined));
  }

  #initialize(): void {
    if (this.#isInitialized) {
      throw new HttpRefusal(400, 'Invalid request: this session is initialized already', {
        code: jsonRpcCodes.invalidRequest,
      });
    }
    const { sessionId } = this.#options;
    if (sessionId === undefined) return;
    this.#isInitialized = true;
    this.sessionId = sessionId;
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
    extra: MessageExtraInfo,
  ): void {
    for (const id of ids) this.#running.set(id, posted);
    this.#receive(messages, extra);
  }

  #receive(messages: readonly unknown[], extra: MessageExtraInfo): void {
    for (const message of messages) {
      this.onmessage?.(message as JSONRPCMessage, extra);
      // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
      this.#settle(cancelledId(message), message);
    }
  }

  #settle(id: unknown, cancellation?: unknown): void {
    const posted = this.#running.get(id);
    this.#running.delete(id);
    if (cancellation !== undefined) posted?.cancel?.(reasonOf(cancellation));
    posted?.settle();
  }

  #headers(): Readonly<Record<string, string>> {
    return this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId };
  }
}

function isList(body: unknown): boolean {
  return isRequest(body) && body.method.endsWith('/list');
}

function sessionNotFound(): HttpRefusal {
  const options = { code: jsonRpcCodes.sessionNotFound };
  return new HttpRefusal(404, 'Session not found; initialize a new one', options);
}
