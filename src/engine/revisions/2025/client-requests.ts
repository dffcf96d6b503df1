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

export interface ClientQuestion {
  readonly method: string;
  readonly params?: unknown;
}

/** Sends a message that belongs to a request of the client, or to none. */
export type SendRelated = (message: object, relatedRequestId: string | number | undefined) => Promise<void>;

/** A request that the client has not answered yet. */
interface OpenQuestion {
  readonly asked: ClientQuestion;
  readonly related: string | number | undefined;
  /** The latest stands last. A reply to any of them counts. */
  readonly ids: string[];
  restart(): void;
  resolve(result: unknown): void;
  fail(error: Error): void;
}

/** A client that loses its stream more often is not asked once more. */
const MAX_ASKED = 10;

/** The requests of a server to one client (spec 2025-11-25: client features), until each is answered. */
export class ClientRequests {
  readonly #send: SendRelated;
  readonly #name: () => string;
  /** By id, which is the progress token as well. */
  readonly #open = new Map<unknown, OpenQuestion>();

  /** @param name gives each request an id that names this instance */
  constructor(send: SendRelated, name: () => string) {
    this.#send = send;
    this.#name = name;
  }

  /** All ids by which the client may answer. */
  get openIds(): readonly string[] {
    return [...new Set(this.#open.values())].flatMap(({ ids }) => ids);
  }

  /** @throws Error with the reason why the client gave no answer */
  ask(
    asked: ClientQuestion,
    { signal, timeout }: QuestionLimits,
    related: string | number | undefined,
  ): Promise<unknown> {
    if (signal.aborted) return Promise.reject(errorOf(signal.reason));
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown): void => {
        this.#cancel(open, errorOf(reason).message);
        open.fail(errorOf(reason));
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
        for (const id of open.ids) this.#open.delete(id);
      };
      signal.addEventListener('abort', abort);
      const open: OpenQuestion = {
        asked,
        related,
        ids: [],
        restart: () => {
          clearTimeout(timer);
          timer = setTimeout(expire, timeout);
        },
        resolve: (result) => {
          settle();
          resolve(result);
        },
        fail: (error) => {
          settle();
          reject(error);
        },
      };
      this.#put(open);
    });
  }

  /**
   * Asks once more what belongs to requests of the client, whose stream it had lost: its replies may be lost as well. An id
   * must not come twice (spec 2025-11-25: basic, Requests), so the question gets another one, and the one before is cancelled.
   * @param replayed the ids that it is sent again anyway
   */
  askAgain(related: readonly unknown[], replayed: ReadonlySet<unknown>): void {
    for (const open of new Set(this.#open.values())) {
      const isNew = replayed.has(open.ids.at(-1));
      if (isNew || open.ids.length >= MAX_ASKED || !related.includes(open.related)) continue;
      this.#cancel(open, 'It is asked again, because the stream broke');
      this.#put(open);
    }
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

  #put(open: OpenQuestion): void {
    const id = this.#name();
    open.ids.push(id);
    this.#open.set(id, open);
    const { method, params } = open.asked;
    // Progress shows that the client is still working.
    const meta = isObject(params) && isObject(params['_meta']) ? params['_meta'] : {};
    const members = { ...(params as object | undefined), _meta: { ...meta, progressToken: id } };
    this.#send({ jsonrpc: '2.0', id, method, params: members }, open.related).catch((error: unknown) => {
      this.#open.get(id)?.fail(errorOf(error));
    });
  }

  #cancel({ ids, related }: OpenQuestion, reason: string): void {
    const params = { requestId: ids.at(-1), reason };
    const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    // A client that is gone has nothing to cancel.
    this.#send(cancellation, related).catch(() => undefined);
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
