import {
  type WorkflowStep,
  ownSteps,
  type PlainStep,
  type WorkflowDocument,
  bodyOf,
  type LoopStep,
} from '../document/workflow-document.ts';
import type { WorkflowContext, Scope } from '../conditions/condition.ts';
import { beginsIteration, loopVariables, planLoop, type LoopPlan } from './loop-plan.ts';
import { evaluateIn } from '../conditions/evaluate-condition.ts';
import { WorkflowError } from '../errors/workflow-error.ts';

/** The next step of a workflow. */
export interface NextStep {
  /** Null if no step is left. */
  readonly step: OfferedStep | null;
  /** What to tell the agent. */
  readonly guidance: StepGuidance;
  /** Whether all steps are complete. */
  readonly isComplete: boolean;
}

/** A step of the document; in a loop, with its iteration. */
export type OfferedStep = WorkflowStep & { readonly iteration?: number };

/** The instructions for the agent. */
export interface StepGuidance {
  /** What the agent should do next. */
  readonly prompt: string;
  /** Loops that ended early; absent if none did. */
  readonly warnings?: readonly string[];
}

const ALL_DONE = 'All steps of this workflow are complete.';

/**
 * The first uncompleted step, in document order, with a condition that holds. Nothing is kept between calls: the
 * progress of a loop is read from `completedSteps`, which has its body steps as `<id>@<iteration>`.
 *
 * @throws WorkflowError `STATE_ERROR` if loops repeat too often without a step to run
 */
export function nextStep(
  definition: WorkflowDocument,
  completedSteps: readonly string[],
  context: WorkflowContext,
): NextStep {
  const search = new StepSearch(completedSteps, context);
  const warnings: string[] = [];
  for (const step of ownSteps(definition)) {
    if (search.completed.has(step.id)) continue;
    if (step.type === undefined) {
      if (search.holds(step.runCondition)) return offer(step, warnings);
      continue;
    }
    const { found, warning } = nextInLoop(definition, step, search);
    if (found !== undefined) return offer(found.step, warnings, found.position);
    if (warning !== undefined) warnings.push(warning);
  }
  return { step: null, guidance: guidanceOf(ALL_DONE, warnings), isComplete: true };
}

function offer(step: PlainStep, warnings: readonly string[], position?: LoopPosition): NextStep {
  return {
    step: position === undefined ? step : { ...step, iteration: position.iteration },
    guidance: guidanceOf(promptOf(step, position), warnings),
    isComplete: false,
  };
}

function guidanceOf(prompt: string, warnings: readonly string[]): NextStep['guidance'] {
  return warnings.length === 0 ? { prompt } : { prompt, warnings };
}

/** The next step of a loop, or how the loop ended. */
interface LoopSearch {
  readonly found?: { readonly step: PlainStep; readonly position: LoopPosition };
  /** Why it ended early; starts with the reason. */
  readonly warning?: string;
}

/** The first uncompleted step of a loop, by iteration, with a condition that holds. */
function nextInLoop(definition: WorkflowDocument, step: LoopStep, search: StepSearch): LoopSearch {
  const { context } = search;
  const body = bodyOf(definition, step);
  const begun = lastBegun(body, search.iterations, step.loop.maxIterations);
  if (begun === 0 && !search.holds(step.runCondition)) return {};
  const plan = planLoop(step.loop, context);
  for (let iteration = 1; ; iteration += 1) {
    // An iteration that has begun is finished before the loop condition is tested
    const outcome = iteration <= begun || beginsIteration(step.loop, iteration, plan, context);
    if (outcome !== true) return warningOf(step, plan.reason ?? outcome);
    const scope = [loopVariables(step.loop, iteration, plan.items), context];
    const found = nextInIteration(body, iteration, search, scope);
    if (found !== undefined) return { found: { step: found, position: positionOf(plan, iteration) } };
  }
}

function nextInIteration(
  body: readonly PlainStep[],
  iteration: number,
  search: StepSearch,
  scope: Scope,
): PlainStep | undefined {
  return body.find(
    ({ id, runCondition }) =>
      !search.completed.has(`${id}@${iteration}`) && search.holds(runCondition, scope),
  );
}

