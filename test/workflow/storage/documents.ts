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

/** One that nothing can copy which calls itself for every level. */
export function deepDocumentOf(id: string): WorkflowDocument {
  let value: unknown = [];
  for (let level = 0; level < 20_000; level += 1) value = [value];
  return { ...documentOf(id), metaGuidance: value as string[] };
}

/** One that no schema allows, but that has an id. */
export function invalidDocumentOf(id: string): WorkflowDocument {
  return { ...documentOf(id), steps: [] };
}
