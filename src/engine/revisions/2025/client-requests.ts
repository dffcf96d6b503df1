import { isObject } from '../../../shared/json.ts';

import type { QuestionLimits } from '../../revision.ts';

/** A client's message about a request of the server: its response, or progress. */
export interface ClientMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Ids end with a UUID, so they never repeat. */
const ID_END = 37;
/** What instances are called. */
export const INSTANCE = /^[\w.-]{1,64}$/;
const ID = /-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The instance that asked; undefined for an id of another form. */
export function instanceOf(id: unknown): string | undefined {
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  const instance = id.slice(0, -ID_END);
  // A client made up what no instance is called, and it would name a channel of the router
  return INSTANCE.test(instance) ? instance : undefined;
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
  resolve(result: unknown): void;
  fail(error: Error): void;
}

/** The requests of a server to one client (spec 2025-11-25: client features), until each is answered. */
export class ClientRequests {
  readonly #send: SendRelated;
  readonly #instance: string;
  /** By id, which is the progress token as well. */
  readonly #open = new Map<unknown, OpenRequest>();

  constructor(send: SendRelated, instance: string) {
    this.#send = send;
    this.#instance = instance;
  }

  /** @throws Error with the reason why the client gave no answer */
  ask(
    { method, params }: ClientRequest,
    { signal, timeout }: QuestionLimits,
    relatedRequestId: string | number | undefined,
  ): Promise<unknown> {
    if (signal.aborted) return Promise.reject(errorOf(signal.reason));
    const id = `${this.#instance}-${crypto.randomUUID()}`;
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown): void => {
        this.#cancel(id, errorOf(reason).message, relatedRequestId);
        fail(errorOf(reason));
      };
      const abort = (): void => {
        giveUp(signal.reason);
      };
      const expire = (): void => {
        giveUp('Request timed out');
      };
      let timer = setTimeout(expire, timeout);
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#open.delete(id);
      };
      const fail = (error: Error): void => {
        settle();
        reject(error);
      };
      signal.addEventListener('abort', abort);
      this.#open.set(id, {
        restart: () => {
          clearTimeout(timer);
          timer = setTimeout(expire, timeout);
        },
        resolve: (result) => {
          settle();
          resolve(result);
        },
        fail,
      });
      // Progress shows that the client is still working.
      const meta = isObject(params) && isObject(params['_meta']) ? params['_meta'] : {};
      const members = { ...(params as object | undefined), _meta: { ...meta, progressToken: id } };
      this.#send({ jsonrpc: '2.0', id, method, params: members }, relatedRequestId).catch(
        (error: unknown) => {
          this.#open.get(id)?.fail(errorOf(error));
        },
      );
    });
  }

  /** Takes a message of the client about a request; false if the request is not open here. */
  receive(message: ClientMessage): boolean {
    const open = this.#open.get(requestOf(message));
    if (open === undefined) return false;
    if (message.method !== undefined) open.restart();
    else if (message.error === undefined) open.resolve(message.result);
    else open.fail(replyError(message.error));
    return true;
  }

  /** The connection has ended. */
  end(): void {
    for (const request of [...this.#open.values()]) request.fail(new Error('Connection closed'));
  }

  #cancel(requestId: string, reason: string, relatedRequestId: string | number | undefined): void {
    const params = { requestId, reason };
    const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    // A client that is gone has nothing to cancel.
    this.#send(cancellation, relatedRequestId).catch(() => undefined);
  }
}

/** The id of the request that a message of the client is about. */
export function requestOf({ id, method, params }: ClientMessage): unknown {
  return method === undefined ? id : isObject(params) ? params['progressToken'] : undefined;
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
