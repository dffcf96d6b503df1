import { WorkflowError } from './workflow-error.ts';

/** Thrown for validation criteria that are malformed anywhere, before any of them is judged. */
export class InvalidCriteriaError extends WorkflowError<'INVALID_CRITERIA'> {
  /** An RFC 6901 pointer into the criteria. */
  readonly path: string;
  /** What is wrong there, as a sentence. */
  readonly reason: string;

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
