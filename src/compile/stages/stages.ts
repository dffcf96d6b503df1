import { unref } from '../../shared/platform.ts';
import type { SensitiveArguments } from '../contracts/contract.ts';
import type { IdempotencyRule } from '../../call/idempotency-options.ts';
import type { CheckOutcome, Issue } from '../../call/issue.ts';
import type { Logger } from '../../call/logger.ts';
import type { MiddlewareCall } from '../../call/middleware.ts';
import type { CallScope, InstanceResolver } from '../../container/instance-resolver.ts';
import type { Confirm } from '../../metadata/options.ts';
import type { CheckExplanation } from '../../dto/check/explanation.ts';
import type { LooseField } from '../../dto/schema/emission.ts';
import type { Problem } from '../../errors/problem-list.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import type { ScannedBudget } from '../../scanner/members/scanned-limits.ts';
import type { ProviderKey } from '../../scanner/providers/scanned-provider.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { ToolContext } from '../../call/tool-context.ts';
import { thrownName } from '../../call/thrown-message.ts';
import { limitContext, timedOut, TimeLimit, type TimedCall } from '../../call/time-limit.ts';
import type { ToolError } from '../../errors/tool-error.ts';

/** Validated input: the handler's input, and one instance per common schema. */
export interface ResolvedInput {
  readonly input: unknown;
  /** First that of the tool's common schema, then those of the groups, outermost first. */
  readonly common: readonly unknown[];
}

export type ResolvedInputOutcome = CheckOutcome<ResolvedInput>;

export type ResolveInput = (args: PlainObject) => MaybePromise<ResolvedInputOutcome>;

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

/** Calls a handler with its arguments. Errors of user code propagate. */
export type Handler = (given: HandlerArguments) => MaybePromise<unknown>;

/** The facts of a call that its middleware sees. */
export type CallPlace = Pick<MiddlewareCall, 'kind' | 'tool' | 'action' | 'version' | 'name'>;

/** The parameters of a run of any kind of handler. */
export interface HandlerRun<Result> {
  readonly place: CallPlace;
  readonly call: TimedCall;
  readonly args: PlainObject;
  readonly context: unknown;
  /** Does not show the secrets of the call. Made when it is asked for. */
  readonly logger: Logger;
  /** False for a read-only or idempotent handler. */
  readonly mayHaveEffect: boolean;
  /** Turns the value of the chain into the result, while the scope of the call is still open. */
  convert(value: unknown): MaybePromise<Result>;
  /** Of an action: a result that is within its budget. */
  fit?(result: Result, attempt: Attempt): MaybePromise<Result>;
  /** The result of an input that is wrong. */
  refuse(issues: readonly Issue[]): Result;
  /** Of an action: keeps what callers confirm. */
  readonly consents?: unknown;
  /** Of an action: finds out about earlier calls of the same key. */
  keyed?(rule: IdempotencyRule, attempt: Attempt): KeyedCall;
}

/** One attempt to answer a call: the data that its stages read, and that they pass to the next ones. */
export interface Attempt extends HandlerArguments {
  readonly run: HandlerRun<unknown>;
  /** The context of the run, unless a stage replaced it. */
  context: unknown;
  /** Set by the validation, like the instances of the common schemas. */
  input: unknown;
  common: readonly unknown[];
  scope: CallScope | undefined;
  keyed: KeyedCall | undefined;
  /** Who agreed to the call, once somebody has. */
  acknowledged?: string;
}

/** Answers an attempt, or runs its remaining stages. */
export type Step = (attempt: Attempt) => MaybePromise<unknown>;

/** Wraps the next stage, once, at start-up. */
type Stage = (next: Step) => Step;

/** What stages are compiled for: an action, a prompt, a resource, or a method that completes or lists. */
export interface StagedCallable extends Pick<
  ScannedCallable,
  'middleware' | 'metadata' | 'timeout' | 'limits' | 'requirements'
