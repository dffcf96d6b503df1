import {
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { AuthInfo as SdkAuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { AuthInfo } from '../../call/call-exchange.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { UnreadEvents } from '../http/unread-events.ts';
import { answeredId, cancelledId, isRequest } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import { writeMessage } from '../json-rpc/write-message.ts';
import { PostedRequests, type RequestId } from './posted-requests.ts';

/** What belongs to one HTTP request. */
export interface ServeOptions {
  /** The parsed body of a POST. */
  readonly body: unknown;
  readonly authInfo: AuthInfo | undefined;
  /** Counts what the response's stream holds. */
  readonly unread: UnreadEvents;
}

/**
 * The SDK's transport, which knows which requests run. So it ends a response whose request was cancelled, refuses
 * an id that is taken, answers where JSON cannot carry the result, and keeps no endless queue.
 */
export class HttpTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #running = new Map<unknown, PostedRequests>();
  readonly #isJson: boolean;
  #standalone: UnreadEvents | undefined;

  constructor(options: WebStandardStreamableHTTPServerTransportOptions) {
    super(options);
    this.#isJson = options.enableJsonResponse === true;
  }

  override async start(): Promise<void> {
    await super.start();
    const deliver = this.onmessage;
    this.onmessage = (message, extra) => {
      deliver?.(message, extra);
      this.#cancel(cancelledId(message));
    };
  }

  async serve(request: Request, { body, authInfo, unread }: ServeOptions): Promise<Response> {
    const ids = this.#freeIds(Array.isArray(body) ? body : [body]);
    const posted = new PostedRequests(ids.size, unread);
    for (const id of ids) this.#running.set(id, posted);
    const handling = this.handleRequest(request, {
      ...(body === undefined ? {} : { parsedBody: body }),
      // The SDK's type differs in being mutable only.
      ...(authInfo === undefined ? {} : { authInfo: authInfo as unknown as SdkAuthInfo }),
    });
    const response = await Promise.race([handling, posted.ended]);
    if (response.ok && request.method === 'GET') this.#standalone = unread;
    if (!response.ok) for (const id of ids) this.#running.delete(id);
    return response;
  }

  override async send(
    given: JSONRPCMessage,
    options?: Parameters<WebStandardStreamableHTTPServerTransport['send']>[1],
  ): Promise<void> {
    const { message, text } = writeMessage(given, (error) => this.onerror?.(error));
    const id = answeredId(message);
    const request = id ?? options?.relatedRequestId;
    const posted = this.#running.get(request);
    // The client cancelled the request, or it has its answer; only a question must fail then.
    if (request !== undefined && posted === undefined && !isRequest(message)) return;
    const unread = request === undefined ? this.#standalone : this.#streamOf(posted);
    if (unread?.isFull === true && isNotification(message)) {
      this.#drop(unread);
      return;
    }
    unread?.add(text.length);
    try {
      await super.send(message, options);
    } finally {
      if (id !== undefined) this.#answer(id, message);
    }
  }

  /** JSON-RPC 2.0, 4: an id establishes which answer is whose, so two running requests cannot share it. */
  #freeIds(messages: readonly unknown[]): ReadonlySet<RequestId> {
    const ids = new Set<RequestId>();
    for (const { id } of messages.filter(isRequest)) {
      if (ids.has(id) || this.#running.has(id)) {
        throw new HttpRefusal(400, 'Invalid request: a request with this id is still running', {
          code: jsonRpcCodes.invalidRequest,
          id,
        });
      }
      ids.add(id);
    }
    return ids;
  }

  #drop(unread: UnreadEvents): void {
    if (unread.hasDropped) return;
    unread.hasDropped = true;
    this.onerror?.(new Error('A client does not read its stream, so notifications were dropped'));
  }

  /** Plain JSON has no stream on which anything could wait. */
  #streamOf(posted: PostedRequests | undefined): UnreadEvents | undefined {
    return this.#isJson ? undefined : posted?.unread;
  }

  #answer(id: RequestId, message: JSONRPCMessage): void {
    const posted = this.#running.get(id);
    posted?.answers.push(message);
    if (posted !== undefined) this.#settle(id, posted);
  }

  /** Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered. */
  #cancel(id: unknown): void {
    const posted = this.#running.get(id);
    if (posted === undefined) return;
    posted.cancelled.push(id as RequestId);
    this.#settle(id as RequestId, posted);
  }

  #settle(id: RequestId, posted: PostedRequests): void {
    this.#running.delete(id);
    if (posted.settle() && posted.cancelled.length > 0) this.#endWithout(posted);
  }

  /** The SDK ends a response with its last answer, and a cancelled request has none. */
  #endWithout(posted: PostedRequests): void {
    posted.end(posted.toResponse());
    for (const id of posted.cancelled) this.closeSSEStream(id);
    // It forgets the ids when all are answered, and rejects because nobody is there to hear it.
    for (const id of posted.cancelled) {
      super.send({ jsonrpc: '2.0', id, result: {} }).catch(() => undefined);
    }
  }
}

/** Nobody waits for it, other than for an answer or a question. */
function isNotification(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message);
}
