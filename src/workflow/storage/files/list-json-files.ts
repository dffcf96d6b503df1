import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageDiagnostic } from '../../application/ports/workflow-storage.ts';
import { systemCode } from '../storage-failure.ts';
import { compareText } from '../workflow-order.ts';

export interface JsonFileList {
  /** Relative to the root, with `/`, in the order of code units. */
  readonly paths: readonly string[];
  /** Also of those that are too many to be read. */
  readonly fileCount: number;
  readonly diagnostics: readonly StorageDiagnostic[];
}

interface FolderContent {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The `*.json` files below a root. Rejects as the system does when the root itself cannot be read. */
export async function listJsonFiles(
  root: string,
  { recursive, maxFiles }: { readonly recursive: boolean; readonly maxFiles: number },
): Promise<JsonFileList> {
  const { files, folders } = await readFolder(root, '');
  const paths = [...files];
  const diagnostics: StorageDiagnostic[] = [];
  const waiting = recursive ? [...folders] : [];
  // The list grows while it is walked
  for (const folder of waiting) {
    try {
      const content = await readFolder(root, folder);
      paths.push(...content.files);
      waiting.push(...content.folders);
    } catch (error) {
      const message = `The folder cannot be read: ${systemCode(error)}.`;
      diagnostics.push({ code: 'UNREADABLE', source: folder, message });
    }
  }
  paths.sort(compareText);
  if (paths.length > maxFiles) {
    const message = `Only the first ${String(maxFiles)} of ${String(paths.length)} files are read.`;
    diagnostics.push({ code: 'TOO_MANY_FILES', source: paths[maxFiles] ?? '', message });
  }
  return { paths: paths.slice(0, maxFiles), fileCount: paths.length, diagnostics };
}

async function readFolder(root: string, folder: string): Promise<FolderContent> {
  const files: string[] = [];
  const folders: string[] = [];
  // Entry by entry: a folder may hold far more than what counts
  for await (const entry of await opendir(join(root, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) folders.push(path);
    else if (entry.name.endsWith('.json')) files.push(path);
  }
  return { files, folders };
}
