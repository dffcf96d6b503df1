import { INTERNAL_ERROR, METHOD_NOT_FOUND, ProtocolError } from '../call/protocol-error.ts';
import { ENVELOPE } from '../engine/protocol.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { isTooDeep, MAX_DEPTH } from './answer-shapes.ts';
import { connectionClosed, connectionError, requestTimedOut, unusableAnswer } from './client-errors.ts';
import type { ClientMessage, ClientTransport } from './client-transport.ts';

/** A progress report on a running request (spec: basic/utilities/progress). */
export interface Progress {
  /** How much is done; it grows with each report. */
  readonly progress: number;
  /** How much there is to do, where the server knows it. */
  readonly total?: number;
  /** What the server is doing. */
  readonly message?: string;
}

/** Options of one request. */
export interface RequestOptions {
  /** Abandons the request, and cancels it at the server. */
  readonly signal?: AbortSignal;
  /** Milliseconds without an answer or progress. Default: that of the client. */
  readonly timeout?: number;
  /** Called for each progress report. Without it, the client requests no progress. */
  readonly onProgress?: (progress: Progress) => void;
  /** @internal What the request is part of; the transport gets it with each message of the request. */
  readonly partOf?: symbol;
}

/** Request options that depend on the protocol revision. */
export interface WireOptions extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a message cancels the request; over HTTP, 2026-07-28 only ends the response. */
  readonly isCancelledByNotice?: boolean;
  /** Called for notifications that belong to this request. */
  readonly onNotification?: (method: string, params: PlainObject) => void;
  /** Answers what the server asks while this request runs, in place of the handlers of the client. */
  readonly onRequest?: ServerMessages['request'];
}

/** Receives the requests and notifications of the server. */
export interface ServerMessages {
  request(method: string, params: PlainObject): Promise<PlainObject>;
  notification(method: string, params: PlainObject): void;
  error(error: Error): void;
}

interface Waiting {
  readonly method: string;
  readonly options: WireOptions;
  resolve(result: PlainObject): void;
  reject(error: unknown): void;
  restart(): void;
  /** Stops its time until it is restarted. */
  pause(): void;
}

/** JSON-RPC 2.0 over one transport: which answer belongs to which request, time limits, progress, cancellation. */
export class ClientConnection {
  readonly #transport: ClientTransport;
  readonly #messages: ServerMessages;
  readonly #timeout: number;
  readonly #waiting = new Map<unknown, Waiting>();
  #lastId = 0;
  #closed: { readonly cause: unknown } | undefined;

  constructor(transport: ClientTransport, messages: ServerMessages, timeout: number) {
    this.#transport = transport;
    this.#messages = messages;
    this.#timeout = timeout;
  }

  get place(): string {
    return this.#transport.place;
  }

  get hasResponses(): boolean {
    return this.#transport.hasResponses;
  }

