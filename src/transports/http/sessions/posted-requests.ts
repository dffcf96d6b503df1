import { sessionEnded } from '../http-answer.ts';
import type { Channel, ChannelMessage } from '../streams/channel.ts';
import { replyMessage, replyText, writeMessage, type Reply } from '../../../engine/json-rpc/message.ts';

export type RequestId = string | number;

/** The requests of one POST, until each of them is answered or cancelled. */
export interface PostedRequests {
  /** @throws Error for a question that cannot reach the client */
  send(given: ChannelMessage): Promise<void>;
  /** Answers one of them. */
  finish(reply: Reply, id: RequestId, report: (error: Error) => void): void;
  /** One of them will never be answered. */
  settle(): void;
  /** Lets the client go on waiting elsewhere. */
  release(): void;
  /** The connection ends before one of them is answered. */
  end?(id: RequestId): void;
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
  readonly response: Promise<Response>;
  readonly #ids: readonly RequestId[];
  readonly #answers = new Map<RequestId, string>();
  readonly #finish: () => void;
  #open: number;

  constructor(ids: readonly RequestId[], isBatch: boolean, headers: Readonly<Record<string, string>>) {
    this.#ids = ids;
    this.#open = ids.length;
    let finish: () => void = () => undefined;
    this.response = new Promise((resolve) => {
      finish = () => {
        resolve(this.#toResponse(isBatch, headers));
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

  release(): void {
    // Its client waits for the response itself.
  }

  /** In the order of the requests; without any answer there is nothing to say. */
  #toResponse(isBatch: boolean, headers: Readonly<Record<string, string>>): Response {
    const answers = this.#ids.flatMap((id) => this.#answers.get(id) ?? []);
    if (answers.length === 0) return new Response(null, { status: 202 });
    const body = isBatch ? `[${answers.join(',')}]` : answers.join();
    return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } });
  }
}
