import { createHash } from 'node:crypto';
import { loadWorkflow } from '../domain/document/load-workflow.ts';
import type { WorkflowDefinition, WorkflowDocument } from '../domain/document/workflow-document.ts';

const MAXIMUM = 200;

/**
 * Checks every document once. Storages give a new copy each time, so documents are known by their JSON; the cache
 * keeps the digest only, as a document may have a megabyte.
 */
export class DefinitionCache {
  readonly #definitions = new Map<string, WorkflowDefinition>();

  /** @throws WorkflowError `INVALID_WORKFLOW` */
  readonly load = (document: WorkflowDocument): WorkflowDefinition => {
    const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64');
    const definition = this.#definitions.get(digest) ?? loadWorkflow(document);
    this.#definitions.delete(digest);
    this.#definitions.set(digest, definition);
    const [oldest] = this.#definitions.keys();
    if (this.#definitions.size > MAXIMUM && oldest !== undefined) this.#definitions.delete(oldest);
    return definition;
  };
}