  start(): Promise<void> {
    return this.#transport.start({
      message: (message, answering) => {
        this.#receive(message, answering);
      },
      failed: (error) => {
        this.#messages.error(error);
      },
      closed: (cause) => {
        this.#end(cause);
      },
    });
  }

  async openSession(revision: string): Promise<void> {
    await this.#transport.openSession?.(revision);
  }

  /**
   * @throws ProtocolError for an error that the server answered
   * @throws ToolwrightError TW_CLIENT_CONNECTION, TW_CLIENT_TIMEOUT or TW_CLIENT_ANSWER
   * @throws the reason of the signal
   */
  request(method: string, params: PlainObject, options: WireOptions = {}): Promise<PlainObject> {
    const { signal, onProgress, headers, partOf, timeout = this.#timeout } = options;
    signal?.throwIfAborted();
    if (this.#closed !== undefined) return Promise.reject(connectionClosed(this.place, this.#closed.cause));
    this.#lastId += 1;
    const id = this.#lastId;
    const givenUp = new AbortController();
    return new Promise<PlainObject>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (): void => {
        this.#waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const giveUp = (reason: unknown): void => {
        if (!this.#waiting.has(id)) return;
        settle();
        // A caller gets the reason that it gave, whatever it is
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors
        reject(reason);
        this.#cancel(id, method, reason, options);
        givenUp.abort(reason);
      };
      const abort = (): void => {
        giveUp(signal?.reason);
      };
      const restart = (): void => {
        clearTimeout(timer);
        timer = this.#timer(timeout, () => {
          giveUp(requestTimedOut(this.place, method, timeout));
        });
      };
      const pause = (): void => {
        clearTimeout(timer);
      };
      const waiting = { method, options, restart, pause, ...settling(settle, resolve, reject) };
      this.#waiting.set(id, waiting);
      signal?.addEventListener('abort', abort);
      restart();
      const message = { jsonrpc: '2.0', id, method, params: withToken(params, onProgress && id) } as const;
      this.#transport
        .send(message, { ...(headers && { headers }), ...(partOf && { partOf }), signal: givenUp.signal })
        .catch(waiting.reject);
    });
  }

  /** @throws ToolwrightError as {@link request} does: over HTTP, a notification has a response, too */
  async notify(
    method: string,
    params: PlainObject,
    headers?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const late = new AbortController();
    const timer = this.#timer(this.#timeout, () => {
      late.abort(requestTimedOut(this.place, method, this.#timeout));
    });
    const options = { ...(headers && { headers }), signal: late.signal };
    await this.#transport.send({ jsonrpc: '2.0', method, params }, options).finally(() => {
      clearTimeout(timer);
    });
  }

  async close(): Promise<void> {
    await this.#transport.close();
    this.#end(undefined);
  }

  #timer(milliseconds: number, end: () => void): NodeJS.Timeout | undefined {
    return milliseconds === Infinity ? undefined : setTimeout(end, milliseconds);
  }

  #receive(message: unknown, answering: string | number | undefined): void {
    if (!isPlainObject(message)) return;
    const { id, method, params } = message;
    if (isTooDeep(message)) return this.#refuse(id, method);
    const given = isPlainObject(params) ? params : {};
    if (typeof method !== 'string') this.#settle(message);
    else if (typeof id === 'string' || typeof id === 'number')
      void this.#answer(id, method, given, this.#belonging(answering, 'onRequest'));
    else if (method === 'notifications/progress') this.#report(given);
    else this.#notify(method, given, answering);
  }

  /** The request that a message belongs to. Where its transport cannot say it, the newest that takes such messages. */
  #belonging(
    answering: string | number | undefined,
    taker: 'onRequest' | 'onNotification',
  ): Waiting | undefined {
    const named = answering === undefined ? undefined : this.#waiting.get(answering);
    return named ?? [...this.#waiting.values()].reverse().find(({ options }) => options[taker] !== undefined);
  }

  #refuse(id: unknown, method: unknown): void {
    const why = `it is nested deeper than ${String(MAX_DEPTH)} levels.`;
    const waiting = method === undefined ? this.#waiting.get(id) : undefined;
    if (waiting !== undefined) waiting.reject(unusableAnswer(this.place, waiting.method, why));
    else this.#messages.error(connectionError(this.place, `sent a message that cannot be read: ${why}`));
  }

  #settle({ id, result, error }: PlainObject): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (isPlainObject(result)) waiting.resolve(result);
    else if (isPlainObject(error)) waiting.reject(protocolError(error));
    else {
      waiting.reject(unusableAnswer(this.place, waiting.method, 'it has neither a result nor an error.'));
    }
  }

  #report({ progressToken, progress, total, message }: PlainObject): void {
    const waiting = this.#waiting.get(progressToken);
    const onProgress = waiting?.options.onProgress;
    // A request that did not ask for reports ends in its time, whatever the server reports
    if (waiting === undefined || onProgress === undefined || typeof progress !== 'number') return;
    waiting.restart();
    onProgress({
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    });
  }

  #notify(method: string, params: PlainObject, answering: string | number | undefined): void {
    const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
    const subscription = this.#waiting.get(meta[ENVELOPE.subscriptionId]);
    const isLog = method === 'notifications/message';
    const waiting = subscription ?? (isLog ? this.#belonging(answering, 'onNotification') : undefined);
    waiting?.options.onNotification?.(method, params);
    this.#messages.notification(method, params);
  }

  /** @param asker the request for which the server asks; its time stands still in between */
  async #answer(
    id: string | number,
    method: string,
    params: PlainObject,
    asker: Waiting | undefined,
  ): Promise<void> {
    const { onRequest, headers } = asker?.options ?? {};
    // A server that pings has not answered yet
    const waiting = method === 'ping' ? undefined : asker;
    waiting?.pause();
    const asked = onRequest?.(method, params) ?? this.#messages.request(method, params);
    const answer = await asked.then(
      (result) => ({ result }),
      (thrown: unknown) => ({ error: answeredError(thrown) }),
    );
    if (waiting !== undefined && [...this.#waiting.values()].includes(waiting)) waiting.restart();
    await this.#send({ jsonrpc: '2.0', id, ...answer }, headers);
  }

  /** Spec: basic/utilities/cancellation; `initialize` must not be cancelled. */
  #cancel(
    id: number,
    method: string,
    reason: unknown,
    { isCancelledByNotice = true, headers }: WireOptions,
  ): void {
    if (!isCancelledByNotice || method === 'initialize' || this.#closed !== undefined) return;
    const params = { requestId: id, ...(reason instanceof Error ? { reason: reason.message } : {}) };
    void this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers);
  }

  async #send(message: ClientMessage, headers: WireOptions['headers']): Promise<void> {
    try {
      await this.#transport.send(message, headers && { headers });
    } catch (error) {
      if (this.#closed === undefined) this.#messages.error(error as Error);
    }
  }

  #end(cause: unknown): void {
    if (this.#closed !== undefined) return;
    this.#closed = { cause };
    for (const waiting of [...this.#waiting.values()]) waiting.reject(cause ?? connectionClosed(this.place));
  }
}

/** The resolve and reject functions of a request; both remove it first. */
function settling(
  settle: () => void,
  resolve: (result: PlainObject) => void,
  reject: (error: Error) => void,
): Pick<Waiting, 'resolve' | 'reject'> {
  return {
    resolve: (result) => {
      settle();
      resolve(result);
    },
    reject: (error) => {
      settle();
      reject(error as Error);
    },
  };
}

function withToken(params: PlainObject, progressToken: number | undefined): PlainObject {
  if (progressToken === undefined) return params;
  const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
  return { ...params, _meta: { ...meta, progressToken } };
}

function protocolError({ code, message, data }: PlainObject): ProtocolError {
  const known = typeof code === 'number' ? code : INTERNAL_ERROR;
  const words = typeof message === 'string' ? message : 'The server gave no reason';
  return isPlainObject(data) ? new ProtocolError(known, words, data) : new ProtocolError(known, words);
}

function answeredError(thrown: unknown): NonNullable<ClientMessage['error']> {
  if (ProtocolError.is(thrown)) {
    const { code, message, data } = thrown;
    return { code, message, ...(data && { data }) };
  }
  return { code: INTERNAL_ERROR, message: 'The client could not answer' };
}

/** Spec: client/sampling, Error Handling. */
const REJECTED = -1;

/** The error for a question that a person does not want a model to answer. */
export function samplingRejected(): ProtocolError {
  return new ProtocolError(REJECTED, 'The user refused to sample');
}

/** The error for a request that the client does not support. */
export function unknownMethod(method: string): ProtocolError {
  return new ProtocolError(METHOD_NOT_FOUND, `The client does not take ${method}`);
}
