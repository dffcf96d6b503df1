import { basename } from 'node:path';
import { isLookupId } from '../../application/check-request.ts';
import { DOCUMENT_LIMITS } from '../../domain/document/document-limits.ts';
import type { WorkflowDocument } from '../../domain/document/workflow-document.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { isTooDeep } from '../copy-document.ts';
import { systemCode } from '../storage-failure.ts';
import { readContainedFile, type FileFault } from './read-contained-file.ts';

/** Why a file is left out. */
export interface FileProblem {
  readonly code: 'SECURITY_ERROR' | 'UNREADABLE' | Exclude<FileFault, 'OUTSIDE'> | ContentFault;
  readonly message: string;
  /** For a file outside of the directory: the ids that somebody would ask for it by. */
  readonly ids: readonly string[];
  /** The error of the system. */
  readonly cause?: unknown;
}

export type DocumentReading =
  | { readonly ok: true; readonly path: string; readonly document: WorkflowDocument }
  | { readonly ok: false; readonly path: string; readonly problem: FileProblem };

type ContentFault = 'INVALID_JSON' | 'MISSING_ID' | 'INVALID_ID' | 'TOO_DEEP';

const messages = {
  OUTSIDE: 'The file leads out of the directory of the workflows.',
  NOT_A_FILE: 'It is not a regular file.',
  TOO_LARGE: 'The file is larger than allowed.',
  INVALID_JSON: 'The file is not JSON in UTF-8.',
  MISSING_ID: 'The file is not a JSON object with a text as "id".',
  INVALID_ID: 'The id is not 1 to 64 letters, digits, "_" or "-".',
  TOO_DEEP: `The file has more than ${DOCUMENT_LIMITS.levels} levels of nesting.`,
};

/** Reads one file as a workflow, of which nothing but the id and the depth is checked. Never rejects. */
export async function readDocument(root: string, path: string, maxBytes: number): Promise<DocumentReading> {
  try {
    const content = await readContainedFile(root, path, maxBytes);
    if (content.ok) return judgeContent(path, content.bytes);
    const { fault, realPath } = content;
    if (fault !== 'OUTSIDE') return refuse(path, { code: fault, message: messages[fault], ids: [] });
    const ids = [path, realPath].map((name) => basename(name, '.json'));
    return refuse(path, { code: 'SECURITY_ERROR', message: messages.OUTSIDE, ids });
  } catch (cause) {
    const message = `The file cannot be read: ${systemCode(cause)}.`;
    return refuse(path, { code: 'UNREADABLE', message, ids: [], cause });
  }
}

function judgeContent(path: string, bytes: Uint8Array): DocumentReading {
  const value = parseJson(bytes);
  const fault = contentFault(value);
  if (fault !== undefined) return refuse(path, { code: fault, message: messages[fault], ids: [] });
  return { ok: true, path, document: value as WorkflowDocument };
}

function contentFault(value: unknown): ContentFault | undefined {
  if (value === undefined) return 'INVALID_JSON';
  if (!isPlainObject(value) || !Object.hasOwn(value, 'id') || typeof value.id !== 'string')
    return 'MISSING_ID';
  if (!isLookupId(value.id)) return 'INVALID_ID';
  return isTooDeep(value) ? 'TOO_DEEP' : undefined;
}

/** Undefined for what is no JSON; a byte order mark in front is none of the content. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function refuse(path: string, problem: FileProblem): DocumentReading {
  return { ok: false, path, problem };
}