function positionOf({ total }: LoopPlan, iteration: number): LoopPosition {
  return total === undefined ? { iteration } : { iteration, total };
}

function warningOf(
  { id, loop }: LoopStep,
  reason: 'LOOP_DONE' | 'LOOP_LIMIT' | 'LOOP_INPUT_INVALID',
): LoopSearch {
  switch (reason) {
    case 'LOOP_DONE':
      return {};
    case 'LOOP_LIMIT':
      return {
        warning: `LOOP_LIMIT: the loop "${id}" ended after ${loop.maxIterations} iterations, its most, and would have gone on.`,
      };
    case 'LOOP_INPUT_INVALID':
      return { warning: `LOOP_INPUT_INVALID: the loop "${id}" had no iteration: ${inputOf(loop)}.` };
  }
}

function inputOf(loop: LoopStep['loop']): string {
  if (loop.type === 'forEach') return `the variable "${loop.items}" is not an array`;
  const what = loop.type === 'for' ? `its count, ${JSON.stringify(loop.count)},` : 'its input';
  return `${what} is not a whole number from 0 on`;
}

/** Only loops that skip all of their steps test more conditions than this. */
export const MOST_CONDITIONS = 100_000;

/** The inputs of the search for the next step. It limits the number of tests, so the search always ends. */
class StepSearch {
  readonly completed: ReadonlySet<string>;
  readonly iterations: CompletedIterations;
  readonly context: WorkflowContext;
  #tested = 0;

  constructor(completedSteps: readonly string[], context: WorkflowContext) {
    this.completed = new Set(completedSteps);
    this.iterations = completedIterations(this.completed);
    this.context = context;
  }

  /** Whether the condition holds. @throws WorkflowError `STATE_ERROR` for a search that takes too long */
  holds(condition: unknown, scope: Scope = [this.context]): boolean {
    this.#tested += 1;
    if (this.#tested > MOST_CONDITIONS) throw endless();
    return evaluateIn(condition, scope);
  }
}

function endless(): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: 'the next step',
    message: `Finding it would take more than ${MOST_CONDITIONS} conditions: loops go round with all of their steps skipped.`,
    details: { limit: MOST_CONDITIONS },
    suggestions: ['give context by which the loops have something to do, or have the workflow corrected'],
  });
}

type CompletedIterations = ReadonlyMap<string, readonly number[]>;

const IN_LOOP = /^(.+)@([1-9]\d{0,3})$/;

/** Reads the `<id>@<iteration>` entries of the completed steps. */
function completedIterations(completed: Iterable<string>): CompletedIterations {
  const iterations = new Map<string, number[]>();
  for (const each of completed) {
    const [, id, iteration] = IN_LOOP.exec(each) ?? [];
    if (id === undefined) continue;
    const known = iterations.get(id);
    if (known === undefined) iterations.set(id, [Number(iteration)]);
    else known.push(Number(iteration));
  }
  return iterations;
}

/** The last iteration that has begun, which implies all earlier ones; 0 if none has. */
function lastBegun(
  body: readonly PlainStep[],
  iterations: CompletedIterations,
  maxIterations: number,
): number {
  return body
    .flatMap(({ id }) => iterations.get(id) ?? [])
    .filter((iteration) => iteration <= maxIterations)
    .reduce((last, iteration) => Math.max(last, iteration), 0);
}

interface LoopPosition {
  /** From 1. */
  readonly iteration: number;
  /** Known for `for` and `forEach` only. */
  readonly total?: number;
}

/** The text for the agent: loop, role and guidance, where they exist, and the prompt. */
export function promptOf(
  { agentRole = '', guidance = [], prompt }: PlainStep,
  position?: LoopPosition,
): string {
  const parts = [
    position === undefined ? '' : `## Loop Context\n- Iteration: ${numberOf(position)}\n\n`,
    agentRole === '' ? '' : `## Agent Role Instructions\n${agentRole}\n\n`,
    guidance.length === 0 ? '' : `## Step Guidance\n${guidance.map((line) => `- ${line}\n`).join('')}\n`,
    prompt,
  ];
  return parts.join('');
}

function numberOf({ iteration, total }: LoopPosition): string {
  return total === undefined ? String(iteration) : `${iteration} of ${total}`;
}
