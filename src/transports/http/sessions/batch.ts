import type { AuthInfo } from '../../../call/call-exchange.ts';
import { Cancellation } from '../../../call/call-context.ts';
import { replyMessage, replyText, writeMessage, type Reply } from '../../../engine/json-rpc/message.ts';
import { RunningRequest } from '../../../engine/request.ts';
import type { QuestionLimits, Revision, RpcRequest } from '../../../engine/revision.ts';
import type { Session } from '../../../engine/revisions/2025/session.ts';
import type { ServedClient } from '../../../runtime/service-request.ts';
import { sessionEnded, type PlainAnswer } from '../http-answer.ts';
import type { HttpExchange } from '../http-exchange.ts';
import type { Channel, ChannelMessage } from '../streams/channel.ts';
import type { RequestId } from './check-post.ts';

/** What the requests of a session have in common. */
export interface SessionOfRequests {
  readonly id: string | undefined;
  readonly revision: Revision;
  readonly session: Session;
  readonly report: (error: Error) => void;
  /** Told before one of them is answered. */
  leave(request: RunningRequest): void;
}

/** A running request of a session. It goes on when its client goes away. */
export interface SessionRequest extends RunningRequest {
  /** @throws Error for a question that cannot reach the client */
  post(given: ChannelMessage): Promise<void>;
  /** Its client has cancelled it (spec: basic/utilities/cancellation, Behavior Requirements): it is not answered. */
  settle(): void;
  /** The session ends first. */
  end(): void;
}

/** One request of a batch. */
export class BatchRequest extends RunningRequest implements SessionRequest {
  readonly session: Session;
  readonly served: ServedClient;
  readonly sessionId: string | undefined;
  readonly canLog: boolean;
  readonly http: HttpExchange;
  readonly releaseStream: (() => void) | undefined;
  readonly #home: SessionOfRequests;
  readonly #posted: PostedRequests;

  constructor(home: SessionOfRequests, message: RpcRequest, given: BatchGiven) {
    super(home.revision, message, new Cancellation());
    this.session = home.session;
    this.served = home.session.client;
    this.sessionId = home.id;
    this.canLog = home.session.canLog;
    this.http = given.exchange;
    this.releaseStream = given.releaseStream;
    this.#home = home;
    this.#posted = given.posted;
  }

  get authInfo(): AuthInfo | undefined {
    return this.http.authInfo;
  }

  async send(notification: object): Promise<void> {
    if (this.isCancelled) return;
    await this.post(writeMessage({ ...notification, jsonrpc: '2.0' }, this.#home.report));
  }

  ask(question: object, limits: QuestionLimits): Promise<unknown> {
    return this.session.ask(question, limits, this.message.id);
  }

  deliver(reply: Reply): void {
    this.#home.leave(this);
    if (!this.isCancelled) this.#posted.finish(reply, this.message.id, this.#home.report);
  }

  post(given: ChannelMessage): Promise<void> {
    return this.#posted.send(given);
  }

  settle(): void {
    this.#posted.settle();
  }

  end(): void {
    this.#posted.end(this.message.id);
  }
}

/** What a request has of the batch that it came in. */
export interface BatchGiven {
  readonly exchange: HttpExchange;
  readonly posted: PostedRequests;
  readonly releaseStream: (() => void) | undefined;
}

/** The requests of a batch, until each of them is answered or cancelled. */
export interface PostedRequests {
  /** @throws Error for a question that cannot reach the client */
  send(given: ChannelMessage): Promise<void>;
  /** Answers one of them. */
  finish(reply: Reply, id: RequestId, report: (error: Error) => void): void;
  /** One of them will never be answered. */
  settle(): void;
  /** Lets the client go on waiting elsewhere. */
  release(): void;
  /** The session ends before one of them is answered. */
  end(id: RequestId): void;
}

/** Requests that are answered on a stream. */
export class StreamedRequests implements PostedRequests {
  readonly #channel: Channel;
  #open: number;

  constructor(count: number, channel: Channel) {
    this.#open = count;
    this.#channel = channel;
  }

  send(given: ChannelMessage): Promise<void> {
    return this.#channel.send(given);
  }

  finish(reply: Reply, id: RequestId, report: (error: Error) => void): void {
    void this.#channel.send(writeMessage(replyMessage(reply, id), report));
    this.settle();
  }

  settle(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#channel.end();
  }

  end(id: RequestId): void {
    this.#channel.sendAtOnce(sessionEnded(id).toAnswer().text);
  }

  release(): void {
    if (this.#open > 0) this.#channel.release();
  }
}

/** Requests that are answered by plain JSON, which has room for their answers and for nothing else. */
export class CollectedRequests implements PostedRequests {
  /** Resolves when nothing is missing. */
  readonly answer: Promise<PlainAnswer>;
  readonly #ids: readonly RequestId[];
  readonly #answers = new Map<RequestId, string>();
  readonly #finish: () => void;
  #open: number;

  constructor(ids: readonly RequestId[], headers: PlainAnswer['headers']) {
    this.#ids = ids;
    this.#open = ids.length;
    let finish: () => void = () => undefined;
    this.answer = new Promise((resolve) => {
      finish = () => {
        resolve(this.#toAnswer(headers));
      };
    });
    this.#finish = finish;
  }

  async send({ message }: ChannelMessage): Promise<void> {
    if ('id' in message) throw new Error('Plain JSON carries no requests to the client');
  }

  finish(reply: Reply, id: RequestId, report: (error: Error) => void): void {
    this.#answers.set(id, replyText(reply, id, report));
    this.settle();
  }

  settle(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#finish();
  }

  end(): void {
    // The batch is refused as a whole.
  }

  release(): void {
    // Its client waits for the answer itself.
  }

  /** In the order of the requests; without any answer there is nothing to say. */
  #toAnswer(headers: PlainAnswer['headers']): PlainAnswer {
    const answers = this.#ids.flatMap((id) => this.#answers.get(id) ?? []);
    if (answers.length === 0) return { status: 202, headers: {}, text: '' };
    return { status: 200, headers, text: `[${answers.join(',')}]` };
  }
}

/** The promise's outcome, or undefined when one of the cancellations comes first. */
export function unlessCancelled<T>(
  promise: Promise<T>,
  cancellations: readonly Cancellation[],
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // On one that lives as long as a session, every listener would stay behind.
    const leave = (): void => {
      for (const each of cancellations) each.offCancel(stop);
    };
    const stop = (): void => {
      leave();
      resolve(undefined);
    };
    for (const each of cancellations) each.onCancel(stop);
    promise.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        // The outcome is passed on as it is
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        reject(error);
      },
    );
  });
}
