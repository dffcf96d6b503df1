import {
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Field, type JsonSchema } from '../../index.ts';
import { KEY_PATTERN, LONGEST_GOAL, LONGEST_NOTES, MOST_RUNS } from '../application/runs/run-requests.ts';
import type { WorkflowContext } from '../domain/conditions/condition.ts';
import { LOOKUP_ID } from '../domain/document/workflow-document.ts';
import { LONGEST_OUTPUT } from '../application/workflow-requests.ts';

const KEY_TEXT = 'Makes a repeat safe: the same key with the same request gives the same answer';
const CONTEXT_TEXT = 'Variables to keep; each replaces the one of the same name';

export class WorkflowRef {
  @IsString() @Matches(LOOKUP_ID) @Field('Id of the workflow') workflowId!: string;
}

export class NextInput extends WorkflowRef {
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

export class ValidateInput extends WorkflowRef {
  @IsString() @Matches(LOOKUP_ID) @Field('Id of the step that the output is of') stepId!: string;

  @IsString() @MaxLength(LONGEST_OUTPUT) @Field('What the step produced') output!: string;

  @IsOptional()
  @IsObject()
  @Field('The variables that conditions of rules look at')
  context?: WorkflowContext;
}

/** Not a DTO class: any value is accepted and validated. */
export const workflowJsonInput = {
  type: 'object',
  properties: {
    workflowJson: {
      // All that there are: a type that is left out makes some clients send a text
      type: ['object', 'string', 'array', 'number', 'boolean', 'null'],
      description: 'The workflow document, as JSON text',
    },
  },
  additionalProperties: false,
} as const;

export class StartInput extends WorkflowRef {
  @IsOptional() @IsString() @MaxLength(LONGEST_GOAL) @Field('What the run is to achieve') goal?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() @Matches(KEY_PATTERN) @Field(KEY_TEXT) idempotencyKey?: string;
}

/** The view that a change answers. */
class ViewInput {
  @IsOptional() @IsString() @Field('The token of the view that this answers') token?: string;
  @IsOptional() @IsString() @Field('The run, if no token is given') runId?: string;
  @IsOptional() @IsInt() @Min(0) @Field('The seq of the view, if no token is given') expectedSeq?: number;
}

export class ContinueInput extends ViewInput {
  @IsOptional() @IsString() @Field('What the current step produced') output?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() @Matches(KEY_PATTERN) @Field(KEY_TEXT) idempotencyKey?: string;
}

export class CheckpointInput extends ViewInput {
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_NOTES)
  @Field('What to remember when the run goes on')
  notes!: string;

  @IsOptional() @IsString() @Matches(KEY_PATTERN) @Field(KEY_TEXT) idempotencyKey?: string;
}

export class ResumeInput {
  @IsOptional() @IsString() @Field('The run to go on with') runId?: string;
  @IsOptional() @IsString() @Field('Words of the goal or of the workflow id, to find runs') query?: string;
  @IsOptional() @IsInt() @Min(1) @Max(MOST_RUNS) @Field('How many runs at most') limit?: number;
}

export class RunRef {
  @IsString() @Field('Id of the run') runId!: string;
}

export class CancelInput extends RunRef {
  @IsOptional() @IsString() @MaxLength(LONGEST_GOAL) @Field('Why the run ends') reason?: string;
  @IsOptional() @IsString() @Matches(KEY_PATTERN) @Field(KEY_TEXT) idempotencyKey?: string;
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

/** An object with exactly these members; all are required except the named ones. */
function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema & { readonly type: 'object' } {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

type Members = Readonly<Record<string, JsonSchema>>;

function all(names: readonly string[], schema: JsonSchema): Members {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

const texts = (...names: readonly string[]): Members => all(names, { type: 'string' });
const counts = (...names: readonly string[]): Members => all(names, { type: 'integer', minimum: 0 });
const flags = (...names: readonly string[]): Members => all(names, { type: 'boolean' });
const textLists = (...names: readonly string[]): Members => all(names, listOf({ type: 'string' }));

/** The faults of an output or document, and how to repair them. */
const REPAIRS: Members = {
  ...textLists('issues', 'suggestions'),
  details: listOf(
    objectSchema({ ...texts('code', 'path', 'ruleType', 'message'), info: {} }, ['ruleType', 'info']),
  ),
};

/** The result of workflow_list. */
export const listedWorkflows = objectSchema({
  workflows: listOf(objectSchema(texts('id', 'name', 'description', 'category', 'version'))),
});

/** The result of workflow_get; the schema of the document itself is `workflowSchema`. */
export const wholeWorkflow = {
  type: 'object',
  properties: { ...texts('id', 'name', 'description', 'version'), steps: listOf({ type: 'object' }) },
  required: ['id', 'name', 'description', 'version', 'steps'],
} as const;

/** The result of workflow_next. */
export const nextStep = objectSchema({
  step: { type: ['object', 'null'] },
  guidance: objectSchema({ ...texts('prompt'), ...textLists('warnings') }, ['warnings']),
  ...flags('isComplete'),
});

/** The result of workflow_validate and workflow_validate_json. */
export const validationResult = objectSchema({ ...flags('valid'), ...REPAIRS });

const STATUS: JsonSchema = {
  type: 'string',
  enum: ['running', 'blocked', 'awaiting_confirmation', 'completed', 'cancelled', 'expired'],
};
const TIME: JsonSchema = { type: 'string', format: 'date-time' };

/** The members that all reports of a run share. */
const RUN = { ...texts('runId', 'workflowId'), ...counts('seq'), status: STATUS, expiresAt: TIME };

/** The members of a report on a single run. */
const ONE_RUN = {
  ...RUN,
  ...texts('definitionHash'),
  progress: objectSchema(counts('completed', 'skipped', 'total')),
  ...REPAIRS,
};

const STEP = objectSchema(
  {
    ...texts('id', 'title', 'prompt'),
    ...flags('askForFiles', 'requireConfirmation'),
    ...counts('iteration'),
  },
  ['iteration'],
);

/** The view of a run: the result of most tools. */
export const runView = objectSchema({
  ...ONE_RUN,
  ...texts('token'),
  step: { anyOf: [STEP, { type: 'null' }] },
  ...counts('attemptsLeft'),
  ...textLists('notes', 'warnings'),
});

const SUMMARY = objectSchema({ ...RUN, ...texts('goal'), createdAt: TIME, updatedAt: TIME }, ['goal']);

/** The result of workflow_resume: one run, or the matching runs. */
export const resumedRuns = {
  type: 'object',
  anyOf: [runView, objectSchema({ runs: listOf(SUMMARY) })],
} as const;

const ENTRY = objectSchema(
  { ...counts('seq', 'iteration'), at: TIME, ...texts('type', 'actor', 'stepId', 'reason') },
  ['stepId', 'iteration', 'reason'],
);

/** The result of workflow_status. */
export const runStatus = objectSchema(
  { ...ONE_RUN, ...texts('goal'), history: listOf(ENTRY), ...counts('omitted') },
  ['goal'],
);
