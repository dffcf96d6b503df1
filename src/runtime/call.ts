import type { CallExchange } from '../call/call-exchange.ts';
import type { Cancellation } from '../call/cancellation.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import type { Params } from './attach/request-params.ts';
import type { TaskPort } from './attach/task-port.ts';
import type { Outcome } from './outcome.ts';

/** One request to an application, whichever way it came. */
export interface ServiceRequest {
  readonly method: string;
  readonly params: Params;
  readonly exchange: CallExchange;
  /** What the signal of the exchange comes from. */
  readonly cancellation: Cancellation;
  readonly client: ServedClient;
}

/** The resources that a client wants to hear of. */
export interface SubscribedUris {
  /** @throws ProtocolError when the connection has too many */
  add(uri: string): void;
  remove(uri: string): void;
}

/** What the connection of a request keeps for its client. */
export interface ServedClient {
  /** How its calls become tasks; undefined where they do not. */
  readonly tasks: TaskPort | undefined;
  /** The resources that it subscribed to; undefined where a subscription would end with its request. */
  readonly subscriptions: SubscribedUris | undefined;
  /** It is in the same process, and waits for every call: actions run through, whatever they say of tasks. */
  readonly isLocal: boolean;
}

/** The client of a request that stands for itself. */
export const NO_CLIENT: ServedClient = Object.freeze({
  tasks: undefined,
  subscriptions: undefined,
  isLocal: false,
});

/** The client that `app.call` is. */
export const LOCAL_CLIENT: ServedClient = Object.freeze({ ...NO_CLIENT, isLocal: true });

/** What counts calls, and may refuse them. */
export interface Admission {
  /** Nothing new is served any more. */
  readonly isStopping: boolean;
  begin(call: Call): void;
  end(call: Call): void;
}

const SERVER_ERROR = -32000;

/** One request while it is served. It has one reply, and one end; a task has its reply before its end. */
export class Call {
  readonly request: ServiceRequest;
  readonly #admissions: readonly Admission[];
  #deliver: ((outcome: Outcome) => void) | undefined;
  #isAdmitted = false;
  #isReplied = false;

  constructor(request: ServiceRequest, admissions: readonly Admission[]) {
    this.request = request;
    this.#admissions = admissions;
  }

  get params(): Params {
    return this.request.params;
  }
  get exchange(): CallExchange {
    return this.request.exchange;
  }
  get client(): ServedClient {
    return this.request.client;
  }

  /** Begins to be counted. @returns the error of a request that is refused */
  enter(): ProtocolError | undefined {
    for (const { isStopping } of this.#admissions) {
      if (isStopping) return new ProtocolError(SERVER_ERROR, 'The server is shutting down');
    }
    const { cancellation } = this.request;
    if (cancellation.isCancelled) return undefined;
    this.#isAdmitted = true;
    for (const admission of this.#admissions) admission.begin(this);
    // Nobody waits for what was cancelled: it may never react to that.
    cancellation.onCancel(() => {
      this.leave();
    });
    return undefined;
  }

  /** Ends to be counted. */
  leave(): void {
    if (!this.#isAdmitted) return;
    this.#isAdmitted = false;
    for (const admission of this.#admissions) admission.end(this);
  }

  /** Gives the first of the outcomes that it is replied to with. */
  replyWith(work: MaybePromise<Outcome>, failed: (thrown: unknown) => Outcome): MaybePromise<Outcome> {
    if (!(work instanceof Promise)) return this.#end(work);
    return new Promise((resolve) => {
      this.#deliver = resolve;
      work.then(
        (outcome) => {
          this.reply(this.#end(outcome));
        },
        (thrown: unknown) => {
          this.reply(this.#end(failed(thrown)));
        },
      );
    });
  }

  /** Answers the request, unless it is answered already. */
  reply(outcome: Outcome): void {
    if (this.#isReplied) return;
    this.#isReplied = true;
    this.#deliver?.(outcome);
  }

  #end(outcome: Outcome): Outcome {
    if (outcome.kind !== 'accepted') this.leave();
    else
      void outcome.ended.then(() => {
        this.leave();
      });
    return outcome;
  }
}

/** Answers one method of the protocol; whatever it throws beside a ProtocolError is a fault of the server. */
export type Method = (call: Call) => MaybePromise<Outcome>;

export type Methods = Readonly<Record<string, Method>>;
