import type { WorkflowDocument, WorkflowSummary } from './workflow-document.ts';

const DEFAULT_CATEGORY = 'default';

/** What a list of workflows shows of one. */
export function summaryOf(document: WorkflowDocument): WorkflowSummary {
  const { id, name, description, category = DEFAULT_CATEGORY, version } = document;
  return Object.freeze({ id, name, description, category, version });
}
