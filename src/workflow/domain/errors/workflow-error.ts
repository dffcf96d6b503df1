import { ToolwrightError } from '../../../index.ts';
import { redact } from './redact.ts';
import { workflowCodes, type WorkflowCode } from './workflow-codes.ts';

/** What a domain error tells programs: the form of `_meta["toolwright/error"]`. */
export interface WorkflowErrorRecord {
  readonly code: WorkflowCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly suggestions: readonly string[];
  readonly retryable: boolean;
}

export interface WorkflowErrorFacts {
  /** What it is about, such as `workflow "release"` or `step "review"`. */
  readonly where: string;
  /** A whole sentence. */
  readonly message: string;
  /** JSON; members that are named like secrets lose their values. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Further details that keep everything: the caller is to use them, such as the token of a view. */
  readonly disclosed?: Readonly<Record<string, unknown>>;
  /** What to do; the fix of the code unless given. */
  readonly suggestions?: readonly string[];
  readonly cause?: unknown;
}

/**
 * Thrown by the workflow module for everything that a caller can understand.
 *
 * @example
 * const service = new WorkflowService({ storage: new InMemoryWorkflowStorage() });
 * try {
 *   await service.getWorkflow({ workflowId: 'release' });
 * } catch (error) {
 *   if (error instanceof WorkflowError) console.error(error.code, error.details);
 * }
 */
export class WorkflowError<Code extends WorkflowCode = WorkflowCode> extends ToolwrightError<Code> {
  readonly details: Readonly<Record<string, unknown>>;
  readonly suggestions: readonly string[];
  readonly retryable: boolean;

  constructor(code: Code, facts: WorkflowErrorFacts) {
    const { where, message, details = {}, disclosed, suggestions, cause } = facts;
    const { fix, retryable } = workflowCodes[code];
    super(code, { where, what: message, fix: suggestions?.[0] ?? fix, cause, message });
    this.name = 'WorkflowError';
    this.details = Object.freeze({ ...(redact(details) as Record<string, unknown>), ...disclosed });
    this.suggestions = Object.freeze([...(suggestions ?? [fix])]);
    this.retryable = retryable;
  }

  toRecord(): WorkflowErrorRecord {
    const { code, message, details, suggestions, retryable } = this;
    return { code, message, details, suggestions, retryable };
  }
}
