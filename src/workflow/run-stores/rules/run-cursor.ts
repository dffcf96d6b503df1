import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type { RunSummary } from '../../application/ports/run-store.ts';
import { checkText } from './check-text.ts';
import { instant } from './run-columns.ts';

/** The run that a page ended with. */
export interface PageEnd {
  readonly updatedAt: string;
  readonly runId: string;
}

export function encodeCursor({ updatedAt, runId }: RunSummary): string {
  return Buffer.from(JSON.stringify([instant('updatedAt', updatedAt), runId])).toString('base64url');
}

export function decodeCursor(cursor: string): PageEnd {
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(parts) && parts.length === 2) {
    const [updatedAt, runId] = parts as unknown[];
    if (typeof updatedAt === 'string' && typeof runId === 'string') {
      checkText({ cursor: runId });
      return { updatedAt: instant('cursor', updatedAt), runId };
    }
  }
  throw invalidCursor();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidCursor(error);
  }
}

function invalidCursor(cause?: unknown): WorkflowError {
  return new WorkflowError('INVALID_PARAMS', {
    where: 'cursor',
    message: 'cursor is not the nextCursor of a page.',
    details: { field: 'cursor' },
    cause,
  });
}
