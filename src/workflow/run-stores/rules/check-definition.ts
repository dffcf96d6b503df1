import type { ExportedRun, RunSummary } from '../../application/ports/run-store.ts';
import { DOCUMENT_LIMITS, isDeeperThan } from '../../domain/document/document-limits.ts';
import { hashOfDocument, type WorkflowDocument } from '../../domain/document/workflow-document.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { checkText } from './check-text.ts';

/**
 * Refuses a definition that is not what the run was started with: it would be kept for ever, for every other run that
 * has its hash.
 * @throws WorkflowError `STATE_ERROR`
 */
export function checkDefinition(
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

/** Undefined for what is no document. */
function hashOfJson(json: string): string | undefined {
  const document = parse(json);
  if (!isPlainObject(document) || isDeeperThan(document, DOCUMENT_LIMITS.levels)) return undefined;
  return hashOfDocument(document as object as WorkflowDocument);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
