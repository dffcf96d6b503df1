import { failureResult } from '../call/failure-result.ts';
import { INTERNAL_ERROR, ProtocolError } from '../call/protocol-error.ts';
import type { Admission, ServedRequest } from './served-request.ts';
import { failureOf, resultOf, type Outcome } from './outcome.ts';

const SHUT_DOWN = 'The server was shut down';

/** The calls that belong to no connection of the application, and have to be ended when it ends. */
export class RunningCalls implements Admission {
  readonly isStopping = false;
  readonly #calls = new Set<ServedRequest>();
  #reason: Error | undefined;

  begin(call: ServedRequest): void {
    this.#calls.add(call);
    if (this.#reason !== undefined) cancel(call, this.#reason);
  }

  end(call: ServedRequest): void {
    this.#calls.delete(call);
  }

  /** Cancels all of them. A handler that reacts has a turn to answer; the others are answered in its place. */
  shutDown(): void {
    this.#reason = new Error(SHUT_DOWN);
    for (const call of [...this.#calls]) cancel(call, this.#reason);
  }
}

function cancel(call: ServedRequest, reason: Error): void {
  call.origin.cancellation.cancel(reason);
  setImmediate(() => {
    call.reply(shutDownOutcome(call));
  });
}

function shutDownOutcome({ origin: { method, params } }: ServedRequest): Outcome {
  if (method !== 'tools/call') {
    return failureOf(new ProtocolError(INTERNAL_ERROR, SHUT_DOWN, { code: 'CANCELLED' }));
  }
  const tool = String(params['name']);
  const headline = `[${tool}] ${SHUT_DOWN}`;
  return resultOf(failureResult({ code: 'CANCELLED', message: SHUT_DOWN, headline, tool }));
}