> {
  /** Of an action that runs once for each key. */
  readonly idempotency?: IdempotencyRule | undefined;
  /** Of an action: how large its results may be. */
  readonly budget?: ScannedBudget | undefined;
  /** How each call of an action is agreed to. */
  readonly confirm?: Confirm | undefined;
  /** The queue that the tasks of an action are put on. */
  readonly queue?: string | undefined;
  /** The marks of an action. */
  readonly isDestructive?: boolean;
  readonly isReadOnly?: boolean;
  readonly isIdempotent?: boolean;
  /** What people who agree to calls of an action are shown of it. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** The compiled parts that stages may need. */
export type StageSettings = Pick<CompiledHandler, 'resolveInput' | 'perCall' | 'resolver'>;

/** Compiles one stage for one callable; undefined if the callable does not need it, so that no call pays for it. */
export type CompileStage = (callable: StagedCallable, settings: StageSettings) => Stage | undefined;

/** The part that actions, prompts and resources have in common: ready to run. */
export interface CompiledHandler {
  /** What its callers have to be; undefined where nothing is said. */
  readonly requirements: ScannedCallable['requirements'];
  /** Rules that the check enforces but the schema cannot express. */
  readonly looseFields: readonly LooseField[];
  /** Declarations in its DTOs that work, but probably not as their author intended. */
  readonly warnings: readonly Problem[];
  /** How its inputs are checked: those of the common schemas, then its own. */
  readonly explain: () => readonly CheckExplanation[];
  /** Providers that are created for each call; usually empty, and then no scope is opened. */
  readonly perCall: readonly ProviderKey[];
  /** Validates the arguments and hydrates them. */
  readonly resolveInput: ResolveInput;
  /** What must not be shown of its arguments; undefined where nothing is sensitive. */
  readonly sensitive: SensitiveArguments | undefined;
  /** Its output without sensitive values; undefined where nothing in it is sensitive. */
  readonly shownOutput?: ((output: PlainObject) => PlainObject) | undefined;
  /** Which calls of it are counted. */
  readonly limits: ScannedCallable['limits'];
  /** Opens the scopes that {@link perCall} needs. */
  readonly resolver: InstanceResolver;
  /** One attempt to answer a call: all of its stages, composed once. */
  readonly attempt: Step;
}

/** The stages of an attempt by their places, in the order in which it enters them; undefined for a place that is free. */
export type AttemptStages = Readonly<
  Record<
    | 'timeout'
    | 'validate'
    | 'permit'
    | 'recall'
    | 'queue'
    | 'confirm'
    | 'claim'
    | 'slot'
    | 'audit'
    | 'begin'
    | 'scope'
    | 'fit'
    | 'convert',
    CompileStage | undefined
  >
>;

/** Composes the stages of a callable around its handler, once. */
export function compileAttempt(
  callable: StagedCallable,
  settings: StageSettings,
  innermost: Step,
  stages: AttemptStages,
): Step {
  return Object.values(stages).reduceRight(
    (next: Step, stage: CompileStage | undefined) => stage?.(callable, settings)?.(next) ?? next,
    innermost,
  );
}

/** Gives the stored outcome of a call that was done before. */
export const compileRecall: CompileStage = ({ idempotency: rule }) => {
  if (rule === undefined) return undefined;
  return (next) => async (attempt) => {
    attempt.keyed = attempt.run.keyed?.(rule, attempt);
    return (await attempt.keyed?.recall()) ?? next(attempt);
  };
};

/** Makes the call the one of its key that runs. */
export const compileClaim: CompileStage = ({ idempotency }) => {
  if (idempotency === undefined) return undefined;
  return (next) => (attempt) => attempt.keyed?.claim(attempt, next) ?? next(attempt);
};

/** Opens a scope for request-scoped providers, and closes it when the result is there. */
export function compileScope(
  _callable: StagedCallable,
  { perCall, resolver }: StageSettings,
): Stage | undefined {
  if (perCall.length === 0) return undefined;
  return (next) => async (attempt) => {
    const scope = await resolver.open(perCall, attempt.context as ToolContext);
    attempt.scope = scope;
    try {
      return await next(attempt);
    } finally {
      await close(scope, attempt);
    }
  };
}

/** A failing disposal must not suppress the answer. */
async function close(scope: CallScope, { run }: Attempt): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${run.place.name} failed`;
    run.logger.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}

/** How long an aborted handler may keep running before it is logged. */
const PATIENCE = 1000;

/**
 * Answers when the time is over, even if the handler ignores its signal. If the call has a context of the framework,
 * later stages get a copy with a signal that is aborted at that moment.
 */
export const compileTimeLimit: CompileStage = ({ timeout }) => {
  if (timeout === undefined) return undefined;
  return (next) => (attempt) => {
    const { context, run } = attempt;
    const limit = new TimeLimit(timeout);
    run.call.limit = limit;
    if (context instanceof ToolContext) attempt.context = limitContext(context, limit);
    const ending = next(attempt);
    return ending instanceof Promise ? endInTime(ending, limit, timeout, attempt) : ending;
  };
};

function endInTime(
  ending: Promise<unknown>,
  limit: TimeLimit,
  timeout: number,
  attempt: Attempt,
): Promise<unknown> {
  const { run } = attempt;
  const { cancellation } = run.call;
  // A cancelled call must not keep the process alive until its time is over; a shutdown cancels all calls
  const release = (): void => {
    limit.release();
  };
  return new Promise((resolve, reject) => {
    limit.start(() => {
      cancellation?.offCancel(release);
      const error = timedOut(timeout, run.mayHaveEffect);
      reject(error);
      tellLate(ending, error, attempt);
      limit.abort(error);
    });
    cancellation?.onCancel(release);
    const end = (): void => {
      cancellation?.offCancel(release);
      limit.end();
    };
    ending.then(end, end);
    ending.then(resolve, reject);
  });
}

/** Logs the outcome of a call that was already answered. */
function tellLate(ending: Promise<unknown>, reason: ToolError, { run }: Attempt): void {
  const label = labelOf(run.place);
  const { logger } = run;
  logger.log({ level: 'warning', event: 'call.timed-out', message: `${label}: ${reason.message}` });
  const timer = setTimeout(() => {
    const message = `${label} still runs after its time limit; hand ctx.signal to what it waits for`;
    logger.log({ level: 'warning', event: 'call.still-running', message });
  }, PATIENCE);
  unref(timer);
  const tell = (error?: unknown): void => {
    clearTimeout(timer);
    const message = `${label} ended after its time limit, and what it came to was dropped`;
    const isStopped = error === reason || thrownName(error) === 'AbortError';
    const failure = error === undefined || isStopped ? {} : { error };
    logger.log({ level: 'notice', event: 'call.late', message, ...failure });
  };
  ending.then(() => tell(), tell);
}

/** For messages: `tasks/create`, or `prompt review`. */
function labelOf({ kind, tool, name }: CallPlace): string {
  return tool === undefined ? `${kind} ${name}` : `${tool}/${name}`;
}
