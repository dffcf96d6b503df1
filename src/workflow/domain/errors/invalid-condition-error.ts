import { WorkflowError } from './workflow-error.ts';

/** Thrown for a condition that is malformed anywhere. */
export class InvalidConditionError extends WorkflowError<'INVALID_CONDITION'> {
  /** The unknown member names at any depth, in document order; empty when the fault is another one. */
  readonly operators: readonly string[];
  /** An RFC 6901 pointer to the first faulty member. */
  readonly path: string;

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
