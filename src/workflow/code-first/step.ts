import { createDecorator } from '../../index.ts';
import type { LoopStep, PlainStep } from '../domain/document/workflow-document.ts';

/** A step without its prompt, which the method returns; a loop has none, and its method returns nothing. */
export type StepOptions = Omit<PlainStep, 'prompt'> | LoopStep;

export const stepRecord = createDecorator<StepOptions>('Step');

/**
 * Makes a method a step of a {@link Workflow}: called once, when the class is registered, it returns the prompt.
 *
 * @example
 * @Workflow({ id: 'review', name: 'Review', description: 'Reviews a file', version: '1.0.0' })
 * class ReviewWorkflow {
 *   @Step({ id: 'read', title: 'Read', validationCriteria: [{ type: 'length', min: 20, message: 'say more' }] })
 *   read() { return 'Read the file and say what it is for.'; }
 *
 *   @Step({ id: 'approve', title: 'Approve', requireConfirmation: true })
 *   approve() { return 'Say what you would change.'; }
 * }
 */
export function Step(options: StepOptions): MethodDecorator {
  return stepRecord(options);
}
