import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import {
  summaryOf,
  type WorkflowDocument,
  type WorkflowSummary,
} from '../domain/document/workflow-document.ts';
import { copyDocument, checkWorkflowId, sortById } from './stored-documents.ts';

/**
 * Keeps workflows in this process. Of two with the same id, the later one counts.
 *
 * @example
 * const storage = new InMemoryWorkflowStorage([
 *   { id: 'release', name: 'Release', description: 'Publish a version', version: '1.0.0',
 *     steps: [{ id: 'tag', title: 'Tag', prompt: 'Tag the commit.' }] },
 * ]);
 */
export class InMemoryWorkflowStorage implements WorkflowStorage {
  #workflows = new Map<string, WorkflowDocument>();

  /** Begins with these workflows. Default: none. */
  constructor(workflows: readonly WorkflowDocument[] = []) {
    this.replaceAll(workflows);
  }

  /**
   * Forgets what was there before.
   * @throws WorkflowError `INVALID_WORKFLOW` for what cannot be copied
   */
  replaceAll(workflows: readonly WorkflowDocument[]): void {
    this.#workflows = new Map(workflows.map(copyDocument).map((workflow) => [workflow.id, workflow]));
  }

  async loadAll(): Promise<readonly WorkflowDocument[]> {
    return structuredClone(sortById(this.#workflows.values()));
  }

  async getById(id: string): Promise<WorkflowDocument | null> {
    return structuredClone(this.#workflows.get(checkWorkflowId(id)) ?? null);
  }

  async listSummaries(): Promise<readonly WorkflowSummary[]> {
    return sortById(this.#workflows.values()).map(summaryOf);
  }

  async save(workflow: WorkflowDocument): Promise<void> {
    this.#workflows.set(checkWorkflowId(workflow.id), copyDocument(workflow));
  }
}
