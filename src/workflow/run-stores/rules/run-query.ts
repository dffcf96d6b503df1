import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type { RunPage, RunQuery, RunSummary } from '../../application/ports/run-store.ts';
import { decodeCursor, encodeCursor, type PageEnd } from './run-cursor.ts';
import { checkText } from './check-text.ts';
import { foldCase, instant } from './run-columns.ts';

const MOST = 100;

/** A query that is checked, in the form in which columns are compared. */
export interface CheckedQuery extends Pick<RunQuery, 'tenant' | 'principal' | 'status' | 'workflowId'> {
  readonly text?: string;
  readonly updatedAfter?: string;
  readonly after?: PageEnd;
  readonly limit: number;
}

/** @throws WorkflowError `INVALID_PARAMS` for a limit, time or cursor that is none */
export function checkQuery(query: RunQuery): CheckedQuery {
  const { limit, text, updatedAfter, cursor, ...equal } = query;
  checkLimit(limit, MOST);
  checkText(equal);
  return {
    ...equal,
    limit,
    ...(text !== undefined && text !== '' && { text: foldCase(text) }),
    ...(updatedAfter !== undefined && { updatedAfter: instant('updatedAfter', updatedAfter) }),
    ...(cursor !== undefined && { after: decodeCursor(cursor) }),
  };
}

/** @throws WorkflowError `INVALID_PARAMS` */
export function checkLimit(limit: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return;
  throw new WorkflowError('INVALID_PARAMS', {
    where: 'limit',
    message: `limit should be a whole number from 1 to ${most}.`,
    details: { field: 'limit' },
  });
}

/** @param found one more than the limit, if there are more */
export function pageOf(found: readonly RunSummary[], limit: number): RunPage {
  const runs = found.slice(0, limit);
  const last = runs.at(-1);
  return found.length > limit && last ? { runs, nextCursor: encodeCursor(last) } : { runs };
}
