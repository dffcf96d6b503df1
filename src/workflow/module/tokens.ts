import type { Token } from '../../index.ts';
import type { Clock, WorkflowTracer } from '../application/ports/environment.ts';
import type { RunStore } from '../application/ports/run-store.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import type { OutputValidator } from '../domain/validation/output-validator.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

const token = <T>(name: string): Token<T> => Symbol.for(`toolwright:workflow:${name}`);

/** What {@link WorkflowModule.forRoot} was given. */
export const WORKFLOW_OPTIONS = token<WorkflowModuleOptions>('options');
/** All workflows of the application: those of the sources, then those of the registered classes. */
export const WORKFLOW_STORAGE = token<WorkflowStorage>('storage');
/** Judges outputs; the ValidationEngine, unless overridden. */
export const OUTPUT_VALIDATOR = token<OutputValidator>('validator');
/** Keeps the runs; SQLite, unless another store was given. */
export const RUN_STORE = token<RunStore>('run-store');
/** The time that runs and caches go by; the clock of the machine, unless another was given. */
export const WORKFLOW_CLOCK = token<Clock>('clock');
/** Follows the use cases; does nothing, unless another was given. */
export const WORKFLOW_TRACER = token<WorkflowTracer>('tracer');
/** Judges conditions as workflows do, for code of your own. */
export const CONDITION_EVALUATOR = token<ConditionEvaluator>('condition-evaluator');

/** What {@link CONDITION_EVALUATOR} gives. */
export interface ConditionEvaluator {
  /** Never throws; a condition that is malformed anywhere is false. */
  evaluate(condition: unknown, context: unknown): boolean;
  /** @throws InvalidConditionError */
  validate(condition: unknown): void;
}
