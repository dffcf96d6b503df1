import type { RunEvent } from '../domain/run/run-state.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type {
  AppendRequest,
  ExportedRun,
  RunSummary,
  AppendResult,
  RecordedResponse,
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
export function invalid(field: string, what: string, cause?: unknown): WorkflowError {
  return new WorkflowError('INVALID_PARAMS', {
    where: field,
    message: `${field} ${what}`,
    details: { field },
    cause,
  });
}
