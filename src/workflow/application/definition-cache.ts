import { createHash } from 'node:crypto';
import { BoundedCache } from '../../shared/bounded-cache.ts';
import { loadWorkflow } from '../domain/document/load-workflow.ts';
import type { WorkflowDefinition, WorkflowDocument } from '../domain/document/workflow-document.ts';

const MOST_DEFINITIONS = 200;

/**
 * Checks every document once. Storages give a new copy each time, so documents are known by their JSON; the cache
 * keeps the digest only, as a document may have a megabyte.
 */
export class DefinitionCache {
  readonly #definitions = new BoundedCache<WorkflowDefinition>({ entries: MOST_DEFINITIONS });

  /** @throws WorkflowError `INVALID_WORKFLOW` */
  readonly load = (document: WorkflowDocument): WorkflowDefinition => {
    const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64');
    const known = this.#definitions.get(digest);
    if (known !== undefined) return known;
    const definition = loadWorkflow(document);
    this.#definitions.set(digest, definition);
    return definition;
  };
}
