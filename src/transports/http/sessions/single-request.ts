import type { Reply } from '../../../engine/json-rpc/message.ts';
import type { ChannelMessage } from '../streams/channel.ts';
import { RequestAnswer, type AnswerTarget } from '../request-answer.ts';
import { type HttpAnswer, sessionEnded } from '../http-answer.ts';
import type { Patience, Waiting } from '../patience.ts';
import type { PostedRequests, RequestId } from './posted-requests.ts';

/** What its answer may be. */
export type AnswerOptions = Required<Omit<AnswerTarget, 'begin'>>;

/** A request in a POST of its own: plain JSON, or a stream when it takes long or says something before its answer. */
export class SingleRequest implements PostedRequests, Waiting {
  place: number | undefined;
  since = 0;
  /** Resolves when the response begins. */
  readonly begun: Promise<HttpAnswer>;
  readonly #answer: RequestAnswer;
  readonly #patience: Patience;

  constructor(options: AnswerOptions, patience: Patience) {
    let begin: (answer: HttpAnswer) => void = () => undefined;
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    const { open, headers, largestPlain } = options;
    this.#answer = new RequestAnswer({ open, headers, largestPlain, begin });
    this.#patience = patience;
    patience.watch(this);
  }

  send(given: ChannelMessage): Promise<void> {
    return this.#answer.send(given);
  }

  finish(reply: Reply, id: RequestId, report: (error: Error) => void): void {
    this.#endWatch();
    this.#answer.finish(reply, id, report);
  }

  /** Ends as a stream on which no answer came. */
  settle(): void {
    this.#endWatch();
    if (!this.#answer.isOver) this.#answer.stream();
    this.#answer.abandon({ status: 202, headers: {}, text: '' });
  }

  release(): void {
    if (!this.#answer.isOver) this.#answer.stream()?.release();
  }

  /** Goes on as a stream. */
  goOn(): void {
    this.#answer.stream();
  }

  #endWatch(): void {
    this.#patience.forget(this);
  }

  /** The session ends first. */
  end(id: RequestId): void {
    this.#endWatch();
    this.#answer.abandon(sessionEnded(id).toAnswer());
  }
}
