import { isObject } from '../../../shared/json.ts';

import type { QuestionLimits } from '../../revision.ts';

/** What a request to the client gets: its result, or why there is none. */
export type ClientReply = { readonly result: unknown } | { readonly failure: Error };

type OnReply = (reply: ClientReply) => void;

/**
 * Brings a reply to whoever waits for it. By default that is this process; where a client may reply to another instance,
 * the id of the request names the one that asked.
 */
export interface ReplyRouter {
  expect(id: string, onReply: OnReply): void;
  forget(id: string): void;
  /** False for a reply that nobody waits for. */
  deliver(id: unknown, reply: ClientReply): boolean;
}

/** Routes replies within this process. */
export class LocalReplies implements ReplyRouter {
  readonly #waiting = new Map<unknown, OnReply>();

  expect(id: string, onReply: OnReply): void {
    this.#waiting.set(id, onReply);
  }

  forget(id: string): void {
    this.#waiting.delete(id);
  }

  deliver(id: unknown, reply: ClientReply): boolean {
    const onReply = this.#waiting.get(id);
    this.#waiting.delete(id);
    onReply?.(reply);
    return onReply !== undefined;
  }
}

export interface ClientRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** Sends a message that belongs to a request of the client, or to none. */
export type SendRelated = (message: object, relatedRequestId: string | number | undefined) => Promise<void>;

/** A request that the client has not answered yet. */
interface OpenRequest {
  restart(): void;
  fail(error: Error): void;
}

/** Names this process in the ids of its requests. */
const INSTANCE = crypto.randomUUID().slice(0, 8);

let count = 0;

/** The requests of a server to one client (spec 2025-11-25: client features), until each is answered. */
export class ClientRequests {
  readonly #send: SendRelated;
  readonly #replies: ReplyRouter;
  /** By id, which is the progress token as well. */
  readonly #open = new Map<unknown, OpenRequest>();

  constructor(send: SendRelated, replies: ReplyRouter = new LocalReplies()) {
    this.#send = send;
    this.#replies = replies;
  }

  /** @throws Error that says why there is no answer */
  ask(
    { method, params }: ClientRequest,
    { signal, timeout }: QuestionLimits,
    relatedRequestId: string | number | undefined,
  ): Promise<unknown> {
    if (signal.aborted) return Promise.reject(errorOf(signal.reason));
    count += 1;
    const id = `${INSTANCE}-${String(count)}`;
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown): void => {
        this.#cancel(id, errorOf(reason).message, relatedRequestId);
        this.#settle(id, { failure: errorOf(reason) });
      };
      const abort = (): void => {
        giveUp(signal.reason);
      };
      const expire = (): void => {
        giveUp('Request timed out');
      };
      let timer = setTimeout(expire, timeout);
      this.#replies.expect(id, (reply) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#open.delete(id);
        if ('failure' in reply) reject(reply.failure);
        else resolve(reply.result);
      });
      signal.addEventListener('abort', abort);
      this.#open.set(id, {
        restart: () => {
          clearTimeout(timer);
          timer = setTimeout(expire, timeout);
        },
        fail: (error) => this.#settle(id, { failure: error }),
      });
      // The client tells of progress when it has a token for it, and that shows that it still works.
      const meta = isObject(params) && isObject(params['_meta']) ? params['_meta'] : {};
      const members = { ...(params as object | undefined), _meta: { ...meta, progressToken: id } };
      this.#send({ jsonrpc: '2.0', id, method, params: members }, relatedRequestId).catch(
        (error: unknown) => {
          this.#settle(id, { failure: errorOf(error) });
        },
      );
    });
  }

  /** Takes a reply of the client; false for one that nobody waits for. */
  receive(reply: object): boolean {
    const { id, result, error } = reply as { id?: unknown; result?: unknown; error?: unknown };
    return this.#replies.deliver(id, error === undefined ? { result } : { failure: replyError(error) });
  }

  /** The client works on a request; false for one that is not open. */
  progress(token: unknown): boolean {
    const open = this.#open.get(token);
    open?.restart();
    return open !== undefined;
  }

  /** The connection has ended. */
  end(): void {
    for (const request of [...this.#open.values()]) request.fail(new Error('Connection closed'));
  }

  #settle(id: string, reply: ClientReply): void {
    this.#replies.deliver(id, reply);
  }

  #cancel(requestId: string, reason: string, relatedRequestId: string | number | undefined): void {
    const params = { requestId, reason };
    const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    // A client that is gone has nothing to cancel.
    this.#send(cancellation, relatedRequestId).catch(() => undefined);
  }
}

function replyError(error: unknown): Error {
  const { code, message, data } = isObject(error) ? error : {};
  return Object.assign(new Error(typeof message === 'string' ? message : 'it gave no reason'), {
    code,
    data,
  });
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
