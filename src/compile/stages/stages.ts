import type { ToolContext } from '../../call/tool-context.ts';
import type { CallScope } from '../../container/instance-resolver.ts';
import type { Attempt, CompileStage, Stage, StagedCallable, StageSettings, Step } from './handler-call.ts';

/** The stages of an attempt by their places, in the order in which it enters them; undefined for a place that is free. */
export type AttemptStages = Readonly<
  Record<'timeout' | 'validate' | 'slot' | 'scope' | 'fit' | 'convert', CompileStage | undefined>
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
async function close(scope: CallScope, { run, logger }: Attempt): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${run.place.name} failed`;
    logger.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}
