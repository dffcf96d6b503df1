import { Cancellation } from '../call/call-context.ts';
import type { ChangeNotice } from '../call/notifier.ts';
import { CLIENT_2026, type ServedClient } from '../runtime/service-request.ts';
import { dispatcherOf, type Dispatcher, type ServedApplication } from './dispatcher.ts';
import { ID_IS_TAKEN, jsonRpcCodes } from './json-rpc/json-rpc-error.ts';
import {
  cancelledId,
  isProtocolMessage,
  isRequest,
  reasonOf,
  replyMessage,
  replyText,
  type Reply,
} from './json-rpc/message.ts';
import { refuseMessage } from './json-rpc/refuse-message.ts';
import { METHODS_2025 } from './protocol.ts';
import { eraOfMessage, RunningRequest } from './request.ts';
import type { QuestionLimits, Revision, RpcRequest, StandingCall, Subscription } from './revision.ts';
import { Session } from './revisions/2025/session.ts';
import { originOf, SEND_TEXT, type MessageOrigin, type WireTransport } from './wire-transport.ts';

type RequestId = string | number;

/** A client with more subscriptions than this has a leak. */
const MAXIMUM_SUBSCRIPTIONS = 1000;
const NOTHING_KNOWN: MessageOrigin = Object.freeze({});

/**
 * Serves the client at the other end of a transport, each message in its era. A client speaks one era, but it may probe
 * for it with messages of both, and a proxy may carry several clients.
 */
export class Connection {
  /** Resolves when the client or the server has ended the connection. */
  readonly closed: Promise<void>;
  readonly #application: ServedApplication;
  readonly #dispatcher: Dispatcher;
  readonly #wire: WireTransport;
  readonly #maxCalls: number;
  /** Created with the first message of a 2025 revision: a client gets no notifications of an era it does not speak. */
  #session: Session | undefined;
  readonly #subscriptions = new Map<RequestId, Subscription>();
  /** What has no answer yet. */
  readonly #open = new Map<unknown, ConnectedRequest | Subscription>();
  #isClosing = false;
  /** Running requests send nothing any more. */
  #isSilent = false;
  #resolveClosed: () => void = () => undefined;

  constructor(application: ServedApplication, wire: WireTransport, maxCalls: number) {
    this.#application = application;
    this.#maxCalls = maxCalls;
    this.#dispatcher = dispatcherOf(application);
    this.#wire = wire;
    const { onmessage, onerror, onclose } = wire;
    // The owner of the transport may listen as well.
    wire.onmessage = (message, extra) => {
      onmessage?.call(wire, message, extra);
      this.#receive(message, extra);
    };
    wire.onerror = (error) => {
      onerror?.call(wire, error);
      this.#report(error);
    };
    this.closed = new Promise((resolve) => {
      wire.onclose = () => {
        onclose?.call(wire);
        this.#end();
      };
      this.#resolveClosed = resolve;
    });
  }

  get sessionId(): string | undefined {
    return this.#wire.sessionId;
  }

  start(): Promise<void> {
    return this.#wire.start();
  }

