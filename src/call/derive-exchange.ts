import type { AuthInfo, CallExchange, Retry } from './call-exchange.ts';

/** The same exchange with other members. What stays is asked of the original only when somebody asks for it. */
export function deriveExchange(base: CallExchange, members: Partial<CallExchange>): CallExchange {
  return new DerivedExchange(base, members);
}

/* eslint-disable @typescript-eslint/unbound-method -- The functions of an exchange may be taken off it. */
// Not a spread: that would make all members of an exchange, whose signal is made for those only who need it.
class DerivedExchange implements CallExchange {
  readonly #base: CallExchange;
  readonly #members: Partial<CallExchange>;

  constructor(base: CallExchange, members: Partial<CallExchange>) {
    this.#base = base;
    this.#members = members;
  }

  get requestId(): string | number {
    return this.#base.requestId;
  }
  get signal(): AbortSignal {
    return this.#members.signal ?? this.#base.signal;
  }
  get isCancelled(): boolean {
    return this.#members.signal?.aborted ?? this.#base.isCancelled ?? this.#base.signal.aborted;
  }
  get sessionId(): string | undefined {
    return this.#base.sessionId;
  }
  get meta(): CallExchange['meta'] {
    return this.#base.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.#base.authInfo;
  }
  get raw(): unknown {
    return this.#base.raw;
  }
  get client(): CallExchange['client'] {
    return this.#base.client;
  }
  get header(): CallExchange['header'] {
    return this.#base.header;
  }
  get notify(): CallExchange['notify'] {
    return this.#members.notify ?? this.#base.notify;
  }
  get request(): CallExchange['request'] {
    return this.#members.request ?? this.#base.request;
  }
  get log(): CallExchange['log'] {
    return this.#members.log ?? this.#base.log;
  }
  /** Its own also where that is undefined: a task that goes on is no call that could be retried. */
  get retry(): Retry | undefined {
    return 'retry' in this.#members ? this.#members.retry : this.#base.retry;
  }
  get step(): CallExchange['step'] {
    return this.#members.step ?? this.#base.step;
  }
  get startTask(): CallExchange['startTask'] {
    return this.#members.startTask ?? this.#base.startTask;
  }
  get earlyAnswer(): CallExchange['earlyAnswer'] {
    return this.#members.earlyAnswer ?? this.#base.earlyAnswer;
  }
  get report(): CallExchange['report'] {
    return this.#members.report ?? this.#base.report;
  }
  get releaseStream(): CallExchange['releaseStream'] {
    return this.#members.releaseStream ?? this.#base.releaseStream;
  }
}
