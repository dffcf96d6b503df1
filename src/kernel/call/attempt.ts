import type { IdempotencyRule } from '../../call/idempotency-options.ts';
import type { Issue } from '../../call/issue.ts';
import type { Logger } from '../../call/logger.ts';
import type { MiddlewareCall } from '../../call/middleware.ts';
import type { CallScope } from '../../container/instance-resolver.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from './call.ts';
import type { ResolvedInput } from './compiled-callable.ts';

/** The source of a handler's arguments. */
export interface HandlerArguments extends ResolvedInput {
  readonly context: unknown;
  readonly scope: CallScope | undefined;
  /** Of a call that runs once for its key. */
  readonly keyed?: KeyedCall | undefined;
}

/** A call that runs once for its key. */
export interface KeyedCall {
  /** The stored outcome of the same call; undefined where it has to run. */
  recall(): Promise<unknown>;
  /** Runs what is left of the attempt, unless somebody else was faster. */
  claim(attempt: Attempt, next: Step): Promise<unknown>;
  /** The handler is entered: from now on, the call may have an effect. */
  begin(): void;
}

/** The facts of a call that its middleware sees. */
export type CallPlace = Pick<MiddlewareCall, 'kind' | 'tool' | 'action' | 'version' | 'name'>;

const NONE: readonly never[] = Object.freeze([]);

/** One run of the handler of a call: the data that its stages read, and that they pass to the next ones. */
export abstract class Attempt implements HandlerArguments {
  readonly call: Call;
  readonly place: CallPlace;
  /** As they came. */
  readonly args: PlainObject;
  /** The one that was made for the run, unless a stage replaced it. */
  context: unknown;
  /** Set by the validation, like the instances of the common schemas. */
  input: unknown = undefined;
  common: readonly unknown[] = NONE;
  scope: CallScope | undefined = undefined;
  keyed: KeyedCall | undefined = undefined;

  constructor(call: Call, place: CallPlace, args: PlainObject, context: unknown) {
    this.call = call;
    this.place = place;
    this.args = args;
    this.context = context;
  }

  /** Does not show the secrets of the call. Made when it is asked for. */
  abstract get logger(): Logger;
  /** False for a read-only or idempotent handler. */
  abstract get mayHaveEffect(): boolean;
  /** Turns the value of the chain into the result, while the scope of the call is still open. */
  abstract convert(value: unknown): MaybePromise<unknown>;
  /** The result of an input that is wrong. */
  abstract refuse(issues: readonly Issue[]): unknown;
  /** Of an action: finds out about earlier calls of the same key. */
  openKeyed?(rule: IdempotencyRule): KeyedCall;
}

/** Answers an attempt, or runs its remaining stages. */
export type Step = (attempt: Attempt) => MaybePromise<unknown>;
