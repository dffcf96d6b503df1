import { setImmediate } from 'node:timers/promises';
import type { StorageDiagnostic, WorkflowStorage } from '../application/ports/workflow-storage.ts';
import { loadWorkflow } from '../domain/document/load-workflow.ts';
import {
  summaryOf,
  type WorkflowDocument,
  type WorkflowSummary,
} from '../domain/document/workflow-document.ts';
import { isWorkflowError } from '../domain/errors/workflow-error.ts';

/** Checking a document takes about a millisecond; after each batch, other work gets its turn. */
const CHECKED_AT_A_TIME = 25;

/**
 * Lets only valid workflows through: in lists the others are left out, with a diagnostic; asked for by id, and when
 * saved, they are refused with `INVALID_WORKFLOW`.
 *
 * @example
 * const storage = new SchemaValidatingWorkflowStorage(new FileWorkflowStorage({ directory: './workflows' }));
 */
export class SchemaValidatingWorkflowStorage implements WorkflowStorage {
  /** Absent where the storage within cannot save. */
  readonly save?: (workflow: WorkflowDocument) => Promise<void>;
  readonly #storage: WorkflowStorage;
  #refused: readonly StorageDiagnostic[] | undefined;

  /** Serves the valid workflows of another storage. */
  constructor(storage: WorkflowStorage) {
    this.#storage = storage;
    if (storage.save !== undefined) {
      this.save = async (workflow) => {
        loadWorkflow(workflow);
        await storage.save?.(workflow);
      };
    }
  }

  async loadAll(): Promise<readonly WorkflowDocument[]> {
    const refused: StorageDiagnostic[] = [];
    const valid: WorkflowDocument[] = [];
    for (const [position, workflow] of (await this.#storage.loadAll()).entries()) {
      if (position % CHECKED_AT_A_TIME === CHECKED_AT_A_TIME - 1) await setImmediate();
      const diagnostic = faultOf(workflow);
      if (diagnostic === undefined) valid.push(workflow);
      else refused.push(diagnostic);
    }
    this.#refused = refused;
    return valid;
  }

  async listSummaries(): Promise<readonly WorkflowSummary[]> {
    return (await this.loadAll()).map(summaryOf);
  }

  async getById(id: string): Promise<WorkflowDocument | null> {
    const workflow = await this.#storage.getById(id);
    if (workflow !== null) loadWorkflow(workflow);
    return workflow;
  }

  async diagnostics(): Promise<readonly StorageDiagnostic[]> {
    if (this.#refused === undefined) await this.loadAll();
    return [...((await this.#storage.diagnostics?.()) ?? []), ...(this.#refused ?? [])];
  }
}

function faultOf(workflow: WorkflowDocument): StorageDiagnostic | undefined {
  try {
    loadWorkflow(workflow);
    return undefined;
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    const { id } = workflow;
    return { code: 'INVALID_WORKFLOW', source: id, id, message: error.message, details: error.details };
  }
}
