import type { RunEvent } from '../../domain/run/run-event.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type {
  AppendRequest,
  ExportedRun,
  RunSummary,
  AppendResult,
  RecordedResponse,
} from '../../application/ports/run-store.ts';
import { checkNames, type Names, checkText } from './check-values.ts';
import { DOCUMENT_LIMITS } from '../../domain/document/document-limits.ts';
import { hashOfDocument, type WorkflowDocument } from '../../domain/document/workflow-document.ts';
import { isDeeperThan, isPlainObject, parseJson } from '../../../shared/json.ts';

function refuse(runId: string, message: string): never {
  throw new WorkflowError('STATE_ERROR', { where: `run "${runId}"`, message, details: { runId } });
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

/** Refuses a change that would leave a run with a gap, whatever the store holds. @throws WorkflowError `STATE_ERROR` */
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
 * Refuses a definition that is not what the run was started with: it would be kept forever, for every other run that
 * has its hash.
 * @throws WorkflowError `STATE_ERROR`
 */
function checkDefinition(
  { runId, definitionHash }: RunSummary,
  { hash, json }: NonNullable<ExportedRun['definition']>,
): void {
  checkText({ hash, json });
  if (hash === definitionHash && hashOfJson(json) === hash) return;
  throw new WorkflowError('STATE_ERROR', {
    where: `run "${runId}"`,
    message: 'The definition is not the one that the run was started with.',
    details: { runId, hash },
  });
}

/** Undefined for what is not a document. */
function hashOfJson(json: string): string | undefined {
  const document = parseJson(json);
  if (!isPlainObject(document) || isDeeperThan(document, DOCUMENT_LIMITS.levels)) return undefined;
  return hashOfDocument(document as object as WorkflowDocument);
}

/** Where the key of a request is unique. */
export function scopeOf({ idempotencyScope, runId }: AppendRequest): string {
  return idempotencyScope ?? runId;
}

/** What a request gets whose key is recorded already, whatever the seq. */
export function checkKey(recorded: RecordedResponse, request: AppendRequest): AppendResult {
  return recorded.requestHash === request.requestHash
    ? { duplicate: true, response: recorded.response }
    : { mismatch: true };
}
