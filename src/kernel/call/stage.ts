import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import type { Attempt, Step } from './attempt.ts';
import type { CompiledCallable } from './compiled-callable.ts';

/** Wraps the next stage, once, at start-up. */
export type Stage = (next: Step) => Step;

/** What stages are compiled for: an action, a prompt, a resource, or a method that completes or lists. */
export interface StagedCallable extends Pick<ScannedCallable, 'middleware' | 'metadata' | 'requirements'> {
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

/** What features need of the calls of an action, beside their stages. */
export interface CallNeeds {
  /** Something is bound to the exact arguments: once they are validated, they are frozen. */
  readonly bindsArguments?: boolean;
  /** What the feature knows of a call decides whether one that was cut off runs again. */
  readonly guardsRestart?: boolean;
  /** Its calls are counted before anything looks at their arguments. */
  readonly countsCalls?: boolean;
  /** Called when the handler is entered, after all middleware: from now on, the call may have an effect. */
  readonly onEnter?: ((attempt: Attempt) => void) | undefined;
}

export const NO_NEEDS: CallNeeds = Object.freeze({});

/** The compiled parts that stages may need. */
export interface StageSettings extends Pick<
  CompiledCallable,
  'resolveInput' | 'perCall' | 'resolver' | 'bound'
> {
  readonly needs: CallNeeds;
}

/** Compiles one stage for one callable; undefined if the callable does not need it, so that no call pays for it. */
export type CompileStage = (callable: StagedCallable, settings: StageSettings) => Stage | undefined;

/** The part that actions, prompts and resources have in common: ready to run. */
export interface CompiledHandler extends CompiledCallable {
  /** One attempt to answer a call: all of its stages, composed once. Errors of user code propagate. */
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
