import { lstat, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadWorkflow } from '../../domain/document/load-workflow.ts';
import type { WorkflowDocument } from '../../domain/document/workflow-document.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { outsideFailure, systemCode } from '../storage-failure.ts';
import { isWithin } from './is-within.ts';
import { writeAtomically } from './write-atomically.ts';

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
  // Who could read and write it stays so
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
  return new WorkflowError('INVALID_WORKFLOW', {
    where: `workflow "${workflowId}"`,
    message,
    details: { workflowId, details: message },
    suggestions: ['make the workflow smaller'],
  });
}
