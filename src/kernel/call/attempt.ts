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
  /** The outcome of what an action has thrown. */
  fail?(thrown: unknown): unknown;
}

/** Answers an attempt, or runs its remaining stages. */
export type Step = (attempt: Attempt) => MaybePromise<unknown>;
