import type { StorageDiagnostic, WorkflowStorage } from '../application/ports/workflow-storage.ts';
import type { WorkflowDocument, WorkflowSummary } from '../domain/document/workflow-document.ts';
import { isWorkflowError } from '../domain/errors/is-workflow-error.ts';
import { storageFailure } from './storage-failure.ts';
import { checkWorkflowId } from './workflow-id.ts';
import { sortById } from './workflow-order.ts';

/**
 * Several storages as one; of equal ids the one of the later storage counts. A storage that fails is left out, with
 * a diagnostic, but a `SECURITY_ERROR` is passed on.
 *
 * @example
 * const storage = new CompositeWorkflowStorage([
 *   new FileWorkflowStorage({ directory: './workflows' }),
 *   new InMemoryWorkflowStorage(),
 * ]);
 */
export class CompositeWorkflowStorage implements WorkflowStorage {
  /** Saves to the last storage that can; absent if none can. */
  readonly save?: (workflow: WorkflowDocument) => Promise<void>;
  readonly #storages: readonly WorkflowStorage[];
  #failures: readonly StorageDiagnostic[] | undefined;

  constructor(storages: readonly WorkflowStorage[]) {
    this.#storages = [...storages];
    if (storages.some(canSave)) this.save = (workflow) => this.#save(workflow);
  }

  async loadAll(): Promise<readonly WorkflowDocument[]> {
    return this.#collect((storage) => storage.loadAll());
  }

  async listSummaries(): Promise<readonly WorkflowSummary[]> {
    return this.#collect((storage) => storage.listSummaries());
  }

  async getById(id: string): Promise<WorkflowDocument | null> {
    const known = checkWorkflowId(id);
    for (const storage of this.#storages.toReversed()) {
      const found = await storage.getById(known).catch(passSecurityErrors);
      if (found !== null) return found;
    }
    return null;
  }

  async diagnostics(): Promise<readonly StorageDiagnostic[]> {
    if (this.#failures === undefined) await this.listSummaries();
    const told = await Promise.all(this.#storages.map(diagnosticsOf));
    return [...told.flat(), ...(this.#failures ?? [])];
  }

  async #collect<Item extends { readonly id: string }>(
    read: (storage: WorkflowStorage) => Promise<readonly Item[]>,
  ): Promise<readonly Item[]> {
    const readings = await Promise.allSettled(this.#storages.map(read));
    const failures: StorageDiagnostic[] = [];
    const found: Item[] = [];
    for (const [position, reading] of readings.entries()) {
      if (reading.status === 'fulfilled') found.push(...reading.value);
      else failures.push(describeFailure(reading.reason, position));
    }
    this.#failures = failures;
    return sortById(new Map(found.map((item) => [item.id, item])).values());
  }

  async #save(workflow: WorkflowDocument): Promise<void> {
    const position = this.#storages.findLastIndex(canSave);
    for (const later of this.#storages.slice(position + 1)) {
      if ((await later.getById(workflow.id)) === null) continue;
      const readOnly = Object.assign(new Error('A later storage hides it.'), { code: 'EROFS' });
      throw storageFailure('save', readOnly);
    }
    await this.#storages[position]?.save?.(workflow);
  }
}

/** What a storage that fails could tell is among the failures of the composite. */
async function diagnosticsOf(storage: WorkflowStorage): Promise<readonly StorageDiagnostic[]> {
  try {
    return (await storage.diagnostics?.()) ?? [];
  } catch (error) {
    passSecurityErrors(error);
    return [];
  }
}

function canSave(storage: WorkflowStorage): boolean {
  return storage.save !== undefined;
}

/** The next storage is asked instead. */
function passSecurityErrors(error: unknown): null {
  if (isSecurityError(error)) throw error;
  return null;
}

function describeFailure(error: unknown, position: number): StorageDiagnostic {
  if (isSecurityError(error)) throw error;
  const { code, message } = storageFailure('list', error);
  return { code, source: `storage ${String(position + 1)}`, message };
}

function isSecurityError(error: unknown): boolean {
  return isWorkflowError(error) && error.code === 'SECURITY_ERROR';
}
