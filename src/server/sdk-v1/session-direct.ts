import type { DirectHttp } from '../direct/direct-peer.ts';
import type { HttpAnswer } from '../http/http-answer.ts';
import { answerOf } from '../http/known-answer.ts';
import type { OpenChannel } from '../http/channels.ts';
import type { Patience } from '../http/patience.ts';
import type { ShortCall } from '../http/stateless-direct.ts';
import type { DirectDoor } from '../server-surface.ts';
import type { ApplicationProtocolServer } from './application-protocol-server.ts';
import { DirectRequests } from './direct-requests.ts';
import type { ServeOptions } from './serve-options.ts';
import type { PostedRequests } from './posted-requests.ts';

export interface SessionDirectOptions {
  readonly canAsk: boolean;
  readonly canLog: boolean;
  readonly patience: Patience;
}

/** What a session's transport gives to each request. */
export interface DirectSurroundings {
  readonly running: Map<unknown, PostedRequests>;
  /** Whether its client can continue a stream. */
  readonly canComeBack: boolean;
  /** Undefined where plain JSON is asked for. */
  readonly open: (() => OpenChannel) | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** In characters: who can continue a stream should not have to ask again for what was lost on the way. */
const LARGEST_PLAIN = 64 * 1024;

/** Answers requests of a session without its server, which goes on to serve all others, and to ask the client. */
export class SessionDirect {
  readonly #server: ApplicationProtocolServer;
  readonly #door: DirectDoor;
  readonly #options: SessionDirectOptions;

  constructor(server: ApplicationProtocolServer, door: DirectDoor, options: SessionDirectOptions) {
    this.#server = server;
    this.#door = door;
    this.#options = options;
  }

  /** Undefined for what has to go to the server. */
  find(message: unknown, http: DirectHttp): ShortCall | undefined {
    // Before that, the server does not know what it may ask.
    if (this.#server.getClientCapabilities() === undefined) return undefined;
    const call = this.#door.dispatcher.find('legacy', message, http);
    return call?.kind === 'standing' ? undefined : call;
  }

  serve(call: ShortCall, options: ServeOptions, around: DirectSurroundings): Promise<HttpAnswer> {
    const { id } = call;
    const { open, headers, canComeBack, running } = around;
    if (call.kind === 'answered') return Promise.resolve(answerOf(call, this.#report, headers));
    const posted = new DirectRequests(
      { open: () => open?.(), headers, largestPlain: canComeBack ? LARGEST_PLAIN : undefined },
      this.#options.patience,
    );
    running.set(id, posted);
    const { canAsk, canLog } = this.#options;
    const { request, authInfo } = options;
    const peer = posted.peerOf(this.#server, id, {
      request,
      authInfo,
      canAsk,
      canLog,
      counts: this.#door.counts,
      canComeBack,
    });
    call.run(peer, (reply) => {
      if (running.get(id) === posted) running.delete(id);
      posted.finish(reply, id, this.#report);
    });
    return posted.begun;
  }

  readonly #report = (error: Error): void => {
    this.#server.onerror?.(error);
  };
}
