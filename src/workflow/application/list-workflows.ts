import type { WorkflowPorts } from './workflow-ports.ts';
import type { ListedWorkflows } from './workflow-results.ts';

/** What workflow_list gives: all workflows, sorted by id. */
export async function listWorkflows({ storage }: Pick<WorkflowPorts, 'storage'>): Promise<ListedWorkflows> {
  return { workflows: await storage.listSummaries() };
}
