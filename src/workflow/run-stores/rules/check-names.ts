import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { checkText } from './check-text.ts';

/**
 * Bytes of UTF-8. An entry of an index in PostgreSQL has 2704 at most, and several of these make one: tenant and run,
 * scope and key. A scope can be tenant and principal as JSON.
 */
const LONGEST = {
  runId: 256,
  tenant: 256,
  principal: 1024,
  workflowId: 256,
  scope: 2048,
  key: 256,
  hash: 256,
  name: 256,
} as const;

export type Names = Readonly<Partial<Record<keyof typeof LONGEST, string | undefined>>>;

/** Refuses names that not every database can keep in an index. @throws WorkflowError `INVALID_PARAMS` */
export function checkNames(names: Names): void {
  checkText(names);
  for (const [field, most] of Object.entries(LONGEST)) {
    if (Buffer.byteLength(names[field as keyof Names] ?? '') <= most) continue;
    throw new WorkflowError('INVALID_PARAMS', {
      where: field,
      message: `${field} has more than ${most} bytes.`,
      details: { field },
    });
  }
}
