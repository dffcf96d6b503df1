import { Cancellation } from '../call/call-context.ts';
import type { ChangeNotice } from '../call/notifier.ts';
import type { ServedClient } from '../kernel/call/service-request.ts';
import { revisionsOf, type Revisions, type ServedApplication } from './served-application.ts';
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
import { observeNotification } from './observed-answer.ts';
import { eraOfMessage, ServedMessage, type StandingReply, StandingRequests } from './request.ts';
import type { QuestionLimits, Revision, RpcRequest } from './revision.ts';
import { Session } from './revisions/2025/session.ts';
import { originOf, SEND_TEXT, type MessageOrigin, type WireTransport } from './wire-transport.ts';

type RequestId = string | number;

const NOTHING_KNOWN: MessageOrigin = Object.freeze({});

export interface ConnectionOptions {
  /** Requests that may run at the same time; further ones are refused. Default 1000. */
  readonly maxCalls?: number | undefined;
  /** Whether only this machine can be at the other end. Default false. */
  readonly isLocal?: boolean;
  /** The surface of its clients. Default: that of the application. */
  readonly surface?: string | undefined;
}

/**
 * Serves the client at the other end of a transport, each message in its era. A client speaks one era, but it may probe
 * for it with messages of both, and a proxy may carry several clients.
 */
export class Connection {
  /** Resolves when the client or the server has ended the connection. */
  readonly closed: Promise<void>;
  /** The client where it speaks 2026-07-28. */
  readonly client2026: ServedClient;
  readonly isLocal: boolean;
  readonly surface: string | undefined;
  readonly #application: ServedApplication;
  readonly #revisions: Revisions;
  readonly #wire: WireTransport;
  readonly #maxCalls: number;
  /** Created with the first message of a 2025 revision: a client gets no notifications of an era it does not speak. */
  #session: Session | undefined;
  /** The requests that have no answer yet. */
  readonly #open = new Map<unknown, ConnectedMessage>();
  /** Of those, the ones that stay open. */
  readonly #standing: StandingRequests;
  #isClosing = false;
  /** Running requests send nothing any more. */
  #isSilent = false;
  #resolveClosed: () => void = () => undefined;

  constructor(application: ServedApplication, wire: WireTransport, options: ConnectionOptions) {
    this.#application = application;
    this.#maxCalls = options.maxCalls ?? 1000;
    this.isLocal = options.isLocal ?? false;
    this.surface = options.surface;
    this.#revisions = revisionsOf(application);
    this.#wire = wire;
    this.#standing = new StandingRequests(application.service, application.logger);
    this.client2026 = this.#standing.client;
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
    this.#standing.tell(change);
  }

  /** Ends open subscriptions, refuses running requests, and then ends the connection. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      const standing = this.#standing.closeAll();
      for (const { id } of standing) this.#open.delete(id);
      await Promise.all(standing.map(({ id, end }) => this.#reply(end, id)));
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
  settle(request: ConnectedMessage, reply: Reply): void {
    const { id } = request.message;
    if (this.#open.get(id) === request) this.#open.delete(id);
    // Spec: basic/utilities/cancellation, Behavior Requirements: a cancelled request is not answered.
    if (!request.isCancelled && !this.#isSilent) void this.#reply(reply, id);
  }

  /** Keeps a request open. */
  stand(request: ConnectedMessage, standing: StandingReply): void {
    // It was cancelled before it could begin.
    if (this.#isClosing || this.#open.get(standing.id) !== request) return;
    const reply = this.#standing.open(standing, (notification) => {
      this.send(notification).catch(this.#report);
    });
    if (reply !== undefined) this.settle(request, reply);
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
      else this.#receiveOther(message as object, extra === undefined ? NOTHING_KNOWN : originOf(extra));
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
    const { revision2025, revision2026 } = this.#revisions;
    const sender = { isLocal: this.isLocal, authInfo: origin.authInfo, surface: this.surface };
    const own =
      session === undefined
        ? revision2026.answerOwn(request, sender)
        : METHODS_2025.has(request.method)
          ? revision2025.answerOwn(request, session, sender)
          : undefined;
    if (own === undefined) {
      const revision = session === undefined ? revision2026 : revision2025;
      const running = new ConnectedMessage(this, revision, request, session, origin);
      this.#open.set(id, running);
      running.run(this.#application.service);
    } else if (own instanceof Promise) {
      void own.then((answer) => answer && this.#reply(answer.reply, id)).catch(this.#report);
    } else void this.#reply(own.reply, id);
  }

  /** Receives responses and notifications. */
  #receiveOther(message: object, { http, authInfo }: MessageOrigin): void {
    const cancelled = cancelledId(message);
    const open = this.#open.get(cancelled);
    if (open !== undefined) {
      this.#open.delete(cancelled);
      this.#standing.close(cancelled);
      open.cancellation.cancel(reasonOf(message));
    } else if (eraOfMessage(message) === '2025') void this.#openSession().receive(message);
    const sender = http ?? { isLocal: this.isLocal, authInfo };
    observeNotification(message, this.#application.service.settings, sender, this.#session);
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
    for (const { cancellation } of this.#open.values()) cancellation.cancel();
    this.#standing.closeAll();
    this.#open.clear();
    this.#session?.end();
    this.#resolveClosed();
  }

  readonly #report = (cause: Error): void => {
    this.#application.logger.log({
      level: 'debug',
      event: 'protocol.error',
      message: cause.message,
      cause,
    });
  };
}

/** A request that came over a connection. */
class ConnectedMessage extends ServedMessage {
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
    this.served = session?.client ?? connection.client2026;
    this.sessionId = connection.sessionId;
    this.authInfo = authInfo;
    this.http = http;
    this.releaseStream = releaseStream;
  }

  /** A transport of the user may lead anywhere. */
  override get carrier(): 'http' | 'local' | undefined {
    return this.#connection.isLocal ? 'local' : super.carrier;
  }

  override get surface(): string | undefined {
    return this.#connection.surface;
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

  override stand(request: StandingReply): void {
    this.#connection.stand(this, request);
  }
}

/** Serves the application over one connection, to clients of both eras. */
export async function openConnection(
  application: ServedApplication,
  wire: WireTransport,
  options: ConnectionOptions = {},
): Promise<Connection> {
  const connection = new Connection(application, wire, options);
  await connection.start();
  return connection;
}
