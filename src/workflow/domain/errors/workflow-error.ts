import { ToolwrightError } from '../../../index.ts';

/** The machine-readable form of a domain error: `_meta["toolwright/error"]`. */
export interface WorkflowErrorRecord {
  /** The code of the error. */
  readonly code: WorkflowCode;
  /** The error, in a whole sentence. */
  readonly message: string;
  /** The facts of the error; the values of secrets are redacted. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What to do; at least one. */
  readonly suggestions: readonly string[];
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
}

/** The parts of a `WorkflowError`. */
export interface WorkflowErrorFacts {
  /** The subject, such as `workflow "release"` or `step "review"`. */
  readonly where: string;
  /** A whole sentence. */
  readonly message: string;
  /** JSON; members with names of secrets are redacted. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Further details without redaction, because the caller needs them, such as the token of a view. */
  readonly disclosed?: Readonly<Record<string, unknown>>;
  /** What to do. Default: the fix of the code. */
  readonly suggestions?: readonly string[];
  /** The error that led to this one, for the log. */
  readonly cause?: unknown;
}

/**
 * Thrown by the workflow module for every failure that it can explain to the caller.
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
  /** The facts of the error; the values of secrets are redacted. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What to do; at least one. */
  readonly suggestions: readonly string[];
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  /** Creates the error of a code; `message` is a whole sentence. */
  constructor(code: Code, facts: WorkflowErrorFacts) {
    const { where, message, details = {}, disclosed, suggestions, cause } = facts;
    const { fix, retryable } = workflowCodes[code];
    super(code, { where, what: message, fix: suggestions?.[0] ?? fix, cause, message });
    this.name = 'WorkflowError';
    this.details = Object.freeze({ ...(redact(details) as Record<string, unknown>), ...disclosed });
    this.suggestions = Object.freeze([...(suggestions ?? [fix])]);
    this.retryable = retryable;
  }

  /** The error as plain JSON. */
  toRecord(): WorkflowErrorRecord {
    const { code, message, details, suggestions, retryable } = this;
    return { code, message, details, suggestions, retryable };
  }
}

/** Like `instanceof`, but keeps the type of the code. */
export function isWorkflowError(error: unknown): error is WorkflowError {
  return error instanceof WorkflowError;
}

/** Thrown for a condition that is malformed anywhere. */
export class InvalidConditionError extends WorkflowError<'INVALID_CONDITION'> {
  /** The unknown member names at any depth, in document order; empty for any other fault. */
  readonly operators: readonly string[];
  /** An RFC 6901 pointer to the first faulty member. */
  readonly path: string;

  /** The framework creates it. */
  constructor(path: string, message: string, operators: readonly string[] = []) {
    super('INVALID_CONDITION', {
      where: `the condition at "${path}"`,
      message,
      details: { path, operators },
    });
    this.name = 'InvalidConditionError';
    this.path = path;
    this.operators = Object.freeze([...operators]);
  }
}

/** Thrown for validation criteria that are malformed anywhere, before any rule runs. */
export class InvalidCriteriaError extends WorkflowError<'INVALID_CRITERIA'> {
  /** An RFC 6901 pointer into the criteria. */
  readonly path: string;
  /** The fault, as a sentence. */
  readonly reason: string;

  /** The framework creates it. */
  constructor(path: string, reason: string, cause?: unknown) {
    super('INVALID_CRITERIA', {
      where: `the criteria at "${path}"`,
      message: `The validation criteria at "${path}" are invalid: ${reason}`,
      details: { path, reason },
      cause,
    });
    this.name = 'InvalidCriteriaError';
    this.path = path;
    this.reason = reason;
  }
}

interface WorkflowCodeFacts {
  readonly fix: string;
  /** Whether the same caller can retry successfully with the information in the error. */
  readonly retryable: boolean;
}

