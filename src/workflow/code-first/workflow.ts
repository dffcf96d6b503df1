import { createDecorator } from '../../index.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';

/** What a class says of its workflow; the steps are its methods. */
export type WorkflowOptions = Omit<WorkflowDocument, 'steps'>;

export const workflowRecord = createDecorator<WorkflowOptions>('Workflow');

/**
 * Makes a class a workflow, to be registered with `WorkflowModule.forFeature`. Its steps are the methods with
 * {@link Step}, those of base classes first. The class becomes a document as if it had been written as JSON.
 *
 * @example
 * @Workflow({ id: 'greet', name: 'Greet', description: 'Greets somebody', version: '1.0.0' })
 * class GreetWorkflow {
 *   @Step({ id: 'say', title: 'Say hello' })
 *   say() { return 'Say hello in the language of whoever is there.'; }
 * }
 */
export function Workflow(options: WorkflowOptions): ClassDecorator {
  return workflowRecord(options);
}
