import type { StorageDiagnostic, WorkflowStorage } from '../application/ports/workflow-storage.ts';
import type { WorkflowDocument, WorkflowSummary } from '../domain/document/workflow-document.ts';
import { isWorkflowError, type WorkflowCode, type WorkflowError } from '../domain/errors/workflow-error.ts';
import { storageFailure, checkWorkflowId, sortById } from './stored-documents.ts';

/**
 * Combines several storages; for equal ids the later storage wins. A failing storage is skipped, with a diagnostic,
 * until it works again, also for a lookup by id. However, a `SECURITY_ERROR` is passed on, and so is an
 * `INVALID_WORKFLOW` from a storage that has the requested workflow.
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
  /** Why the last read of a storage failed, by its position. */
  readonly #failures = new Map<number, StorageDiagnostic>();
  #isListed = false;

  /** Reads all of the storages; the order decides which one wins. */
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
    const read = (storage: WorkflowStorage) => storage.getById(known);
    for (let position = this.#storages.length - 1; position >= 0; position -= 1) {
      // An earlier storage may have a valid version of a workflow that is invalid in a later one
      const found = await this.#ask(position, read, ['SECURITY_ERROR', 'INVALID_WORKFLOW']);
      if (found !== null) return found;
    }
    return null;
  }

  async diagnostics(): Promise<readonly StorageDiagnostic[]> {
    if (!this.#isListed) await this.listSummaries();
    const told = await Promise.all(this.#storages.map(diagnosticsOf));
    const failures = [...this.#failures].sort(([left], [right]) => left - right);
    return [...told.flat(), ...failures.map(([, failure]) => failure)];
  }

  async #collect<Item extends { readonly id: string }>(
    read: (storage: WorkflowStorage) => Promise<readonly Item[]>,
  ): Promise<readonly Item[]> {
    const readings = await Promise.all(
      this.#storages.map((_, position) => this.#ask(position, read, ['SECURITY_ERROR'])),
    );
    this.#isListed = true;
    const found = readings.flatMap((items) => items ?? []);
    return sortById(new Map(found.map((item) => [item.id, item])).values());
  }

  /** Null if the storage failed. */
  async #ask<Found>(
    position: number,
    read: (storage: WorkflowStorage) => Promise<Found>,
    passedOn: readonly WorkflowCode[],
  ): Promise<Found | null> {
    const storage = this.#storages[position];
    if (storage === undefined) return null;
    try {
      const found = await read(storage);
      this.#failures.delete(position);
      return found;
    } catch (error) {
      const { code, message } = passOn(error, passedOn);
      this.#failures.set(position, { code, source: `storage ${String(position + 1)}`, message });
      return null;
    }
  }

  async #save(workflow: WorkflowDocument): Promise<void> {
    const position = this.#storages.findLastIndex(canSave);
    try {
      for (const later of this.#storages.slice(position + 1)) {
        if ((await later.getById(workflow.id)) === null) continue;
        throw Object.assign(new Error('A later storage hides it.'), { code: 'EROFS' });
      }
      await this.#storages[position]?.save?.(workflow);
    } catch (error) {
      throw storageFailure('save', error);
    }
  }
}

/** None for a failing storage: the composite already has its failure. */
async function diagnosticsOf(storage: WorkflowStorage): Promise<readonly StorageDiagnostic[]> {
  try {
    return (await storage.diagnostics?.()) ?? [];
  } catch (error) {
    passOn(error, ['SECURITY_ERROR']);
    return [];
  }
}

function canSave(storage: WorkflowStorage): boolean {
  return storage.save !== undefined;
}

/** The failure of a storage that the composite can skip; other errors are rethrown. */
function passOn(error: unknown, passedOn: readonly WorkflowCode[]): WorkflowError {
  if (isWorkflowError(error) && passedOn.includes(error.code)) throw error;
  return storageFailure('read', error);
}