/** Every domain error of the workflow module; `docs/errors.md` has a heading for each. */
export const workflowCodes = Object.freeze({
  WORKFLOW_NOT_FOUND: { fix: 'take an id from the list of workflows', retryable: true },
  INVALID_WORKFLOW: { fix: 'correct the document where the details say', retryable: false },
  STEP_NOT_FOUND: { fix: 'take the step id from the workflow itself', retryable: true },
  VALIDATION_ERROR: { fix: 'correct the field that is named', retryable: true },
  INVALID_CRITERIA: { fix: 'correct the validationCriteria at the pointer that is named', retryable: false },
  INVALID_CONDITION: { fix: 'correct the condition at the pointer that is named', retryable: false },
  INVALID_PARAMS: { fix: 'correct the parameters that are named', retryable: true },
  STATE_ERROR: { fix: 'look at the history of the run; it can only be read', retryable: false },
  STORAGE_ERROR: { fix: 'look at the cause, which the log of the server has', retryable: false },
  SECURITY_ERROR: { fix: 'stay within the directory of the workflows', retryable: false },
  RUN_NOT_FOUND: { fix: 'ask workflow_resume for your runs, or start one', retryable: false },
  INVALID_TOKEN: { fix: 'take the token of the latest view; workflow_resume gives it', retryable: false },
  STALE_SEQUENCE: { fix: 'look at the current view, and go on from its token', retryable: true },
  IDEMPOTENCY_MISMATCH: { fix: 'use a new idempotencyKey for another request', retryable: false },
  RUN_FINISHED: { fix: 'start a new run', retryable: false },
  RUN_EXPIRED: { fix: 'start a new run', retryable: false },
  AWAITING_CONFIRMATION: {
    fix: 'have the user decide: workflow_continue without an output asks again',
    retryable: false,
  },
  ATTEMPTS_EXHAUSTED: {
    fix: 'have the operators of the service reset the attempts of the step',
    retryable: false,
  },
  CONTEXT_TOO_LARGE: {
    fix: 'keep references in the context, and not the things themselves',
    retryable: false,
  },
  OUTPUT_TOO_LARGE: { fix: 'hand in a summary, or where the output is', retryable: false },
  CONFIRMATION_REJECTED: {
    fix: 'change what the user rejected, and submit the step again',
    retryable: false,
  },
  CONFIRMATION_EXPIRED: { fix: 'submit the step again; the user is asked again', retryable: false },
  TW_WORKFLOW_STORE_MISSING: { fix: 'npm install @libsql/client', retryable: false },
  TW_WORKFLOW_OPTION: { fix: 'correct the option that is named', retryable: false },
  TW_WORKFLOW_CLASS: { fix: 'correct the decorated class that is named', retryable: false },
} satisfies Readonly<Record<string, WorkflowCodeFacts>>);

/** The code of a `WorkflowError`. */
export type WorkflowCode = keyof typeof workflowCodes;

const SECRET_NAMES = new Set(['password', 'token', 'secret', 'key', 'authorization']);
const REDACTED = '[REDACTED]';
const CUT = '[…]';
// Code that writes the value to a log or to a client recurses once per level
const MOST_LEVELS = 100;

/**
 * A copy of a JSON value with the members that are named like secrets redacted, at any depth. Everything below 100
 * levels is replaced by `[…]`.
 */
export function redact(value: unknown): unknown {
  return redactedCopy(value, 1, new Map());
}

function redactedCopy(source: unknown, level: number, copies: Map<object, object>): unknown {
  if (typeof source !== 'object' || source === null) return source;
  const known = copies.get(source);
  if (known !== undefined) return known;
  if (level > MOST_LEVELS) return CUT;
  const copy = Array.isArray(source) ? [] : {};
  copies.set(source, copy);
  for (const [name, member] of Object.entries(source)) {
    const isSecret = !Array.isArray(source) && SECRET_NAMES.has(name.toLowerCase());
    const value = isSecret ? REDACTED : redactedCopy(member, level + 1, copies);
    // An assignment to __proto__ would change the prototype of the copy
    Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}
