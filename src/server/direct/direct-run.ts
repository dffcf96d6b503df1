import type { Logger } from '../../call/logger.ts';
import { wireFailure, type Method } from '../../runtime/attach/answer-request.ts';
import { unlessError } from '../../runtime/protocol-answers.ts';
import { refuseStopping, type CallCount } from '../call-count.ts';
import type { DirectEra } from './direct-era.ts';
import { DirectExchange } from './direct-exchange.ts';
import type { DirectPeer } from './direct-peer.ts';
import type { DirectRequest } from './direct-request.ts';
import type { Reply } from './reply.ts';

/** What answers a request, and in which form. */
export interface DirectAnswering {
  readonly era: DirectEra;
  readonly answer: Method;
  readonly logger: Logger;
  /** False for what its own service counts. Default true. */
  readonly isCounted?: boolean;
}

const NONE: readonly CallCount[] = Object.freeze([]);

/** One request while it is answered. Each ends with one reply, whatever its method does. */
export class DirectRun {
  readonly #answering: DirectAnswering;
  readonly #request: DirectRequest;
  readonly #peer: DirectPeer;
  readonly #deliver: (reply: Reply) => void;
  readonly #exchange: DirectExchange;
  #isInside = false;

  constructor(
    answering: DirectAnswering,
    request: DirectRequest,
    peer: DirectPeer,
    deliver: (reply: Reply) => void,
  ) {
    this.#answering = answering;
    this.#request = request;
    this.#peer = peer;
    this.#deliver = deliver;
    this.#exchange = new DirectExchange(answering.era.exchange, request, peer);
  }

  get #counts(): readonly CallCount[] {
    return this.#answering.isCounted === false ? NONE : this.#peer.counts;
  }

  start(): void {
    const { params = {} } = this.#request;
    this.#enter();
    let result: unknown;
    try {
      for (const count of this.#counts) refuseStopping(count);
      result = this.#answering.answer(params, this.#exchange);
    } catch (thrown) {
      this.#end(this.#failure(thrown));
      return;
    }
    if (result instanceof Promise) this.#wait(result as Promise<object>);
    else this.#end(this.#reply(result as object));
  }

  #wait(result: Promise<object>): void {
    result.then(
      (value) => {
        this.#end(this.#reply(value));
      },
      (thrown: unknown) => {
        this.#end(this.#failure(thrown));
      },
    );
  }

  #reply(result: object): Reply {
    try {
      return { result: this.#answering.era.encode(this.#request.method, unlessError(result)) };
    } catch (thrown) {
      return this.#failure(thrown);
    }
  }

  #failure(thrown: unknown): Reply {
    const { era, logger } = this.#answering;
    return { error: era.encodeError(wireFailure(logger, this.#request.method, thrown)) };
  }

  #end(reply: Reply): void {
    this.#exchange.fallSilent();
    this.#leave();
    this.#deliver(reply);
  }

  /** What was cancelled is not waited for, because it may never hear of that. */
  #enter(): void {
    const { cancellation } = this.#peer;
    if (cancellation.isCancelled) return;
    this.#isInside = true;
    for (const { inFlight } of this.#counts) inFlight.begin();
    cancellation.onCancel(() => {
      this.#leave();
    });
  }

  #leave(): void {
    if (!this.#isInside) return;
    this.#isInside = false;
    for (const { inFlight } of this.#counts) inFlight.end();
  }
}
