import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { loadWorkflow } from '../domain/document/load-workflow.ts';
import type { WorkflowDefinition, WorkflowDocument } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type { WorkflowDefinitions, WorkflowStorage } from './ports/workflow-storage.ts';

interface FoundWorkflow {
  /** As stored. */
  readonly document: WorkflowDocument;
  readonly definition: WorkflowDefinition;
}

const MOST_DEFINITIONS = 200;

/**
 * The workflows of a storage, each checked once. Storages return a new copy each time, so documents are identified by
 * their JSON; the cache keeps only the digest, because a document can have a megabyte.
 */
export class StoredDefinitions implements WorkflowDefinitions {
  readonly #storage: WorkflowStorage;
  readonly #checked = new LRUCache<string, WorkflowDefinition>({ max: MOST_DEFINITIONS });

  constructor(storage: WorkflowStorage) {
    this.#storage = storage;
  }

  /** @throws WorkflowError `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`, or an error of the storage */
  async find(workflowId: string): Promise<FoundWorkflow> {
    const document = await this.#storage.getById(workflowId);
    if (document === null) {
      throw new WorkflowError('WORKFLOW_NOT_FOUND', {
        where: `workflow "${workflowId}"`,
        message: `The workflow "${workflowId}" does not exist.`,
        details: { workflowId },
      });
    }
    return { document, definition: this.#check(document) };
  }

  async getDefinition(workflowId: string): Promise<WorkflowDefinition> {
    return (await this.find(workflowId)).definition;
  }

  #check(document: WorkflowDocument): WorkflowDefinition {
    const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64');
    const known = this.#checked.get(digest);
    if (known !== undefined) return known;
    const definition = loadWorkflow(document);
    this.#checked.set(digest, definition);
    return definition;
  }
}
