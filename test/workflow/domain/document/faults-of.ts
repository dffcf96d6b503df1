import {
  loadWorkflow,
  validateWorkflowJson,
} from '../../../../src/workflow/domain/document/load-workflow.ts';
import { WorkflowError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import { errorOf } from '../../../support/thrown.ts';

interface Fault {
  readonly code: string;
  readonly path: string;
}

/** What loading a document is refused with. */
export function loadError(document: unknown): WorkflowError {
  return errorOf(() => loadWorkflow(document), WorkflowError);
}

/** Code and pointer of each fault for which a document is not loaded. */
export function loadFaults(document: unknown): readonly string[] {
  return (loadError(document).details as { details: readonly Fault[] }).details.map(lineOf);
}

/** Code and pointer of each fault of a document as text. */
export function jsonFaults(document: unknown): readonly string[] {
  return validateWorkflowJson(JSON.stringify(document)).details.map(lineOf);
}

function lineOf({ code, path }: Fault): string {
  return `${code} ${path}`;
}
