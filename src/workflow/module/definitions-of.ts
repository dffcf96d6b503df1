import { DefinitionCache, findWorkflow, type WorkflowPorts } from '../application/use-cases.ts';
import type { WorkflowDefinitions } from '../application/ports/workflow-storage.ts';

/** The definitions behind a storage, for new runs. */
export function definitionsOf(ports: Pick<WorkflowPorts, 'storage' | 'validator'>): WorkflowDefinitions {
  const { load } = new DefinitionCache();
  return {
    getDefinition: async (workflowId) => (await findWorkflow({ ...ports, load }, workflowId)).definition,
  };
}
