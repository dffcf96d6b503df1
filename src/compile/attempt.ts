import type { CheckFailure } from '../call/issue.ts';
import type { Logger } from '../call/logger.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ScannedCallable } from '../scanner/members/scanned-callable.ts';
import { catchMaybe, thenMaybe, toMaybePromise, type MaybePromise } from '../shared/maybe-promise.ts';
import type {
  Attempt,
  CallPlace,
  CompiledHandler,
  HandlerCall,
  HandlerRun,
  ResolvedInput,
  Step,
} from './handler-call.ts';

const NO_INPUT: ResolvedInput = Object.freeze({ input: undefined, common: Object.freeze([]) });

/** Makes one step of itself and of what comes after it, once, at the start. */
export type Stage = (next: Step) => Step;

/** What stages are compiled for: an action, a prompt, a resource, or a method that completes or lists. */
export type StagedCallable = Pick<ScannedCallable, 'middleware' | 'metadata' | 'timeout'>;

/** What stages may need that is compiled already. */
export type StageSettings = Pick<CompiledHandler, 'resolveInput' | 'perCall' | 'resolver'>;

/** Compiles one stage for one callable; undefined where it has none of it, and then no call pays for it. */
export type CompileStage = (callable: StagedCallable, settings: StageSettings) => Stage | undefined;

/** Runs a handler through its stages. Whatever user code throws is thrown. */
export function runHandler<Result>(
  { attempt }: Pick<CompiledHandler, 'attempt'>,
  run: HandlerRun<Result>,
  { logger }: { readonly logger: Logger },
): MaybePromise<Result> {
  const begun: Attempt = { run, logger, context: run.context, input: NO_INPUT, scope: undefined };
  return attempt(begun) as MaybePromise<Result>;
}

/** Validates the arguments; a wrong input is answered without the stages after it. */
export const compileValidation: CompileStage =
  (_callable, { resolveInput }) =>
  (next) =>
  (attempt) =>
    thenMaybe(resolveInput(attempt.run.args), (resolved) => {
      if (resolved.failure !== undefined) logCheckFailure(resolved.failure, attempt);
      if (!resolved.ok) return attempt.run.refuse(resolved.issues);
      attempt.input = resolved.value;
      return next(attempt);
    });

/** A rule that throws refuses the value; what throws of ours was repeated in another way. Neither is told to the client. */
function logCheckFailure({ error, by }: CheckFailure, { run, logger }: Attempt): void {
  const { kind, tool = kind, name } = run.place;
  const isOurs = by === 'framework';
  const what = isOurs
    ? 'the compiled check failed, and class-validator judged in its place'
    : 'a rule failed, so the input was refused';
  const message = `Checking the input of ${tool}/${name}: ${what}: ${thrownMessage(error)}`;
  logger.log({ level: isOurs ? 'warning' : 'debug', event: 'call.check-failed', message, error });
}

/** Turns what comes out of the middleware into the result. */
export const compileConversion: CompileStage = () => (next) => (attempt) =>
  thenMaybe(next(attempt), (value) => attempt.run.convert(value));

/** The innermost step: the middleware with the handler in it, which share one call. */
export function compileInvocation({ invoke, metadata }: Pick<CompiledHandler, 'invoke' | 'metadata'>): Step {
  return ({ run, context, input: { input, common }, scope }) => {
    const { kind, tool, action, name, version } = run.place;
    const known: HandlerCall = {
      kind,
      tool,
      action,
      name,
      input,
      context,
      metadata,
      common,
      scope,
      handled: undefined,
    };
    const call: HandlerCall = version === undefined ? known : { ...known, version };
    return thenMaybe(toMaybePromise(invoke(call)), (settled) =>
      settled === undefined && call.handled !== undefined
        ? thenMaybe(
            catchMaybe(() => toMaybePromise(call.handled), ignore),
            (handled) => passedOn(handled, run.place),
          )
        : settled,
    );
  };
}

/** Nothing came out of the middleware, so nothing may have gone in: null says that it was left out on purpose. */
function passedOn(handled: unknown, { name }: CallPlace): undefined {
  if (handled === undefined || handled === null) return undefined;
  throw new ToolwrightError('TW_MIDDLEWARE_RETURNED_NOTHING', {
    where: name,
    what: 'gave a value, but a middleware around it called next() and returned nothing.',
    fix: 'did you forget to `return next()`? To send nothing on purpose, return null',
  });
}

/** A middleware that returns nothing after a failure has caught it. */
function ignore(): undefined {
  return undefined;
}
