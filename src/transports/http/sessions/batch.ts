import type { AuthInfo } from '../../../call/request-context.ts';
import { Cancellation } from '../../../call/call-context.ts';
import {
  isRequest,
  replyMessage,
  replyText,
  writeMessage,
  type Reply,
} from '../../../engine/json-rpc/message.ts';
import { ServedMessage } from '../../../engine/request.ts';
import type { QuestionLimits, Revision, RpcRequest } from '../../../engine/revision.ts';
import type { Session } from '../../../engine/revisions/2025/session.ts';
import type { ServedClient } from '../../../kernel/call/service-request.ts';
import type { SessionLink } from '../../../engine/revisions/2025/session-link.ts';
import type { HeldRecord } from '../../../engine/revisions/2025/shared-records.ts';
import type { Owner } from '../../../shared/owners/owner-shares.ts';
import type { SessionSettings } from '../http-options.ts';
import { ACCEPTED, isStopping, sessionEnded, type PlainAnswer } from '../http-answer.ts';
import type { HttpExchange } from '../http-exchange.ts';
import type { Channel, ChannelMessage } from '../streams/channel.ts';
import { checkBatch, freeIds, isInitialize, runsTooMany, type RequestId } from '../guards/check-post.ts';

/** A running request of a session. It keeps running when its client disconnects. */
export interface SessionMessage extends ServedMessage {
  /** @throws Error for a question that cannot reach the client */
  post(given: ChannelMessage): Promise<void>;
  /** Ends a cancelled request without an answer (spec: basic/utilities/cancellation, Behavior Requirements). */
  settle(): void;
  /** @param isOver false where the session goes on at another instance */
  end(isOver: boolean): void;
}

/** The properties of a session that a batch without sessions does not have. */
export interface SessionGiven {
  readonly id: string | undefined;
  readonly owner: Owner;
  readonly settings: Pick<SessionSettings, 'maxCalls' | 'resumption'>;
  /** Of a session that another instance has opened. */
  readonly held?: HeldRecord | undefined;
  /** Undefined where no other instance can go on with it. */
  readonly link?: SessionLink | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called when the event store fails. */
  readonly onFailure: (cause: unknown) => void;
}

/** Of a batch outside of sessions. */
export const NO_SESSION: SessionGiven = {
  id: undefined,
  owner: undefined,
  settings: { maxCalls: Infinity, resumption: undefined },
  now: () => 0,
  onFailure: () => undefined,
};

interface BatchOptions {
  readonly exchange: HttpExchange;
  readonly ids: readonly RequestId[];
  /** Undefined for plain JSON, which carries answers only. */
  readonly channel: Channel | undefined;
  /** Whether the client can resume the channel. */
  readonly canComeBack: boolean;
  readonly report: (error: Error) => void;
}

