import { IsArray, IsObject, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { Field } from '../../../index.ts';
import type { WorkflowContext } from '../../domain/conditions/condition.ts';

const LOOKUP_ID = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_CHARACTERS = 10_000;

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

  @IsString() @MaxLength(MOST_CHARACTERS) @Field('What the step produced') output!: string;

  @IsOptional()
  @IsObject()
  @Field('The variables that conditions of rules look at')
  context?: WorkflowContext;
}

/** Not a class: whatever comes is judged, and nothing refused. */
export const workflowJsonInput = {
  type: 'object',
  properties: { workflowJson: { description: 'The workflow document, as JSON text' } },
  additionalProperties: false,
} as const;
