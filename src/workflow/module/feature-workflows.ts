import type { Class } from '../../index.ts';
import { documentOfClass } from '../code-first/document-of-class.ts';
import { loadWorkflow } from '../domain/document/load-workflow.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { InMemoryWorkflowStorage } from '../storage/in-memory-workflow-storage.ts';

/** The workflows that are written as classes. */
export class FeatureWorkflows extends InMemoryWorkflowStorage {
  readonly #types = new Map<string, Class>();

  /**
   * Compiles a class to its document, and checks it as if it had been a file.
   * @throws WorkflowError `TW_WORKFLOW_CLASS`, or `INVALID_WORKFLOW` with every fault
   */
  async register(type: Class, instance: object): Promise<void> {
    const document = documentOfClass(type, instance);
    const other = this.#types.get(document.id);
    if (other !== undefined && other !== type) throw duplicate(document, type, other);
    const { hash: _hash, ...checked } = loadWorkflow(document);
    this.#types.set(document.id, type);
    await this.save(checked);
  }
}

function duplicate({ id }: WorkflowDocument, type: Class, other: Class): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_CLASS', {
    where: type.name,
    message: `${type.name} and ${other.name} are both the workflow "${id}".`,
    suggestions: ['give one of them another id'],
  });
}
