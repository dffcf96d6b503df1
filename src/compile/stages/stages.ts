import type { ToolContext } from '../../call/tool-context.ts';
import type { CallScope } from '../../container/instance-resolver.ts';
import { compileConversion, compileValidation } from './attempt.ts';
import type { Attempt, CompileStage, Stage, StagedCallable, StageSettings, Step } from './handler-call.ts';
import { compileTimeLimit } from './limit-time.ts';

/**
 * The stages of a call, in the order in which a call enters them. Those that act on what a handler gave (fit, convert)
 * stand where they are entered, so on the way out convert comes before fit. A name without a stage is the place of one.
 *
 * A request that is answered in several rounds passes the first ring with each of them and the second one once. The
 * first two are composed by the service (`runtime/service.ts`), the third here. `version` is chosen by the router, as
 * it decides whose stages run; the time limit covers the validation, which may be code of users that waits.
 */
export const RINGS = Object.freeze({
  request: Object.freeze(['observe', 'authenticate', 'authorize', 'admit'] as const),
  conversation: Object.freeze(['state', 'limit', 'task', 'recall', 'confirm', 'claim'] as const),
  attempt: Object.freeze([
    'version',
    'timeout',
    'validate',
    'slot',
    'scope',
    'fit',
    'convert',
    'middleware',
    'handler',
  ] as const),
});

/** The last two are one step, because middleware is made around a handler. */
type Around = Exclude<(typeof RINGS.attempt)[number], 'version' | 'middleware' | 'handler'>;

/** The stages of an attempt by the names of their places. */
export type AttemptStages = Readonly<Partial<Record<Around, CompileStage>>>;

/** A stage is added here, with one line; tools, prompts, resources and completions all have it. */
export const ATTEMPT_STAGES: AttemptStages = Object.freeze({
  timeout: compileTimeLimit,
  validate: compileValidation,
  scope: compileScope,
  convert: compileConversion,
});

/** Composes the stages of a callable around its handler, once. */
export function compileAttempt(
  callable: StagedCallable,
  settings: StageSettings,
  innermost: Step,
  stages: AttemptStages,
): Step {
  const byName: Readonly<Record<string, CompileStage | undefined>> = stages;
  return RINGS.attempt.reduceRight((next: Step, name) => {
    const stage = byName[name]?.(callable, settings);
    return stage === undefined ? next : stage(next);
  }, innermost);
}

/** Opens a scope for what is made anew for each call, and closes it when the result is there. */
function compileScope(_callable: StagedCallable, { perCall, resolver }: StageSettings): Stage | undefined {
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

/** A failing disposal must not take the answer from the client. */
async function close(scope: CallScope, { run, logger }: Attempt): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${run.place.name} failed`;
    logger.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}
