import type { WorkflowDocument } from '../../../src/workflow/domain/document/workflow-document.ts';

/** A workflow that is valid. */
export function documentOf(id: string, name = `Workflow ${id}`): WorkflowDocument {
  return {
    id,
    name,
    description: 'Something to do',
    version: '1.0.0',
    steps: [{ id: 'first', title: 'First', prompt: 'Do it.', guidance: ['Take care'] }],
  };
}

/** One that no schema allows, but that has an id. */
export function invalidDocumentOf(id: string): WorkflowDocument {
  return { ...documentOf(id), steps: [] };
}
