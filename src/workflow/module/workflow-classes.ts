import { createDecorator, recordsOf, type Class } from '../../index.ts';
import type {
  WorkflowDocument,
  LoopStep,
  PlainStep,
  WorkflowStep,
} from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { loadWorkflow } from '../domain/document/load-workflow.ts';
import { InMemoryWorkflowStorage } from '../storage/in-memory-workflow-storage.ts';

/** The document of a workflow class without the steps, which are its methods. */
export type WorkflowOptions = Omit<WorkflowDocument, 'steps'>;

const workflowRecord = createDecorator<WorkflowOptions>('Workflow');

/**
 * Makes a class a workflow; register it with `WorkflowModule.forFeature`. Its steps are the methods with
 * {@link Step}, those of base classes first. The class compiles to the same document as JSON would.
 *
 * @example
 * @Workflow({ id: 'greet', name: 'Greet', description: 'Greets somebody', version: '1.0.0' })
 * class GreetWorkflow {
 *   @Step({ id: 'say', title: 'Say hello' })
 *   say() { return 'Say hello in the language of the reader.'; }
 * }
 */
export function Workflow(options: WorkflowOptions): ClassDecorator {
  return workflowRecord(options);
}

/** A step without its prompt, which the method returns. A loop has no prompt, and its method returns nothing. */
export type StepOptions = Omit<PlainStep, 'prompt'> | LoopStep;

const stepRecord = createDecorator<StepOptions>('Step');

/**
 * Makes a method a step of a {@link Workflow}. The method returns the prompt; it runs once, at registration.
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

/**
 * The document of a decorated class.
 * @param instance the methods that return the prompts are called on it
 * @throws WorkflowError `TW_WORKFLOW_CLASS` for a class that does not describe one
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

/** The workflows from decorated classes. */
export class FeatureWorkflows extends InMemoryWorkflowStorage {
  readonly #types = new Map<string, Class>();

  /**
   * Compiles a class to its document, and checks it like a file.
   * @throws WorkflowError `TW_WORKFLOW_CLASS`, or `INVALID_WORKFLOW` with every fault
   */
  async register(type: Class, instance: object): Promise<void> {
    const document = documentOfClass(type, instance);
    const other = this.#types.get(document.id);
    if (other !== undefined && other !== type) throw duplicate(document, type, other);
    const { hash: _hash, ...checked } = loadWorkflow(document);
    this.#types.set(document.id, type);
    await this.save(checked);
  }
}

function duplicate({ id }: WorkflowDocument, type: Class, other: Class): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_CLASS', {
    where: type.name,
    message: `${type.name} and ${other.name} are both the workflow "${id}".`,
    suggestions: ['give one of them another id'],
  });
}
