import type { Admission, AdmittedCall } from './service-request.ts';
import { failureResult } from '../call/failure-result.ts';
import { INTERNAL_ERROR, ProtocolError } from '../call/protocol-error.ts';
import { failureOf, resultOf, type Outcome } from './outcome.ts';

/** Counts what is under way, and tells when nothing is. */
export class InFlight implements Admission {
  /** Nothing new is to begin, where whoever begins it looks. */
  isStopping = false;
  readonly #onChange: () => void;
  #count = 0;
  #waiting: (() => void)[] = [];

  /** @param onChange told whenever one begins or ends */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Begins one; the function ends it, and does so once however often it is called.
   * @param signal ends it too: what was aborted is not waited for, because it may never hear of that
   */
  enter(signal?: AbortSignal): () => void {
    if (signal?.aborted === true) return () => undefined;
    this.begin();
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      signal?.removeEventListener('abort', leave);
      this.end();
    };
    signal?.addEventListener('abort', leave);
    return leave;
  }

  /** The same, for who sees to it that each is ended once. */
  begin(): void {
    this.#count += 1;
    this.#onChange();
  }

  end(): void {
    this.#count -= 1;
    this.#onChange();
    if (this.#count > 0 || this.#waiting.length === 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  whenIdle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

const SHUT_DOWN = 'The server was shut down';

/** The calls that belong to no connection of the application, and have to be ended when it ends. */
export class RunningCalls implements Admission {
  readonly isStopping = false;
  readonly #calls = new Set<AdmittedCall>();
  #reason: Error | undefined;

  begin(call: AdmittedCall): void {
    this.#calls.add(call);
    if (this.#reason !== undefined) cancel(call, this.#reason);
  }

  end(call: AdmittedCall): void {
    this.#calls.delete(call);
  }

  /** Cancels all of them. A handler that reacts has a turn to answer; the others are answered in its place. */
  shutDown(): void {
    this.#reason = new Error(SHUT_DOWN);
    for (const call of [...this.#calls]) cancel(call, this.#reason);
  }
}

function cancel(call: AdmittedCall, reason: Error): void {
  call.origin.cancellation.cancel(reason);
  setImmediate(() => {
    call.reply(shutDownOutcome(call));
  });
}

function shutDownOutcome({ origin: { method, params } }: AdmittedCall): Outcome {
  if (method !== 'tools/call') {
    return failureOf(new ProtocolError(INTERNAL_ERROR, SHUT_DOWN, { code: 'CANCELLED' }));
  }
  const tool = String(params['name']);
  const headline = `[${tool}] ${SHUT_DOWN}`;
  return resultOf(failureResult({ code: 'CANCELLED', message: SHUT_DOWN, headline, tool }));
}
