import { createHash } from 'node:crypto';
import type { Condition } from '../conditions/condition.ts';
import type { ValidationCriteria } from '../validation/output-validator.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';

/** A workflow as it is written: JSON, or what a decorated class compiles to. */
export interface WorkflowDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** A semantic version in full, without a `v`. */
  readonly version: string;
  /** `default` unless given. */
  readonly category?: string;
  readonly preconditions?: readonly string[];
  readonly clarificationPrompts?: readonly string[];
  readonly metaGuidance?: readonly string[];
  readonly steps: readonly WorkflowStep[];
}

/** A step of a workflow: one with a prompt, or a loop. */
export type WorkflowStep = PlainStep | LoopStep;

/** One thing to do. */
export interface PlainStep {
  readonly id: string;
  readonly type?: undefined;
  readonly title: string;
  readonly prompt: string;
  /** How the agent is to see itself; not meant for the user. */
  readonly agentRole?: string;
  readonly guidance?: readonly string[];
  readonly askForFiles?: boolean;
  /** True, or a condition on the context: a user has to agree before the step counts as done. */
  readonly requireConfirmation?: boolean | Condition;
  /** Without it, the step always runs. */
  readonly runCondition?: Condition;
  readonly validationCriteria?: ValidationCriteria;
}

/** Steps that are repeated. */
export interface LoopStep {
  readonly id: string;
  readonly type: 'loop';
  readonly title: string;
  readonly loop: Loop;
  /** Inline steps, or the id of a top-level step, which then runs in the loop only. */
  readonly body: string | readonly PlainStep[];
  /** Asked once, before the first iteration. */
  readonly requireConfirmation?: boolean | Condition;
  readonly runCondition?: Condition;
}

/** The names of the variables of a loop, where they are not to be the usual ones. */
export interface LoopVariables {
  /** 1 to 1000. */
  readonly maxIterations: number;
  /** Holds the number of the iteration, from 1; `currentIteration` unless given. */
  readonly iterationVar?: string;
  /** Holds the item; `currentItem` unless given. */
  readonly itemVar?: string;
  /** Holds the number of the item, from 0; `currentIndex` unless given. */
  readonly indexVar?: string;
}

/** How often the body of a loop runs. */
export type Loop =
  | (LoopVariables & { readonly type: 'while' | 'until'; readonly condition: Condition })
  /** A number, or the name of the context variable that holds it. */
  | (LoopVariables & { readonly type: 'for'; readonly count: number | string })
  /** The name of the context variable that holds the array. */
  | (LoopVariables & { readonly type: 'forEach'; readonly items: string });

/** What a list of workflows shows. */
export interface WorkflowSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly version: string;
}

/** A document that was checked in every part; deeply frozen. */
export interface WorkflowDefinition extends WorkflowDocument {
  /** `sha256:` and the SHA-256 of the canonical JSON (RFC 8785) of the document, in hex. */
  readonly hash: string;
}

/** The top-level steps that run by themselves: all but those that a loop names as its body. */
export function ownSteps(definition: WorkflowDocument): readonly WorkflowStep[] {
  const bodies = new Set<unknown>(definition.steps.filter(isLoop).map(({ body }) => body));
  return definition.steps.filter(({ id }) => !bodies.has(id));
}

/** The steps that a loop repeats, in order: its inline ones, or the top-level step that it names. */
export function bodyOf(definition: WorkflowDocument, { body }: LoopStep): readonly PlainStep[] {
  if (typeof body !== 'string') return body;
  return definition.steps.filter(isPlain).filter(({ id }) => id === body);
}

function isLoop(step: WorkflowStep): step is LoopStep {
  return step.type === 'loop';
}

function isPlain(step: WorkflowStep): step is PlainStep {
  return step.type === undefined;
}

/** The step of a workflow with the id, be it at the top level or in the body of a loop. */
export function findStep(definition: WorkflowDocument, stepId: string): WorkflowStep | undefined {
  return definition.steps.flatMap(withBody).find(({ id }) => id === stepId);
}

function withBody(step: WorkflowStep): readonly WorkflowStep[] {
  return step.type === 'loop' && typeof step.body !== 'string' ? [step, ...step.body] : [step];
}

const DEFAULT_CATEGORY = 'default';

/** What a list of workflows shows of one. */
export function summaryOf(document: WorkflowDocument): WorkflowSummary {
  const { id, name, description, category = DEFAULT_CATEGORY, version } = document;
  return Object.freeze({ id, name, description, category, version });
}

/**
 * Names a document by what it says: `sha256:` and the SHA-256 of its canonical JSON (RFC 8785), in hex. The order
 * of members does not count, nor does the hash that a definition carries.
 *
 * @param document a valid one; others may not have a canonical form
 */
export function hashOfDocument(document: WorkflowDocument & { readonly hash?: string }): string {
  const { hash: _hash, ...rest } = document;
  return `sha256:${createHash('sha256').update(canonicalJson(rest)).digest('hex')}`;
}

/** Of a workflow document. */
export const DOCUMENT_LIMITS = Object.freeze({
  /** Of JSON, in UTF-8. */
  bytes: 1_000_000,
  /** Objects and arrays within each other; more than conditions and compositions that are allowed can need. */
  levels: 1000,
  /** At the top level. */
  steps: 500,
  /** The number of faults that are reported individually. */
  faults: 1000,
  /** Characters in the pointers of what cannot be read: of names, a document can have a long one on every level. */
  pointers: 100_000,
});