/** The requests that came in one body, until each of them is answered or cancelled. */
export class Batch {
  /** Undefined when nobody waits for them any more. */
  readonly #collected: Promise<readonly string[] | undefined>;
  readonly #options: BatchOptions;
  readonly #answers = new Map<RequestId, string>();
  #collect: (answers: readonly string[] | undefined) => void = () => undefined;
  #open: number;

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#open = options.ids.length;
    this.#collected = new Promise((resolve) => {
      this.#collect = resolve;
    });
  }

  get exchange(): HttpExchange {
    return this.#options.exchange;
  }
  /** Ends the response stream; the client resumes it. */
  get releaseStream(): (() => void) | undefined {
    const { canComeBack, channel } = this.#options;
    if (!canComeBack) return undefined;
    return () => {
      if (this.#open > 0) channel?.release();
    };
  }

  notify(notification: object): Promise<void> {
    return this.send(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#options.report));
  }

  /** @throws Error for a question that cannot reach the client */
  async send(given: ChannelMessage): Promise<void> {
    const { channel } = this.#options;
    if (channel !== undefined) await channel.send(given);
    else if (isRequest(given.message)) throw new Error('Plain JSON carries no requests to the client');
  }

  /** Answers one of them. */
  finish(reply: Reply, id: RequestId): void {
    const { channel, report } = this.#options;
    if (channel === undefined) this.#answers.set(id, replyText(reply, id, report));
    else void channel.send(writeMessage(replyMessage(reply, id), report));
    this.settle();
  }

  /** One of the requests will not be answered. */
  settle(): void {
    const { channel, ids } = this.#options;
    this.#open -= 1;
    if (this.#open > 0) return;
    channel?.end();
    this.#collect(ids.flatMap((id) => this.#answers.get(id) ?? []));
  }

  /** One of them will not be answered; plain JSON refuses all of them. */
  end(id: RequestId, isOver: boolean): void {
    const refusal = isOver ? sessionEnded(id) : isStopping(id);
    this.#options.channel?.sendAtOnce(refusal.toAnswer().text);
  }

  /**
   * The answers as plain JSON, in the order of the requests.
   * @param closing of the session
   * @throws HttpRefusal when that, or the client, is gone before
   */
  async toAnswer(headers: PlainAnswer['headers'], closing: Cancellation): Promise<PlainAnswer> {
    const giveUp = (): void => {
      this.#collect(undefined);
    };
    closing.onCancel(giveUp);
    this.exchange.gone.onCancel(giveUp);
    const answers = await this.#collected;
    // The signal lives as long as the session, so listeners would accumulate.
    closing.offCancel(giveUp);
    if (answers === undefined) throw sessionEnded();
    if (answers.length === 0) return ACCEPTED;
    return { status: 200, headers, text: `[${answers.join(',')}]` };
  }
}

/** What decides whether the messages of one body are served. */
interface AdmittingSession {
  readonly running: ReadonlyMap<unknown, unknown>;
  readonly maxCalls: number;
  initialize(): void;
  checkOpen(exchange: HttpExchange): void;
}

/** @returns the ids of the requests @throws HttpRefusal for messages that are not served */
export function admitRequests(
  session: AdmittingSession,
  exchange: HttpExchange,
  messages: readonly unknown[],
): RequestId[] {
  if (exchange.checked?.acceptFault !== undefined) throw exchange.checked.acceptFault;
  checkBatch(messages);
  if (messages.some(isInitialize)) session.initialize();
  else session.checkOpen(exchange);
  const { running, maxCalls } = session;
  const ids = freeIds(messages, (id) => running.has(id));
  const [first] = ids;
  if (first !== undefined && running.size + ids.length > maxCalls) throw runsTooMany(maxCalls, first);
  return ids;
}

/** What the requests of a session share. */
export interface SessionOfRequests {
  readonly id: string | undefined;
  readonly revision: Revision;
  readonly session: Session;
  /** Called before a request is answered. */
  leave(request: ServedMessage): void;
}

/** One request of a batch. */
export class BatchedMessage extends ServedMessage implements SessionMessage {
  readonly session: Session;
  readonly served: ServedClient;
  readonly sessionId: string | undefined;
  readonly canLog: boolean;
  readonly http: HttpExchange;
  readonly releaseStream: (() => void) | undefined;
  readonly #home: SessionOfRequests;
  readonly #batch: Batch;

  constructor(home: SessionOfRequests, message: RpcRequest, batch: Batch) {
    super(home.revision, message, new Cancellation());
    this.session = home.session;
    this.served = home.session.client;
    this.sessionId = home.id;
    this.canLog = home.session.canLog;
    this.http = batch.exchange;
    this.releaseStream = batch.releaseStream;
    this.#home = home;
    this.#batch = batch;
  }

  get authInfo(): AuthInfo | undefined {
    return this.http.authInfo;
  }

  async send(notification: object): Promise<void> {
    if (!this.isCancelled) await this.#batch.notify(notification);
  }

  ask(question: object, limits: QuestionLimits): Promise<unknown> {
    return this.session.ask(question, limits, this.message.id);
  }

  deliver(reply: Reply): void {
    this.#home.leave(this);
    if (!this.isCancelled) this.#batch.finish(reply, this.message.id);
  }

  post(given: ChannelMessage): Promise<void> {
    return this.#batch.send(given);
  }

  settle(): void {
    this.#batch.settle();
  }

  end(isOver: boolean): void {
    this.#batch.end(this.message.id, isOver);
  }
}
