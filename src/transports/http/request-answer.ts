import {
  replyMessage,
  replyText,
  type Reply,
  answeredId,
  writeMessage,
} from '../../engine/json-rpc/message.ts';
import { jsonRpcCodes } from '../../engine/json-rpc/json-rpc-error.ts';
import type { Channel, ChannelMessage } from './streams/channel.ts';
import type { OpenChannel } from './streams/channels.ts';
import { jsonAnswer, type HttpAnswer, type PlainAnswer } from './http-answer.ts';

/** Where an answer goes, and what it may be. */
export interface AnswerTarget {
  /** Gets the answer, or the stream that it will come on. */
  begin(answer: HttpAnswer): void;
  /** Opens the stream that carries more than an answer; undefined where plain JSON is asked for. */
  open(): OpenChannel | undefined;
  /** In characters: a longer answer is streamed, where there is a stream that can be continued. */
  readonly largestPlain?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The HTTP answer to one request: plain JSON, or a stream as soon as anything is sent before the answer
 * (spec: basic/transports, Streamable HTTP: the server decides, request by request).
 */
export class RequestAnswer {
  readonly #target: AnswerTarget;
  #channel: Channel | undefined;
  #isOver = false;

  constructor(target: AnswerTarget) {
    this.#target = target;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws Error for a question that cannot reach the client */
  async send(given: ChannelMessage): Promise<void> {
    if (this.#isOver) return;
    const channel = this.stream();
    if (channel !== undefined) await channel.send(given);
    else if (answeredId(given.message) === undefined && 'id' in given.message) {
      throw new Error('Plain JSON carries no requests to the client');
    }
  }

  /** Goes on as a stream; undefined where that cannot be. */
  stream(): Channel | undefined {
    if (this.#channel !== undefined || this.#isOver) return this.#channel;
    const opened = this.#target.open();
    if (opened === undefined) return undefined;
    this.#channel = opened.channel;
    this.#target.begin(opened.response);
    return opened.channel;
  }

  /** Answers the request. */
  finish(reply: Reply, id: string | number, report: (error: Error) => void): void {
    if (this.#isOver) return;
    if (this.#channel === undefined) {
      const text = replyText(reply, id, report);
      const { largestPlain = Infinity, headers } = this.#target;
      if (text.length < largestPlain || this.stream() === undefined) {
        this.#isOver = true;
        this.#target.begin(jsonAnswer(text, statusOf(reply), headers));
        return;
      }
    }
    this.#isOver = true;
    // The channel sends it before it ends.
    void this.#channel?.send(writeMessage(replyMessage(reply, id), report));
    this.#channel?.end();
  }

  /** The request will not be answered. @param instead says so, unless it is empty */
  abandon(instead: PlainAnswer): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#channel === undefined) this.#target.begin(instead);
    else if (instead.text === '') this.#channel.end();
    else {
      this.#channel.sendAtOnce(instead.text);
      this.#channel.close();
    }
  }
}

/** Spec 2026-07-28: basic, Error Codes: this one goes with a status of its own. */
export function statusOf(reply: Reply): number {
  return 'error' in reply && reply.error.code === jsonRpcCodes.missingCapability ? 400 : 200;
}
