import { thenMaybe, catchMaybe, type MaybePromise } from '../shared/maybe-promise.ts';
import type { Issue } from '../call/issue.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import type { ActionDefinition, CompiledTool } from '../compile/tools/compiled-tool.ts';
import type { PlainObject } from '../shared/json.ts';
import { brokenCall, declaredError, failedCall, invalidInput, invalidOutput } from './call-failures.ts';
import { resultOf, type Outcome } from './outcome.ts';
import type { RouteOptions } from './route-options.ts';
import type { CallPlace, HandlerRun } from '../compile/stages/handler-call.ts';
import { runHandler } from '../compile/stages/attempt.ts';

/** Runs an action. Every failure becomes a result, though a client may be answered with the error itself. */
export function runAction(
  tool: CompiledTool,
  action: ActionDefinition,
  args: PlainObject,
  context: unknown,
  options: RouteOptions,
): MaybePromise<Outcome> {
  const run = new ActionRun(tool, action, args, context, options);
  return catchMaybe(
    () => runHandler(action, run, options),
    (thrown) => run.fail(thrown),
  );
}

/** One run of an action, and the results that it may come to. */
class ActionRun implements HandlerRun<Outcome> {
  readonly args: PlainObject;
  readonly context: unknown;
  readonly #tool: CompiledTool;
  readonly #action: ActionDefinition;
  readonly #options: RouteOptions;

  constructor(
    tool: CompiledTool,
    action: ActionDefinition,
    args: PlainObject,
    context: unknown,
    options: RouteOptions,
  ) {
    this.args = args;
    this.context = context;
    this.#tool = tool;
    this.#action = action;
    this.#options = options;
  }

  get place(): CallPlace {
    const { key, version } = this.#action;
    const named = { kind: 'action', tool: this.#tool.name, action: key, name: key } as const;
    return version === undefined ? named : { ...named, version };
  }

  get mayHaveEffect(): boolean {
    return !this.#action.isReadOnly && !this.#action.isIdempotent;
  }

  convert(value: unknown): MaybePromise<Outcome> {
    return thenMaybe(this.#action.convert(value), (converted) =>
      resultOf(
        converted.ok
          ? converted.value
          : invalidOutput(this.#tool, this.#action, converted.issues, this.#options),
      ),
    );
  }

  refuse(issues: readonly Issue[]): Outcome {
    return resultOf(invalidInput(this.#tool, this.#action, issues));
  }

  fail(thrown: unknown): Outcome {
    try {
      return ProtocolError.is(thrown)
        ? declaredError(this.#tool, this.#action, thrown)
        : resultOf(failedCall(this.#tool, this.#action, thrown, this.context, this.#options));
    } catch (broken) {
      // What was thrown cannot even be told.
      return resultOf(brokenCall(this.#tool.name, broken, this.#options));
    }
  }
}
