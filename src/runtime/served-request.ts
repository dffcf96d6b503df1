import { ProtocolError } from '../call/protocol-error.ts';
import type { PlainObject } from '../shared/json.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import type { Outcome } from './outcome.ts';
import type { ServiceRequest } from './service-request.ts';

/** What counts requests, and may refuse them. */
export interface Admission {
  /** Nothing new is served any more. */
  readonly isStopping: boolean;
  begin(request: ServedRequest): void;
  end(request: ServedRequest): void;
}

const SERVER_ERROR = -32000;

/** A request while it is served: it is counted, and answered once. A task is answered before it ends. */
export abstract class ServedRequest {
  readonly origin: ServiceRequest;
  readonly #admissions: readonly Admission[];
  #isAdmitted = false;
  #reply: Outcome | undefined;
  #deliver: ((outcome: Outcome) => void) | undefined;

  constructor(origin: ServiceRequest, admissions: readonly Admission[]) {
    this.origin = origin;
    this.#admissions = admissions;
  }

  get params(): PlainObject {
    return this.origin.params;
  }
  get isReplied(): boolean {
    return this.#reply !== undefined;
  }

  /** The work for the request is over. */
  abstract end(): void;

  /** Begins to be counted. @returns the error of a request that is refused */
  enter(): ProtocolError | undefined {
    for (const { isStopping } of this.#admissions) {
      if (isStopping) return new ProtocolError(SERVER_ERROR, 'The server is shutting down');
    }
    const { cancellation } = this.origin;
    if (cancellation.isCancelled) return undefined;
    this.#isAdmitted = true;
    for (const admission of this.#admissions) admission.begin(this);
    // Nobody waits for what was cancelled: it may never react to that.
    cancellation.onCancel(() => {
      this.#leave();
    });
    return undefined;
  }

  /** Gives the first of the outcomes that the request is answered with. */
  replyWith(work: MaybePromise<Outcome>, failed: (thrown: unknown) => Outcome): MaybePromise<Outcome> {
    if (!(work instanceof Promise)) {
      this.#finish(work);
      return work;
    }
    return new Promise((resolve) => {
      this.#deliver = resolve;
      if (this.#reply !== undefined) resolve(this.#reply);
      work.then(
        (outcome) => {
          this.#finish(outcome);
        },
        (thrown: unknown) => {
          this.#finish(failed(thrown));
        },
      );
    });
  }

  /** Answers the request, unless it is answered already. */
  reply(outcome: Outcome): void {
    if (this.#reply !== undefined) return;
    this.#reply = outcome;
    this.#deliver?.(outcome);
  }

  #finish(outcome: Outcome): void {
    this.end();
    this.#leave();
    this.reply(outcome);
  }

  /** Ends to be counted. */
  #leave(): void {
    if (!this.#isAdmitted) return;
    this.#isAdmitted = false;
    for (const admission of this.#admissions) admission.end(this);
  }
}
