import { BoundedCache } from '../../../shared/bounded-cache.ts';
import { loadWorkflow } from '../../domain/document/load-workflow.ts';
import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type { RunStore } from '../ports/run-store.ts';

const MOST_DEFINITIONS = 100;

/** The definitions of runs as they were when the runs started, whatever became of the documents. */
export class PinnedDefinitions {
  readonly #store: Pick<RunStore, 'pinDefinition' | 'getDefinition'>;
  /** By hash, which never means anything else. */
  readonly #cache = new BoundedCache<WorkflowDefinition>({ entries: MOST_DEFINITIONS });

  constructor(store: Pick<RunStore, 'pinDefinition' | 'getDefinition'>) {
    this.#store = store;
  }

  async pin(definition: WorkflowDefinition): Promise<void> {
    const { hash, ...document } = definition;
    await this.#store.pinDefinition(hash, JSON.stringify(document));
    this.#cache.set(hash, definition);
  }

  /** @throws WorkflowError `STATE_ERROR` if it was never pinned, or is not what was. */
  async get(hash: string): Promise<WorkflowDefinition> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined) return cached;
    const json = await this.#store.getDefinition(hash);
    if (json === null) throw unusable(hash, 'is missing');
    const definition = loadWorkflow(json);
    if (definition.hash !== hash) throw unusable(hash, 'was changed');
    this.#cache.set(hash, definition);
    return definition;
  }
}

function unusable(hash: string, what: string): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: `definition ${hash}`,
    message: `The definition that the run was started with ${what}.`,
    details: { hash },
  });
}
