import { IsArray, IsObject, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { Action, Field, Inject, Middleware, ReadOnly, ToolGroup, type JsonSchema } from '../../index.ts';
import { WorkflowService } from '../application/workflow-service.ts';
import type { WorkflowContext } from '../domain/conditions/condition.ts';
import { answerWorkflowErrors } from './answer-errors.ts';

const LOOKUP_ID = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_CHARACTERS = 10_000;

export class WorkflowRef {
  @IsString() @Matches(LOOKUP_ID) @Field('Id of the workflow') workflowId!: string;
}

class NextInput extends WorkflowRef {
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @Field('Ids of the steps that are done, in any order; steps of a loop as <id>@<iteration>')
  completedSteps?: string[] | null;

  @IsOptional()
  @IsObject()
  @Field('The variables that conditions look at')
  context?: WorkflowContext;
}

class ValidateInput extends WorkflowRef {
  @IsString() @Matches(LOOKUP_ID) @Field('Id of the step that the output is of') stepId!: string;

  @IsString() @MaxLength(MOST_CHARACTERS) @Field('What the step produced') output!: string;

  @IsOptional()
  @IsObject()
  @Field('The variables that conditions of rules look at')
  context?: WorkflowContext;
}

/** Not a DTO class: any value is accepted and validated. */
const workflowJsonInput = {
  type: 'object',
  properties: { workflowJson: { description: 'The workflow document, as JSON text' } },
  additionalProperties: false,
} as const;

/** An input without its null members: models send null for omitted members. */
type WithoutNull<Input> = {
  readonly [Name in keyof Input]: Exclude<Input[Name], null | undefined>;
};

/** A plain object without the null members. */
export function withoutNull<Input extends object>(input: Input): WithoutNull<Input> {
  const members = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(members) as WithoutNull<Input>;
}

/** An object with exactly these members; all are required except the named ones. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema & { readonly type: 'object' } {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

type Members = Readonly<Record<string, JsonSchema>>;

/** Members of one type. */
function all(names: readonly string[], schema: JsonSchema): Members {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

export const texts = (...names: readonly string[]): Members => all(names, { type: 'string' });
export const counts = (...names: readonly string[]): Members => all(names, { type: 'integer', minimum: 0 });
export const flags = (...names: readonly string[]): Members => all(names, { type: 'boolean' });
export const textLists = (...names: readonly string[]): Members => all(names, listOf({ type: 'string' }));

/** The faults of an output or document, and how to repair them. */
export const REPAIRS: Members = {
  ...textLists('issues', 'suggestions'),
  details: listOf(
    objectSchema({ ...texts('code', 'path', 'ruleType', 'message'), info: {} }, ['ruleType', 'info']),
  ),
};

/** The result of workflow_list. */
const listedWorkflows = objectSchema({
  workflows: listOf(objectSchema(texts('id', 'name', 'description', 'category', 'version'))),
});

/** The result of workflow_get; the schema of the document itself is `workflowSchema`. */
const wholeWorkflow = {
  type: 'object',
  properties: { ...texts('id', 'name', 'description', 'version'), steps: listOf({ type: 'object' }) },
  required: ['id', 'name', 'description', 'version', 'steps'],
} as const;

/** The result of workflow_next. */
const nextStep = objectSchema({
  step: { type: ['object', 'null'] },
  guidance: objectSchema({ ...texts('prompt'), ...textLists('warnings') }, ['warnings']),
  ...flags('isComplete'),
});

/** The result of workflow_validate and workflow_validate_json. */
const validationResult = objectSchema({ ...flags('valid'), ...REPAIRS });

/** The stateless tools: the agent sends its progress with each call. */
@ToolGroup({ name: 'workflow-classic', prefix: 'workflow', expose: 'flat' })
@Middleware(answerWorkflowErrors)
export class ClassicWorkflowTools {
  constructor(@Inject(WorkflowService) private readonly workflows: WorkflowService) {}

  @Action({ description: 'List the workflows that there are', output: listedWorkflows })
  @ReadOnly()
  list() {
    return this.workflows.listWorkflows();
  }

  @Action({ description: 'Get a workflow with all its steps', output: wholeWorkflow })
  @ReadOnly()
  get({ workflowId }: WorkflowRef) {
    return this.workflows.getWorkflow({ workflowId });
  }

  @Action({
    description: 'Get the next step of a workflow, with the prompt to follow; tell which steps are done',
    output: nextStep,
  })
  @ReadOnly()
  next(input: NextInput) {
    return this.workflows.getNextStep(withoutNull(input));
  }

  @Action({
    description: 'Check the output of a step before going on; what is wrong comes with how to repair it',
    output: validationResult,
  })
  @ReadOnly()
  validate(input: ValidateInput) {
    return this.workflows.validateStepOutput(withoutNull(input));
  }

  @Action({
    name: 'validate_json',
    description: 'Check a workflow document that is being written',
    input: workflowJsonInput,
    output: validationResult,
  })
  @ReadOnly()
  validateJson(input: { readonly workflowJson?: unknown }) {
    return this.workflows.validateWorkflowJson(input.workflowJson);
  }
}
