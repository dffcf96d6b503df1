import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle, stat, rename, rm } from 'node:fs/promises';
import { basename, join, dirname, isAbsolute, relative, sep } from 'node:path';
import {
  DOCUMENT_LIMITS,
  isLookupId,
  type WorkflowDocument,
} from '../../domain/document/workflow-document.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { invalidWorkflow, isTooDeep, systemCode, outsideFailure } from '../stored-documents.ts';
import { loadWorkflow } from '../../domain/document/load-workflow.ts';
import type { WorkflowError } from '../../domain/errors/workflow-error.ts';

interface FileProblem {
  readonly code: FileFault | 'UNREADABLE';
  readonly message: string;
  /** For a file outside of the directory: the ids by which it could be requested. */
  readonly ids: readonly string[];
  /** The error of the system. */
  readonly cause?: unknown;
}

export type DocumentReading =
  | { readonly ok: true; readonly path: string; readonly document: WorkflowDocument }
  | { readonly ok: false; readonly path: string; readonly problem: FileProblem };

const messages = {
  SECURITY_ERROR: 'The file leads out of the directory of the workflows.',
  NOT_A_FILE: 'It is not a regular file.',
  TOO_LARGE: 'The file is larger than allowed.',
  INVALID_JSON: 'The file is not JSON in UTF-8.',
  MISSING_ID: 'The file is not a JSON object with a text as "id".',
  INVALID_ID: 'The id is not 1 to 64 letters, digits, "_" or "-".',
  TOO_DEEP: `The file has more than ${DOCUMENT_LIMITS.levels} levels of nesting.`,
};

type FileFault = keyof typeof messages;

/** Thrown for a file that is not a workflow of the directory; system errors are thrown as they are. */
class LeftOut extends Error {
  constructor(
    readonly code: FileFault,
    readonly ids: readonly string[] = [],
  ) {
    super(messages[code]);
  }
}

/** Reads one file as a workflow, of which nothing but the id and the depth is checked. Never rejects. */
export async function readDocument(root: string, path: string, maxBytes: number): Promise<DocumentReading> {
  try {
    const document = documentIn(await readContainedFile(root, path, maxBytes));
    return { ok: true, path, document };
  } catch (cause) {
    return { ok: false, path, problem: problemOf(cause) };
  }
}

function problemOf(cause: unknown): FileProblem {
  if (cause instanceof LeftOut) return { code: cause.code, message: cause.message, ids: cause.ids };
  const message = `The file cannot be read: ${systemCode(cause)}.`;
  return { code: 'UNREADABLE', message, ids: [], cause };
}

/** @throws LeftOut */
function documentIn(bytes: Uint8Array): WorkflowDocument {
  const value = jsonOf(bytes);
  if (!isPlainObject(value) || !Object.hasOwn(value, 'id') || typeof value.id !== 'string')
    throw new LeftOut('MISSING_ID');
  if (!isLookupId(value.id)) throw new LeftOut('INVALID_ID');
  if (isTooDeep(value)) throw new LeftOut('TOO_DEEP');
  return value as object as WorkflowDocument;
}

/** A byte order mark in front is not content. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new LeftOut('INVALID_JSON');
  }
}

const CHUNK = 65_536;

/**
 * Reads a regular file whose real path is below a root, which has to be a real path itself.
 * Otherwise rejects as the system does.
 * @throws LeftOut
 */
async function readContainedFile(root: string, path: string, maxBytes: number): Promise<Uint8Array> {
  const realPath = await realpath(join(root, path));
  const ids = [path, realPath].map((name) => basename(name, '.json'));
  if (!isWithin(root, realPath)) throw new LeftOut('SECURITY_ERROR', ids);
  // Opening a device can have effects, so its type is checked first.
  if (!(await lstat(realPath)).isFile()) throw new LeftOut('NOT_A_FILE');
  // A named pipe put in its place would block without O_NONBLOCK. Windows has neither flag.
  const handle = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new LeftOut('NOT_A_FILE');
    if (!(await isStillAt(handle, realPath))) throw new LeftOut('SECURITY_ERROR', ids);
    return await readAtMost(handle, maxBytes);
  } finally {
    await handle.close();
  }
}

/** A folder on the way may have been replaced by a link between the look at the path and the opening. */
async function isStillAt(handle: FileHandle, realPath: string): Promise<boolean> {
  const opened = await handle.stat({ bigint: true });
  if ((await realpath(realPath)) !== realPath) return false;
  const there = await lstat(realPath, { bigint: true });
  return there.dev === opened.dev && there.ino === opened.ino;
}

/** Counts the bytes it reads: the reported size may be out of date. */
async function readAtMost(handle: FileHandle, maximum: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK);
    if (bytesRead === 0) return Buffer.concat(parts);
    size += bytesRead;
    if (size > maximum) throw new LeftOut('TOO_LARGE');
    parts.push(buffer.subarray(0, bytesRead));
  }
}

/**
 * Writes a workflow below a root, a real path. Otherwise rejects as the system does.
 * @param path the file that has the workflow now; undefined for a new one, which must not replace any file
 * @throws WorkflowError `INVALID_WORKFLOW`, or `SECURITY_ERROR` for a file that leads out of the root
 */
export async function saveDocument(
  root: string,
  path: string | undefined,
  workflow: WorkflowDocument,
  maxBytes: number,
): Promise<void> {
  loadWorkflow(workflow);
  const text = `${JSON.stringify(workflow, null, 2)}\n`;
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge(workflow.id, maxBytes);
  if (path === undefined) {
    const target = join(root, `${workflow.id}.json`);
    await assertFree(target);
    await writeAtomically(target, text);
    return;
  }
  const target = await realpath(join(root, path));
  if (!isWithin(root, target)) throw outsideFailure('save');
  // Keep the permissions of the file
  const { mode } = await stat(target);
  await writeAtomically(target, text, mode & 0o777);
}

/** The name may be taken by a file that is broken, or holds another workflow. */
async function assertFree(path: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  throw Object.assign(new Error('The file is there already.'), { code: 'EEXIST' });
}

function tooLarge(workflowId: string, maxBytes: number): WorkflowError {
  const message = `The workflow "${workflowId}" is larger than ${String(maxBytes)} bytes.`;
  const suggestions = ['make the workflow smaller'];
  return invalidWorkflow(workflowId, { message, details: { details: message }, suggestions });
}

/**
 * Writes a file such that readers, and a crash, find the old content or the new one, never a part.
 * Rejects as the system does.
 * @param mode the permissions of the file; those of any new file unless given
 */
async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  const folder = dirname(path);
  // In the same folder, as a rename cannot leave the file system; without .json, so that it is never listed.
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      // Restore the bits that the umask removed
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Makes the rename itself survive a power cut, where the system can do that to a folder. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(systemCode(error))) throw error;
  }
}

/** Whether a path is below a directory; both have to be real, that is without links. */
function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way.split(sep)[0] !== '..' && !isAbsolute(way);
}
