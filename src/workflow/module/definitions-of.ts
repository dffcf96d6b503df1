import { DefinitionCache } from '../application/definition-cache.ts';
import { findWorkflow } from '../application/find-workflow.ts';
import type { WorkflowDefinitions } from '../application/ports/workflow-definitions.ts';
import type { WorkflowPorts } from '../application/workflow-ports.ts';

/** The definitions behind a storage, for new runs. */
export function definitionsOf(ports: Pick<WorkflowPorts, 'storage' | 'validator'>): WorkflowDefinitions {
  const { load } = new DefinitionCache();
  return {
    getDefinition: async (workflowId) => (await findWorkflow({ ...ports, load }, workflowId)).definition,
  };
}
