import type { FileWorkflowStorage } from '../../../src/workflow/storage/files/file-workflow-storage.ts';

export async function idsOf(storage: FileWorkflowStorage): Promise<readonly string[]> {
  return (await storage.loadAll()).map(({ id }) => id);
}

/** What it left out: the code and the file. */
export async function toldBy(storage: FileWorkflowStorage): Promise<readonly string[]> {
  return (await storage.diagnostics()).map(({ code, source }) => `${code} ${source}`);
}
