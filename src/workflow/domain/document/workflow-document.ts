import { createHash } from 'node:crypto';
import type { Condition } from '../conditions/condition.ts';
import type { ValidationCriteria } from '../validation/output-validator.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';

/** A workflow in its source form: JSON, or compiled from a decorated class. */
export interface WorkflowDocument {
  /** The id of the workflow. */
  readonly id: string;
  /** The name of the workflow, for people. */
  readonly name: string;
  /** What the workflow is for. */
  readonly description: string;
  /** A full semantic version without a leading `v`. */
  readonly version: string;
  /** Default `default`. */
  readonly category?: string;
  /** What must be true before the workflow starts, for the agent to check. Default: none. */
  readonly preconditions?: readonly string[];
  /** What the agent should ask the user before it starts. Default: none. */
  readonly clarificationPrompts?: readonly string[];
  /** Advice for the agent that holds for all steps. Default: none. */
  readonly metaGuidance?: readonly string[];
  /** The steps, in order. */
  readonly steps: readonly WorkflowStep[];
}

/** A step of a workflow: one with a prompt, or a loop. */
export type WorkflowStep = PlainStep | LoopStep;

/** One thing to do. */
export interface PlainStep {
  /** The id of the step, unique within the workflow. */
  readonly id: string;
  /** A loop has `loop` here. */
  readonly type?: undefined;
  /** The title of the step, for people. */
  readonly title: string;
  /** What the agent should do. */
  readonly prompt: string;
  /** The role that the agent should take; not shown to the user. */
  readonly agentRole?: string;
  /** Advice for the agent. Default: none. */
  readonly guidance?: readonly string[];
  /** Whether the agent should ask the user for files. Default false. */
  readonly askForFiles?: boolean;
  /** True, or a condition on the context: a user must confirm before the step counts as completed. */
  readonly requireConfirmation?: boolean | Condition;
  /** Without it, the step always runs. */
  readonly runCondition?: Condition;
  /** What the output must satisfy. Default: any output. */
  readonly validationCriteria?: ValidationCriteria;
}

/** Steps that are repeated. */
export interface LoopStep {
  /** The id of the loop, unique within the workflow. */
  readonly id: string;
  /** Marks a loop. */
  readonly type: 'loop';
  /** The title of the loop, for people. */
  readonly title: string;
  /** How often the body runs. */
  readonly loop: Loop;
  /** Inline steps, or the id of a top-level step, which then runs only in the loop. */
  readonly body: string | readonly PlainStep[];
  /** Asked once, before the first iteration. */
  readonly requireConfirmation?: boolean | Condition;
  /** Without it, the loop always runs. Checked once, before the first iteration. */
  readonly runCondition?: Condition;
}

/** The iteration limit of a loop, and the names of its variables. */
export interface LoopVariables {
  /** 1 to 1000. */
  readonly maxIterations: number;
  /** The variable for the number of the iteration, from 1. Default `currentIteration`. */
  readonly iterationVar?: string;
  /** The variable for the item. Default `currentItem`. */
  readonly itemVar?: string;
  /** The variable for the index of the item, from 0. Default `currentIndex`. */
  readonly indexVar?: string;
}

/** How often the body of a loop runs. */
export type Loop =
  | (LoopVariables & { readonly type: 'while' | 'until'; readonly condition: Condition })
  /** A number, or the name of the context variable that holds it. */
  | (LoopVariables & { readonly type: 'for'; readonly count: number | string })
  /** The name of the context variable that holds the array. */
  | (LoopVariables & { readonly type: 'forEach'; readonly items: string });

/** A workflow as an entry of a list. */
export interface WorkflowSummary {
  /** The id of the workflow. */
  readonly id: string;
  /** The name of the workflow, for people. */
  readonly name: string;
  /** What the workflow is for. */
  readonly description: string;
  /** The category of the workflow. */
  readonly category: string;
  /** The semantic version of the workflow. */
  readonly version: string;
}

/** A fully checked document, deeply frozen. */
export interface WorkflowDefinition extends WorkflowDocument {
  /** `sha256:` and the SHA-256 of the canonical JSON (RFC 8785) of the document, in hex. */
  readonly hash: string;
}

/** The top-level steps except those that a loop names as its body. */
export function ownSteps(definition: WorkflowDocument): readonly WorkflowStep[] {
  const bodies = new Set<unknown>(definition.steps.filter(isLoop).map(({ body }) => body));
  return definition.steps.filter(({ id }) => !bodies.has(id));
}

/** The steps that a loop repeats, in order: its inline steps, or the top-level step that it names. */
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

/** The step of a workflow with the given id, at the top level or in the body of a loop. */
export function findStep(definition: WorkflowDocument, stepId: string): WorkflowStep | undefined {
  return definition.steps.flatMap(withBody).find(({ id }) => id === stepId);
}

function withBody(step: WorkflowStep): readonly WorkflowStep[] {
  return step.type === 'loop' && typeof step.body !== 'string' ? [step, ...step.body] : [step];
}

/** The ids by which a workflow or a step can be looked up. */
const LOOKUP_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a workflow or a step can be looked up by this id. */
export function isLookupId(id: string): boolean {
  return LOOKUP_ID.test(id);
}

const DEFAULT_CATEGORY = 'default';

/** The list entry of a workflow. */
export function summaryOf(document: WorkflowDocument): WorkflowSummary {
  const { id, name, description, category = DEFAULT_CATEGORY, version } = document;
  return Object.freeze({ id, name, description, category, version });
}

/**
 * The content hash of a document: `sha256:` and the SHA-256 of its canonical JSON (RFC 8785), in hex. It ignores
 * the order of members and the `hash` member of a definition.
 *
 * @param document a valid document; an invalid one may not have a canonical form
 */
export function hashOfDocument(document: WorkflowDocument & { readonly hash?: string }): string {
  const { hash: _hash, ...rest } = document;
  return `sha256:${createHash('sha256').update(canonicalJson(rest)).digest('hex')}`;
}

/** The limits of a workflow document. */
export const DOCUMENT_LIMITS = Object.freeze({
  /** Of JSON, in UTF-8. */
  bytes: 1_000_000,
  /** Nesting depth of objects and arrays; more than valid conditions and compositions can need. */
  levels: 1000,
  /** At the top level. */
  steps: 500,
  /** The number of faults that are reported individually. */
  faults: 1000,
  /** Total characters in the pointers to unreadable values: a document can have a long name on every level. */
  pointers: 100_000,
});