  notify(change: ChangeNotice): void {
    this.#session?.notify(change);
    const { resources } = this.#application.service;
    // A resource that was disabled after the subscription is hidden from the client completely.
    if (change.kind === 'resource' && resources?.knows(change.uri) === false) return;
    for (const subscription of this.#subscriptions.values()) {
      const notice = subscription.noticeOf(change);
      if (notice !== undefined) this.send(notice).catch(this.#report);
    }
  }

  /** Ends open subscriptions, refuses running requests, and then ends the connection. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      const ended = [...this.#subscriptions].map(([id, { end }]) => this.#reply({ result: end }, id));
      await Promise.all(ended);
      this.#isSilent = true;
      for (const id of [...this.#open.keys()]) {
        this.#refuse(id as RequestId, jsonRpcCodes.serverError, 'The server is shutting down');
      }
    } finally {
      await this.#wire.close().finally(() => {
        this.#end();
      });
    }
  }

  /** @param relatedRequestId the request of the client that the message belongs to */
  async send(message: object, relatedRequestId?: RequestId): Promise<void> {
    if (this.#isSilent) throw new Error('The connection is closed');
    await this.#wire.send(message, relatedRequestId === undefined ? undefined : { relatedRequestId });
  }

  /** Sends the reply to a request that ran. */
  settle(request: ConnectedRequest, reply: Reply): void {
    const { id } = request.message;
    if (this.#open.get(id) === request) this.#open.delete(id);
    // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
    if (!request.isCancelled && !this.#isSilent) void this.#reply(reply, id);
  }

  #receive(message: unknown, extra: unknown): void {
    if (this.#isClosing) return;
    // A transport of the user does not check messages.
    if (this.#wire[SEND_TEXT] === undefined && !isProtocolMessage(message)) {
      this.#report(new Error(refuseMessage(message).failure.message));
      return;
    }
    try {
      if (isRequest(message)) this.#answer(message, extra === undefined ? NOTHING_KNOWN : originOf(extra));
      else this.#receiveOther(message as object);
    } catch (error) {
      // An error thrown in `onmessage` would be lost.
      this.#report(error as Error);
      if (!isRequest(message)) return;
      this.#open.delete(message.id);
      this.#refuse(message.id, jsonRpcCodes.internalError, 'The request could not be read');
    }
  }

  #answer(request: RpcRequest, origin: MessageOrigin): void {
    const { id } = request;
    // Two answers with one id would be ambiguous. The open request continues.
    if (this.#open.has(id)) return this.#refuse(id, jsonRpcCodes.invalidRequest, ID_IS_TAKEN);
    if (this.#open.size >= this.#maxCalls) {
      const limit = `This connection runs its limit of ${String(this.#maxCalls)} requests`;
      return this.#refuse(id, jsonRpcCodes.serverError, `${limit}; wait for an answer and try again`);
    }
    const session = eraOfMessage(request) === '2025' ? this.#openSession() : undefined;
    const { revision2025, revision2026 } = this.#dispatcher;
    const own =
      session === undefined
        ? revision2026.find(request)
        : METHODS_2025.has(request.method)
          ? revision2025.find(request, session)
          : undefined;
    if (own === undefined) {
      const revision = session === undefined ? revision2026 : revision2025;
      const running = new ConnectedRequest(this, revision, request, session, origin);
      this.#open.set(id, running);
      running.run(this.#application.service);
    } else if (own.kind === 'standing') this.#listen(own);
    else void this.#reply(own.reply, id);
  }

  #listen({ id, subscription }: StandingCall): void {
    if (this.#subscriptions.size >= MAXIMUM_SUBSCRIPTIONS) {
      const limit = String(MAXIMUM_SUBSCRIPTIONS);
      const message = `This connection has reached its limit of ${limit} subscriptions`;
      this.#refuse(id, jsonRpcCodes.serverError, message);
      return;
    }
    this.send(subscription.acknowledgement).catch(this.#report);
    if (subscription.isEmpty) {
      void this.#reply({ result: subscription.end }, id);
      return;
    }
    this.#subscriptions.set(id, subscription);
    this.#open.set(id, subscription);
  }

  /** Receives responses and notifications. */
  #receiveOther(message: object): void {
    const cancelled = cancelledId(message);
    const open = this.#open.get(cancelled);
    this.#open.delete(cancelled);
    this.#subscriptions.delete(cancelled as RequestId);
    if (open instanceof ConnectedRequest) open.cancellation.cancel(reasonOf(message));
    else if (eraOfMessage(message) === '2025') this.#openSession().receive(message);
  }

  #openSession(): Session {
    return (this.#session ??= new Session({
      service: this.#application.service,
      send: (message, relatedRequestId) => this.send(message, relatedRequestId),
      report: this.#report,
      canAsk: true,
      canLog: true,
      isLasting: true,
    }));
  }

  #reply(reply: Reply, id: RequestId): Promise<void> {
    const sent =
      this.#wire[SEND_TEXT]?.(replyText(reply, id, this.#report), id) ??
      this.#sendObject(replyMessage(reply, id));
    return sent.catch(this.#report);
  }

  #refuse(id: RequestId, code: number, message: string): void {
    this.#sendObject(replyMessage({ error: { code, message } }, id)).catch(this.#report);
  }

  /** Transports of users may throw synchronously, or return no promise. */
  async #sendObject(message: object): Promise<void> {
    await this.#wire.send(message);
  }

  /** Counts as ended even if its transport does not report it. */
  #end(): void {
    this.#isClosing = this.#isSilent = true;
    for (const open of this.#open.values()) {
      if (open instanceof ConnectedRequest) open.cancellation.cancel();
    }
    this.#open.clear();
    this.#subscriptions.clear();
    this.#session?.end();
    this.#resolveClosed();
  }

  readonly #report = (cause: Error): void => {
    this.#application.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
}

/** A request that came over a connection. */
class ConnectedRequest extends RunningRequest {
  readonly session: Session | undefined;
  readonly served: ServedClient;
  readonly sessionId: string | undefined;
  readonly authInfo: MessageOrigin['authInfo'];
  readonly http: MessageOrigin['http'];
  readonly releaseStream: MessageOrigin['releaseStream'];
  readonly canLog = true;
  readonly #connection: Connection;

  constructor(
    connection: Connection,
    revision: Revision,
    message: RpcRequest,
    session: Session | undefined,
    { authInfo, http, releaseStream }: MessageOrigin,
  ) {
    super(revision, message, new Cancellation());
    this.#connection = connection;
    this.session = session;
    this.served = session?.client ?? CLIENT_2026;
    this.sessionId = connection.sessionId;
    this.authInfo = authInfo;
    this.http = http;
    this.releaseStream = releaseStream;
  }

  send(notification: object): Promise<void> {
    return this.#connection.send({ ...notification, jsonrpc: '2.0' }, this.message.id);
  }

  ask(question: object, limits: QuestionLimits): Promise<unknown> {
    if (this.session === undefined)
      return Promise.reject(new Error('Nobody can be asked while a request runs'));
    return this.session.ask(question, limits, this.message.id);
  }

  deliver(reply: Reply): void {
    this.#connection.settle(this, reply);
  }
}

/**
 * Serves the application over one connection, to clients of both eras.
 * @param maxCalls the number of requests that may run at the same time; further ones are refused
 */
export async function openConnection(
  application: ServedApplication,
  wire: WireTransport,
  maxCalls = 1000,
): Promise<Connection> {
  const connection = new Connection(application, wire, maxCalls);
  await connection.start();
  return connection;
}
