import {
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
import { Field } from '../../../index.ts';
import type { WorkflowContext } from '../../domain/conditions/condition.ts';
import { WorkflowRef } from './classic-inputs.ts';

const KEY = /^[A-Za-z0-9_.:-]{1,200}$/;
const MOST_GOAL = 2000;
const MOST_NOTES = 10_000;
const MOST_RUNS = 10;

const KEY_TEXT = 'Makes a repeat safe: the same key with the same request gives the same answer';
const CONTEXT_TEXT = 'Variables to keep; each replaces the one of the same name';

export class StartInput extends WorkflowRef {
  @IsOptional() @IsString() @MaxLength(MOST_GOAL) @Field('What the run is to achieve') goal?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
}

/** Which view a change answers. */
export class ViewInput {
  @IsOptional() @IsString() @Field('The token of the view that this answers') token?: string;
  @IsOptional() @IsString() @Field('The run, if no token is given') runId?: string;
  @IsOptional() @IsInt() @Min(0) @Field('The seq of the view, if no token is given') expectedSeq?: number;
}

export class ContinueInput extends ViewInput {
  @IsOptional() @IsString() @Field('What the current step produced') output?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
}

export class CheckpointInput extends ViewInput {
  @IsString()
  @MinLength(1)
  @MaxLength(MOST_NOTES)
  @Field('What to remember, for whoever goes on with the run')
  notes!: string;

  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
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
  @IsOptional() @IsString() @MaxLength(MOST_GOAL) @Field('Why the run ends') reason?: string;
  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
}
