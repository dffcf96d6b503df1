import type { WorkflowCode } from '../errors/workflow-codes.ts';

/** Why a command is refused. Nothing of it is recorded. */
export interface Rejection {
  readonly code: WorkflowCode;
  /** A whole sentence. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What to do; what the code says unless given. */
  readonly suggestions?: readonly string[];
}
