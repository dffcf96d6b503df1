import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { checkNames } from './check-names.ts';
import { checkText } from './check-text.ts';

/** Milliseconds: together with the time of now, they stay a number that every database keeps exactly. */
const LONGEST = 2 ** 52;

/** @throws WorkflowError `INVALID_PARAMS` */
export function checkLease(runId: string, owner: string, ttl: number): void {
  checkNames({ runId });
  checkText({ owner });
  if (ttl > 0 && ttl <= LONGEST) return;
  throw new WorkflowError('INVALID_PARAMS', {
    where: 'ttl',
    message: `ttl should be more than 0 and at most ${LONGEST} milliseconds.`,
    details: { field: 'ttl' },
  });
}
