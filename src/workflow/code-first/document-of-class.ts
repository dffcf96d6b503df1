import { recordsOf, type Class } from '../../index.ts';
import type { WorkflowDocument, WorkflowStep } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { stepRecord, type StepOptions } from './step.ts';
import { workflowRecord } from './workflow.ts';
import { describeValue } from '../../shared/describe-value.ts';

/**
 * The document that a decorated class stands for.
 * @param instance its prompts come from here
 * @throws WorkflowError `TW_WORKFLOW_CLASS` for a class that says none
 */
export function documentOfClass(type: Class, instance: object): WorkflowDocument {
  const head = recordsOf(workflowRecord, type).findLast(({ member }) => member === undefined)?.value;
  if (head === undefined) {
    throw faulty(
      type.name,
      'has no @Workflow.',
      '@Workflow({ id, name, description, version }) on the class',
    );
  }
  const steps = recordsOf(stepRecord, type).map(({ member, value }) =>
    stepOf(`${type.name}.${String(member)}()`, value, promptOf(instance, member)),
  );
  if (steps.length === 0) throw faulty(type.name, 'has no steps.', '@Step({ id, title }) on its methods');
  return { ...head, steps };
}

function promptOf(instance: object, member: PropertyKey | undefined): unknown {
  const method: unknown = member === undefined ? undefined : Reflect.get(instance, member);
  return typeof method === 'function' ? (Reflect.apply(method, instance, []) as unknown) : undefined;
}

function stepOf(where: string, options: StepOptions, prompt: unknown): WorkflowStep {
  if (options.type === 'loop') {
    if (prompt === undefined) return options;
    throw faulty(where, 'is a loop, but returns a prompt.', 'return the prompts from the steps of its body');
  }
  if (typeof prompt === 'string') return { ...options, prompt };
  throw faulty(
    where,
    `returns ${prompt === undefined ? 'nothing' : describeValue(prompt)} in place of its prompt.`,
    'return the prompt as a text',
  );
}

function faulty(where: string, what: string, fix: string): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_CLASS', { where, message: `${where} ${what}`, suggestions: [fix] });
}
