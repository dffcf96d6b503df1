import type { RunPage, RunQuery, RunSummary } from '../application/ports/run-store.ts';
import { checkText, invalid } from './checks.ts';

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
  throw invalid('limit', `should be a whole number from 1 to ${most}.`);
}

/** @param found one more than the limit, if there are more */
export function pageOf(found: readonly RunSummary[], limit: number): RunPage {
  const runs = found.slice(0, limit);
  const last = runs.at(-1);
  return found.length > limit && last ? { runs, nextCursor: encodeCursor(last) } : { runs };
}

/** The run that a page ended with. */
interface PageEnd {
  readonly updatedAt: string;
  readonly runId: string;
}

function encodeCursor({ updatedAt, runId }: RunSummary): string {
  return Buffer.from(JSON.stringify([instant('updatedAt', updatedAt), runId])).toString('base64url');
}

function decodeCursor(cursor: string): PageEnd {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (!Array.isArray(parts) || parts.length !== 2 || !parts.every((part) => typeof part === 'string'))
      throw new TypeError('It is not a time and an id.');
    const [updatedAt = '', runId = ''] = parts;
    checkText({ cursor: runId });
    return { updatedAt: instant('cursor', updatedAt), runId };
  } catch (cause) {
    throw invalid('cursor', 'is not the nextCursor of a page.', cause);
  }
}

/** What of a summary is compared in queries; the summary itself is kept as JSON text. */
export interface RunColumns extends Pick<
  RunSummary,
  'tenant' | 'principal' | 'workflowId' | 'status' | 'seq' | 'updatedAt' | 'expiresAt'
> {
  /** Goal and workflow id as texts are searched in, so that every database agrees on letter case. */
  readonly foldedGoal: string;
  readonly foldedWorkflowId: string;
}

export function runColumns(summary: RunSummary): RunColumns {
  const { tenant, principal, workflowId, status, seq } = summary;
  return {
    tenant,
    principal,
    workflowId,
    status,
    seq,
    updatedAt: instant('updatedAt', summary.updatedAt),
    expiresAt: instant('expiresAt', summary.expiresAt),
    foldedGoal: foldCase(summary.goal ?? ''),
    foldedWorkflowId: foldCase(workflowId),
  };
}

/** Upper case, since the lower case of a sigma depends on what follows it. */
function foldCase(text: string): string {
  return text.toUpperCase().replaceAll(/[\0\p{Surrogate}]/gu, '\u{FFFD}');
}

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The one spelling of a time whose order as text is its order in time, which years of other lengths would break. */
export function instant(field: string, text: string): string {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return new Date(Math.min(Math.max(time, FIRST), LAST)).toISOString();
  throw invalid(field, 'should be a time in ISO 8601.');
}
