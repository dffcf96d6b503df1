import { withoutUndefined } from '../../shared/json.ts';
import type { Condition } from '../domain/conditions/condition.ts';
import type {
  LoopStep,
  PlainStep,
  WorkflowDefinition,
  WorkflowStep,
} from '../domain/document/workflow-document.ts';
import { bodyOf, ownSteps } from '../domain/document/workflow-document.ts';

/** A workflow as the explorer draws it. */
export interface ExploredWorkflow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Runs say which they follow. */
  readonly hash: string;
  /** In order; a step that only a loop runs stands in it alone. */
  readonly steps: readonly ExploredStep[];
}

export interface ExploredStep {
  readonly id: string;
  readonly title: string;
  /** Undefined for loops. */
  readonly prompt?: string;
  /** When it runs, in words; undefined: always. */
  readonly condition?: string;
  /** When a person has to confirm it, in words; undefined: never. */
  readonly confirmation?: string;
  /** How often its body runs, in words; undefined for what is not a loop. */
  readonly loop?: string;
  readonly body: readonly ExploredStep[];
  /** Whether its output has to satisfy rules. */
  readonly isChecked: boolean;
}

/** What the explorer asks an application with workflows. */
export interface WorkflowsToExplore {
  /** @returns those that can be read, sorted by id */
  all(): Promise<readonly ExploredWorkflow[]>;
}

/** Names the {@link WorkflowsToExplore} of an application. */
export const WORKFLOWS_TO_EXPLORE = Symbol.for('toolwright:workflow:explored');

export function describeWorkflow(definition: WorkflowDefinition): ExploredWorkflow {
  const { id, name, description, version, hash } = definition;
  const steps = ownSteps(definition).map((step) => describeStep(step, definition));
  return { id, name, description, version, hash, steps };
}

function describeStep(step: WorkflowStep, definition: WorkflowDefinition): ExploredStep {
  const { id, title, runCondition, requireConfirmation } = step;
  const isLoop = step.type === 'loop';
  return {
    id,
    title,
    ...withoutUndefined({
      prompt: isLoop ? undefined : step.prompt,
      condition: runCondition && sayCondition(runCondition),
      confirmation: sayConfirmation(requireConfirmation),
      loop: isLoop ? sayLoop(step) : undefined,
    }),
    body: isLoop ? bodyOf(definition, step).map((each) => describeStep(each, definition)) : [],
    isChecked: !isLoop && step.validationCriteria !== undefined,
  };
}

function sayConfirmation(required: PlainStep['requireConfirmation']): string | undefined {
  if (required === undefined || required === false) return undefined;
  return required === true ? 'always' : sayCondition(required);
}

function sayLoop({ loop }: LoopStep): string {
  const most = `at most ${String(loop.maxIterations)} times`;
  switch (loop.type) {
    case 'while':
    case 'until':
      return `${loop.type} ${sayCondition(loop.condition)}, ${most}`;
    case 'for':
      return `${String(loop.count)} times, ${most}`;
    case 'forEach':
      return `for each of ${loop.items}, ${most}`;
  }
}

const SIGNS = [
  ['equals', '='],
  ['not_equals', '≠'],
  ['gt', '>'],
  ['gte', '≥'],
  ['lt', '<'],
  ['lte', '≤'],
] as const;

/** A condition in words: `external = true and not (draft = true)`. */
export function sayCondition(condition: Condition): string {
  const { var: name, and, or, not } = condition;
  const compared = SIGNS.flatMap(([operator, sign]) =>
    condition[operator] === undefined
      ? []
      : [`${String(name)} ${sign} ${JSON.stringify(condition[operator])}`],
  );
  const isBare = name !== undefined && compared.length === 0;
  const parts = [
    ...(isBare ? [`${name} is set`] : compared),
    ...(and ?? []).map(inBrackets),
    ...(or === undefined ? [] : [or.map(inBrackets).join(' or ')]),
    ...(not === undefined ? [] : [`not ${inBrackets(not)}`]),
  ];
  return parts.length === 0 ? 'always' : parts.join(' and ');
}

function inBrackets(condition: Condition): string {
  return `(${sayCondition(condition)})`;
}
