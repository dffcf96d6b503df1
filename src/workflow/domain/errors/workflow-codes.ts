/** What the code of a domain error means, and what to do about it. */
export interface WorkflowCodeFacts {
  readonly fix: string;
  /** Whether the same caller can succeed with another try, given what the error says. */
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
    fix: 'have the attempts of the step reset by whoever runs the service',
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
  CONFIRMATION_EXPIRED: { fix: 'submit the step again; the user is asked anew', retryable: false },
  TW_WORKFLOW_STORE_MISSING: { fix: 'npm install @libsql/client', retryable: false },
  TW_WORKFLOW_OPTION: { fix: 'correct the option that is named', retryable: false },
  TW_WORKFLOW_CLASS: { fix: 'correct the decorated class that is named', retryable: false },
} satisfies Readonly<Record<string, WorkflowCodeFacts>>);

export type WorkflowCode = keyof typeof workflowCodes;
