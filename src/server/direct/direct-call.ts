import type { DirectPeer } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';
import { DirectRun, type DirectAnswering } from './direct-run.ts';
import type { KnownReply } from './known-reply.ts';
import type { Reply } from './reply.ts';

/** A request that is answered without an SDK. */
export type DirectCall = KnownCall | RunnableCall;

/** A request whose answer is there already. */
export interface KnownCall {
  readonly request: DirectRequest;
  readonly known: KnownReply;
}

/** A request whose answer has to be worked out. */
export class RunnableCall {
  readonly known = undefined;
  readonly request: DirectRequest;
  readonly #answering: DirectAnswering;

  constructor(request: DirectRequest, answering: DirectAnswering) {
    this.request = request;
    this.#answering = answering;
  }

  /** Answers it, with one reply whatever happens. */
  run(peer: DirectPeer, deliver: (reply: Reply) => void): void {
    new DirectRun(this.#answering, this.request, peer, deliver).start();
  }
}
