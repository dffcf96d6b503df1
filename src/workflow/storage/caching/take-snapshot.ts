import type { StorageDiagnostic, WorkflowStorage } from '../../application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../../domain/document/workflow-document.ts';
import { isTooDeep } from '../copy-document.ts';
import { sortById } from '../workflow-order.ts';
import type { WorkflowSnapshot } from './workflow-cache.ts';

/** All that a storage has now, without what cannot be copied for every reader. */
export async function takeSnapshot(storage: WorkflowStorage): Promise<WorkflowSnapshot> {
  const loaded = await storage.loadAll();
  const told = (await storage.diagnostics?.()) ?? [];
  const tooDeep = new Set(loaded.filter(isTooDeep));
  const workflows = sortById(loaded.filter((workflow) => !tooDeep.has(workflow)));
  return { workflows, diagnostics: [...told, ...[...tooDeep].map(describeTooDeep)] };
}

/** Whether no source failed: a snapshot without its workflows would hide them for as long as it counts. */
export function isWhole({ diagnostics }: WorkflowSnapshot): boolean {
  return diagnostics.every(({ code }) => code !== 'STORAGE_ERROR');
}

function describeTooDeep({ id }: WorkflowDocument): StorageDiagnostic {
  return { code: 'INVALID_WORKFLOW', source: id, id, message: `The workflow "${id}" nests too deep.` };
}
