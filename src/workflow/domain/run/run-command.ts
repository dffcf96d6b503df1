import type { WorkflowContext } from '../conditions/condition.ts';
import type { WorkflowDefinition } from '../document/workflow-document.ts';
import type { ValidationResult } from '../validation/output-validator.ts';
import type { Actor } from './run-state.ts';
import type { WorkflowCode } from '../errors/workflow-error.ts';

/** The facts for every decision; the rules have no clock of their own. */
export interface CommandFacts {
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly actor: Actor;
  /** The pinned definition. */
  readonly definition: WorkflowDefinition;
  readonly limits: CommandLimits;
}

type Nothing = object;

/** The data of each type of command. */
export interface RunCommandData {
  readonly start: {
    readonly principal: string;
    readonly tenant: string;
    readonly goal?: string;
    readonly context?: WorkflowContext;
  };
  readonly submit: {
    readonly output: string;
    readonly context?: WorkflowContext;
    /** How the output was validated; null where nobody validated it: a loop has no rules, and a stale or misplaced output is refused anyway. */
    readonly validation: ValidationResult | null;
  };
  /** Context without an output. */
  readonly inform: { readonly context: WorkflowContext };
  readonly resolve: {
    readonly approved: boolean;
    readonly comment?: string;
    /** `expectedSeq` of the decision: the seq of a view that showed the question. Unlike `RunCommandOf.expectedSeq`, any seq from the question to now will do. */
    readonly shownSeq?: number;
  };
  readonly checkpoint: { readonly notes: string };
  readonly cancel: { readonly reason?: string };
  /** Records expiry. */
  readonly expire: Nothing;
  /** Gives the current step new attempts. */
  readonly reset: Nothing;
}

export type RunCommandType = keyof RunCommandData;

export type RunCommandOf<Type extends RunCommandType> = CommandFacts &
  RunCommandData[Type] & {
    readonly type: Type;
    /** The seq of the view that it answers. Default: any. */
    readonly expectedSeq?: number;
  };

/** A command to a run. */
export type RunCommand = { readonly [Type in RunCommandType]: RunCommandOf<Type> }[RunCommandType];

/** The limits of a run. */
export interface CommandLimits {
  /** Invalid outputs after which a step accepts no more. Default 5. */
  readonly attempts: number;
  /** How long a step waits for a user, in milliseconds. Default 24 hours. */
  readonly confirmationTtl: number;
  /** How long after its last event a run expires, in milliseconds. Default 7 days. */
  readonly runTtl: number;
  /** Maximum size of the whole context as JSON, in bytes of UTF-8. Default 262 144. */
  readonly contextBytes: number;
  /** Maximum size of one output, in bytes of UTF-8. Default 262 144. */
  readonly outputBytes: number;
}

/** Why a command is refused. None of its events is recorded. */
export interface Rejection {
  readonly code: WorkflowCode;
  /** A whole sentence. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What to do. Default: the fix of the code. */
  readonly suggestions?: readonly string[];
}
