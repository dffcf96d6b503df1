import { unref } from '../../shared/platform.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { Use } from '../../scanner/scan-facet.ts';
import { LONGEST_TIMER, rule } from '../../shared/option-rules.ts';
import type { CallTime } from '../../kernel/call/call.ts';
import type { ToolContext } from '../../call/tool-context.ts';

/** `Infinity` sets none. */
export const timeLimitRule = rule(
  'a number of milliseconds above 0, or Infinity',
  (value) => typeof value === 'number' && value > 0,
);

/** The time limit of a method: what stands nearest. */
export function nearestLimit([nearest]: readonly Use<number>[], around?: number): number | undefined {
  const milliseconds = nearest?.options ?? around;
  return milliseconds === Number.POSITIVE_INFINITY ? undefined : milliseconds;
}

/** What a call ends with whose time is over. */
export function timedOut(milliseconds: number, mayHaveTakenEffect: boolean): ToolError {
  const outcome = mayHaveTakenEffect ? '; it may have taken effect all the same' : '';
  return new ToolError('TIMED_OUT', `Timed out after ${String(milliseconds)} ms${outcome}`);
}

/** The time that a call may take. It stands still while the call waits for a person. */
export class TimeLimit implements CallTime {
  /** Made for the first who asks for the signal, as most handlers never do. */
  #over: AbortController | undefined;
  #onOver: (() => void) | undefined;
  #left: number;
  #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #waits = 0;
  #isEnded = false;
  #isAwaited = true;
  #reason: unknown;

  /** The time begins now, and nothing happens when it is over before {@link start}. */
  constructor(milliseconds: number) {
    this.#left = Math.min(milliseconds, LONGEST_TIMER);
  }

  get signal(): AbortSignal {
    if (this.#over === undefined) {
      this.#over = new AbortController();
      if (this.#reason !== undefined) this.#over.abort(this.#reason);
    }
    return this.#over.signal;
  }

  /** Sets what happens when the time is over. */
  start(onOver: () => void): void {
    this.#onOver = onOver;
    if (this.#waits > 0) return;
    this.#pause();
    this.#run();
  }

  // It hands on the very promise, whose failures may be meant for nobody
  outside<T>(waiting: Promise<T>): Promise<T> {
    this.#waits += 1;
    if (this.#waits === 1) this.#pause();
    const resume = (): void => {
      this.#waits -= 1;
      if (this.#waits === 0) this.#run();
    };
    waiting.then(resume, resume);
    return waiting;
  }

  /** The call is over before its time. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Nobody waits for the call any more: the process need not live on for the end of its time. */
  release(): void {
    this.#isAwaited = false;
    if (this.#timer !== undefined) unref(this.#timer);
  }

  /** Signals the handler. The caller has its answer already. */
  abort(reason: ToolError): void {
    this.#reason = reason;
    this.#over?.abort(reason);
  }

  #run(): void {
    const onOver = this.#onOver;
    if (this.#isEnded || onOver === undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => {
      this.#isEnded = true;
      onOver();
    }, this.#left);
    if (!this.#isAwaited) unref(this.#timer);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(0, Math.ceil(this.#left - (performance.now() - this.#startedAt)));
  }
}

const QUESTIONS: ReadonlySet<PropertyKey> = new Set<keyof ToolContext>(['ask', 'askUrl', 'sample', 'roots']);

/** The context of a call with a time limit: its signal is aborted by that as well, and questions stop the time. */
export function limitContext(inner: ToolContext, limit: TimeLimit): ToolContext {
  let signal: AbortSignal | undefined;
  // Not a proxy of the context itself, whose members may be fixed
  const target = Object.create(Object.getPrototypeOf(inner) as object | null) as ToolContext;
  return new Proxy(target, {
    get: (_target, name) => {
      if (name === 'signal') return (signal ??= AbortSignal.any([inner.signal, limit.signal]));
      const member: unknown = Reflect.get(inner, name, inner);
      if (typeof member !== 'function') return member;
      // Private members are those of the context itself
      const call = member.bind(inner) as (...args: unknown[]) => unknown;
      if (QUESTIONS.has(name))
        return (...args: unknown[]) => limit.outside(call(...args) as Promise<unknown>);
      return Object.hasOwn(inner, name) ? member : call;
    },
    set: (_target, name, value) => Reflect.set(inner, name, value, inner),
    has: (_target, name) => name in inner,
    ownKeys: () => Reflect.ownKeys(inner),
    getOwnPropertyDescriptor: (_target, name) => {
      const found = Reflect.getOwnPropertyDescriptor(inner, name);
      return found && { ...found, configurable: true };
    },
  });
}
