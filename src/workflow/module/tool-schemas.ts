import {
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Field, type JsonSchema } from '../../index.ts';
import { LONGEST_GOAL, LONGEST_NOTES, MOST_RUNS } from '../application/runs/run-requests.ts';
import type { WorkflowContext } from '../domain/conditions/condition.ts';
import { LONGEST_OUTPUT } from '../application/workflow-requests.ts';

// The services check the form of ids and keys, and their errors name it: a pattern in each schema would cost more. A field
// has a text where neither its name nor the description of its tool says what it is
const CONTEXT_TEXT = 'Variables to set';

export class WorkflowRef {
  @IsString() workflowId!: string;
}

export class NextInput extends WorkflowRef {
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @Field('Ids of steps that are done; in a loop <id>@<iteration>')
  completedSteps?: string[] | null;

  @IsOptional()
  @IsObject()
  @Field('For conditions')
  context?: WorkflowContext;
}

export class ValidateInput extends WorkflowRef {
  @IsString() stepId!: string;

  @IsString() @MaxLength(LONGEST_OUTPUT) output!: string;

  @IsOptional()
  @IsObject()
  @Field('For conditions')
  context?: WorkflowContext;
}

/** Not a DTO class: any value is accepted and validated. */
export const workflowJsonInput = {
  type: 'object',
  properties: {
    workflowJson: {
      // All that there are: a type that is left out makes some clients send a text
      type: ['object', 'string', 'array', 'number', 'boolean', 'null'],
      description: 'As JSON text',
    },
  },
  additionalProperties: false,
} as const;

export class StartInput extends WorkflowRef {
  @IsOptional() @IsString() @MaxLength(LONGEST_GOAL) goal?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() idempotencyKey?: string;
}

/** The view that a change answers. */
class ViewInput {
  @IsOptional() @IsString() @Field('Of the view that this answers') token?: string;
  @IsOptional() @IsString() @Field('Instead of a token') runId?: string;
  @IsOptional() @IsInt() @Min(0) @Field('With runId: seq of the view') expectedSeq?: number;
}

export class ContinueInput extends ViewInput {
  @IsOptional() @IsString() output?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() idempotencyKey?: string;
}

export class CheckpointInput extends ViewInput {
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_NOTES)
  notes!: string;

  @IsOptional() @IsString() idempotencyKey?: string;
}

export class ResumeInput {
  @IsOptional() @IsString() runId?: string;
  @IsOptional() @IsString() @Field('Words of goal or workflow id') query?: string;
  @IsOptional() @IsInt() @Min(1) @Max(MOST_RUNS) limit?: number;
}

export class RunRef {
  @IsString() runId!: string;
}

export class CancelInput extends RunRef {
  @IsOptional() @IsString() @MaxLength(LONGEST_GOAL) reason?: string;
  @IsOptional() @IsString() idempotencyKey?: string;
}

/** An input without its null members: models send null for omitted members. */
type WithoutNull<Input> = {
  readonly [Name in keyof Input]: Exclude<Input[Name], null | undefined>;
};

/** A plain object without the null members. */
export function withoutNull<Input extends object>(input: Input): WithoutNull<Input> {
  const members = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(members) as WithoutNull<Input>;
}

/** An object with at least these members. */
function objectWith(
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema & { readonly type: 'object' } {
  return { type: 'object', properties, required: Object.keys(properties) };
}

const TEXT: JsonSchema = { type: 'string' };
const LIST: JsonSchema = { type: 'array' };
const FLAG: JsonSchema = { type: 'boolean' };
const STEP: JsonSchema = { type: ['object', 'null'] };

// The members that a client decides by. All members, written out for eleven tools, were two thirds of what the tools cost a
// model; the types of `toolwright/workflow` have them.

/** The result of workflow_list. */
export const listedWorkflows = objectWith({ workflows: LIST });

/** The result of workflow_get; the schema of the document itself is `workflowSchema`. */
export const wholeWorkflow = objectWith({ id: TEXT, steps: LIST });

/** The result of workflow_next. */
export const nextStep = objectWith({ step: STEP, guidance: { type: 'object' }, isComplete: FLAG });

/** The result of workflow_validate and workflow_validate_json. */
export const validationResult = objectWith({ valid: FLAG, issues: LIST });

const VIEW = { runId: TEXT, token: TEXT, status: TEXT, step: STEP };

/** The view of a run: the result of most tools. */
export const runView = objectWith(VIEW);

/** The view after workflow_checkpoint, which changes no step: what the next call needs. */
export const keptNotes = objectWith({ token: TEXT, status: TEXT });

/** The view after workflow_cancel: there is nothing to go on with. */
export const endedRun = objectWith({ status: TEXT });

/** The result of workflow_resume: one run, or the matching runs. */
export const resumedRuns = {
  type: 'object',
  properties: { ...VIEW, runs: LIST },
  anyOf: [{ required: ['token'] }, { required: ['runs'] }],
} as const;

/** The result of workflow_status. */
export const runStatus = objectWith({ status: TEXT, history: LIST });
