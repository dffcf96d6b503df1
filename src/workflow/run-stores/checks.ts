import type { RunEvent } from '../domain/run/run-state.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type {
  AppendRequest,
  ExportedRun,
  RunSummary,
  AppendResult,
  RecordedResponse,
  RunPage,
  RunQuery,
} from '../application/ports/run-store.ts';
import {
  DOCUMENT_LIMITS,
  hashOfDocument,
  type WorkflowDocument,
} from '../domain/document/workflow-document.ts';
import { isDeeperThan, isPlainObject, parseJson } from '../../shared/json.ts';

function refuse(runId: string, message: string, details: object = {}): never {
  throw new WorkflowError('STATE_ERROR', {
    where: `run "${runId}"`,
    message,
    details: { runId, ...details },
  });
}

function checkOrder(runId: string, first: number, events: readonly RunEvent[], summary: RunSummary): void {
  const misplaced = events.findIndex((event, index) => event.seq !== first + index);
  if (misplaced !== -1) refuse(runId, `Event ${misplaced + 1} should have the seq ${first + misplaced}.`);
  const last = first + events.length - 1;
  if (last === 0) refuse(runId, 'A run begins with an event.');
  if (summary.runId !== runId || summary.seq !== last) {
    refuse(runId, `The summary should be of this run, at seq ${last}.`);
  }
}

/** Refuses a change that would leave a gap in a run. @throws WorkflowError `STATE_ERROR` */
export function checkAppend(request: AppendRequest): void {
  const { runId, expectedSeq, events, summary, idempotencyKey, idempotencyScope } = request;
  const { requestHash, response, snapshot } = request;
  checkOrder(runId, expectedSeq + 1, events, summary);
  if (idempotencyKey !== undefined && (requestHash === undefined || response === undefined)) {
    refuse(runId, 'An idempotency key needs the hash of the request and the response.');
  }
  if (snapshot !== undefined && snapshot.seq !== summary.seq) {
    refuse(runId, `The snapshot should be at seq ${summary.seq}.`);
  }
  checkText({ requestHash, response, snapshot: snapshot?.state });
  checkNames({ scope: idempotencyScope, key: idempotencyKey, ...namesOf(summary) });
}

/** Refuses an import that is not a whole run. @throws WorkflowError `STATE_ERROR` */
export function checkImport({ summary, events, idempotency, definition }: ExportedRun): void {
  checkOrder(summary.runId, 1, events, summary);
  checkNames(namesOf(summary));
  for (const { scope, key, requestHash, response } of idempotency) {
    checkNames({ scope, key });
    checkText({ requestHash, response });
  }
  const keys = new Set(idempotency.map(({ scope, key }) => JSON.stringify([scope, key])));
  if (keys.size < idempotency.length) refuse(summary.runId, 'The run has an idempotency key twice.');
  if (definition !== null) checkDefinition(summary, definition);
}

function namesOf({ runId, tenant, principal, workflowId }: RunSummary): Names {
  return { runId, tenant, principal, workflowId };
}

/**
 * Refuses a definition that differs from the one the run was started with: it would be kept forever, for every run
 * with its hash.
 * @throws WorkflowError `STATE_ERROR`
 */
function checkDefinition(
  { runId, definitionHash }: RunSummary,
  { hash, json }: NonNullable<ExportedRun['definition']>,
): void {
  checkText({ hash, json });
  if (hash === definitionHash && hashOfJson(json) === hash) return;
  refuse(runId, 'The definition is not the one that the run was started with.', { hash });
}

/** Undefined unless the text is a document. */
function hashOfJson(json: string): string | undefined {
  const document = parseJson(json);
  if (!isPlainObject(document) || isDeeperThan(document, DOCUMENT_LIMITS.levels)) return undefined;
  return hashOfDocument(document as object as WorkflowDocument);
}

/** A response under the key of its request, which is unique within the scope. */
export interface KeptResponse extends RecordedResponse {
  readonly scope: string;
  readonly key: string;
  readonly runId: string;
}

/** The response to record for a request; undefined without a key. */
export function responseOf(request: AppendRequest): KeptResponse | undefined {
  const { runId, idempotencyScope: scope = runId, idempotencyKey: key, requestHash, response } = request;
  if (key === undefined || requestHash === undefined || response === undefined) return undefined;
  return { scope, key, runId, requestHash, response };
}

/** The result for a request with a recorded key, regardless of the seq. */
export function checkKey(recorded: RecordedResponse, request: AppendRequest): AppendResult {
  return recorded.requestHash === request.requestHash
    ? { duplicate: true, response: recorded.response }
    : { mismatch: true };
}

/** SQLite ends a text at U+0000, PostgreSQL refuses it, and neither preserves a lone surrogate. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Refuses text that some database would not preserve exactly. The output of `JSON.stringify` always passes. */
export function checkText(texts: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text === undefined || !UNSTORABLE.test(text)) continue;
    throw invalid(name, 'has U+0000 or half of a surrogate pair, which cannot be stored.');
  }
}

/**
 * Bytes of UTF-8. An index entry in PostgreSQL has at most 2704 bytes, and combines several of these names: tenant
 * and run, scope and key. A scope can be tenant and principal as JSON.
 */
const MOST_BYTES = {
  runId: 256,
  tenant: 256,
  principal: 1024,
  workflowId: 256,
  scope: 2048,
  key: 256,
  hash: 256,
  name: 256,
} as const;

type Names = Readonly<Partial<Record<keyof typeof MOST_BYTES, string | undefined>>>;

/** Refuses names that not every database can keep in an index. @throws WorkflowError `INVALID_PARAMS` */
export function checkNames(names: Names): void {
  checkText(names);
  for (const [field, most] of Object.entries(MOST_BYTES)) {
    if (Buffer.byteLength(names[field as keyof Names] ?? '') <= most) continue;
    throw invalid(field, `has more than ${most} bytes.`);
  }
}

/** In milliseconds: added to the current time, it stays a number that every database stores exactly. */
const LONGEST_LEASE = 2 ** 52;

/** @throws WorkflowError `INVALID_PARAMS` */
export function checkLease(runId: string, owner: string, ttl: number): void {
  checkNames({ runId });
  checkText({ owner });
  if (ttl > 0 && ttl <= LONGEST_LEASE) return;
  throw invalid('ttl', `should be more than 0 and at most ${LONGEST_LEASE} milliseconds.`);
}

/** @param what completes a sentence that starts with the name of the field */
function invalid(field: string, what: string, cause?: unknown): WorkflowError {
  return new WorkflowError('INVALID_PARAMS', {
    where: field,
    message: `${field} ${what}`,
    details: { field },
    cause,
  });
}

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
