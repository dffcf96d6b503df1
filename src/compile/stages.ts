import { compileConversion, compileValidation } from './attempt.ts';
import type { CompileStage, StagedCallable, StageSettings, Step } from './handler-call.ts';
import { compileTimeLimit } from './limit-time.ts';
import { compileScope } from './open-scope.ts';

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

/** A stage is added here, with one line and a file of its own; tools, prompts, resources and completions all have it. */
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
