import type { CallCount } from '../call-count.ts';
import { Cancellation } from '../direct/cancellation.ts';
import type { DirectPeer } from '../direct/direct-peer.ts';
import type { Reply } from '../direct/reply.ts';
import type { ChannelMessage } from '../http/channel.ts';
import { DirectAnswer, type DirectAnswerOptions } from '../http/direct-answer.ts';
import type { HttpAnswer } from '../http/http-answer.ts';
import { sessionEnded } from '../http/http-refusal.ts';
import type { Patience } from '../http/patience.ts';
import type { ApplicationProtocolServer } from './application-protocol-server.ts';
import { peerOfServer } from './peer-of-server.ts';
import type { ServeOptions } from './serve-options.ts';
import type { PostedRequests, RequestId } from './posted-requests.ts';

export interface PeerOptions extends Pick<ServeOptions, 'request' | 'authInfo'> {
  readonly counts: readonly CallCount[];
  readonly canAsk: boolean;
  readonly canLog: boolean;
  readonly canComeBack: boolean;
}

/** A request of a session that is answered without the server of the session. */
export class DirectRequests implements PostedRequests {
  /** Resolves when the response begins. */
  readonly begun: Promise<HttpAnswer>;
  readonly #answer: DirectAnswer;
  readonly #cancellation = new Cancellation();
  readonly #patience: Patience;

  constructor(options: DirectAnswerOptions, patience: Patience) {
    let begin: (answer: HttpAnswer) => void = () => undefined;
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    this.#answer = new DirectAnswer(options, begin);
    this.#patience = patience;
    patience.watch(this.#goOn);
  }

  peerOf(server: ApplicationProtocolServer, id: RequestId, options: PeerOptions): DirectPeer {
    const { request, authInfo, canComeBack, ...others } = options;
    return peerOfServer(server, id, {
      ...others,
      cancellation: this.#cancellation,
      sessionId: server.transport?.sessionId,
      authInfo,
      http: request,
      releaseStream: canComeBack
        ? () => {
            this.release();
          }
        : undefined,
    });
  }

  send(given: ChannelMessage): Promise<void> {
    return this.#answer.send(given);
  }

  finish(reply: Reply, id: RequestId, report: (error: Error) => void): void {
    this.#endWatch();
    if (!this.#cancellation.isCancelled) this.#answer.finish(reply, id, report);
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

  cancel(reason: unknown): void {
    this.#endWatch();
    this.#cancellation.cancel(reason);
  }

  /** Goes on as a stream. */
  readonly #goOn = (): void => {
    this.#answer.stream();
  };

  #endWatch(): void {
    this.#patience.forget(this.#goOn);
  }

  /** The session ends first. */
  end(): void {
    this.cancel(undefined);
    this.#answer.abandon(sessionEnded().toAnswer());
  }
}
