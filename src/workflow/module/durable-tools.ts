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
import {
  Action,
  Destructive,
  Field,
  Idempotent,
  Inject,
  Middleware,
  ReadOnly,
  ToolContext,
  ToolGroup,
  type JsonSchema,
} from '../../index.ts';
import type { RunSummary } from '../application/ports/run-store.ts';
import { RunService } from '../application/runs/run-service.ts';
import type { RunView } from '../application/runs/run-view.ts';
import type { WorkflowContext } from '../domain/conditions/condition.ts';
import { answerWorkflowErrors } from './answer-errors.ts';
import { Callers } from './workflow-module-options.ts';
import {
  counts,
  flags,
  listOf,
  objectSchema,
  REPAIRS,
  textLists,
  texts,
  withoutNull,
  WorkflowRef,
} from './classic-tools.ts';
import { ConfirmationDialog } from './confirmation-dialog.ts';

const KEY = /^[A-Za-z0-9_.:-]{1,200}$/;
const MOST_GOAL = 2000;
const MOST_NOTES = 10_000;
const MOST_RUNS = 10;

const KEY_TEXT = 'Makes a repeat safe: the same key with the same request gives the same answer';
const CONTEXT_TEXT = 'Variables to keep; each replaces the one of the same name';

class StartInput extends WorkflowRef {
  @IsOptional() @IsString() @MaxLength(MOST_GOAL) @Field('What the run is to achieve') goal?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
}

/** The view that a change answers. */
class ViewInput {
  @IsOptional() @IsString() @Field('The token of the view that this answers') token?: string;
  @IsOptional() @IsString() @Field('The run, if no token is given') runId?: string;
  @IsOptional() @IsInt() @Min(0) @Field('The seq of the view, if no token is given') expectedSeq?: number;
}

class ContinueInput extends ViewInput {
  @IsOptional() @IsString() @Field('What the current step produced') output?: string;
  @IsOptional() @IsObject() @Field(CONTEXT_TEXT) context?: WorkflowContext;
  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
}

class CheckpointInput extends ViewInput {
  @IsString()
  @MinLength(1)
  @MaxLength(MOST_NOTES)
  @Field('What to remember when the run goes on')
  notes!: string;

  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
}

class ResumeInput {
  @IsOptional() @IsString() @Field('The run to go on with') runId?: string;
  @IsOptional() @IsString() @Field('Words of the goal or of the workflow id, to find runs') query?: string;
  @IsOptional() @IsInt() @Min(1) @Max(MOST_RUNS) @Field('How many runs at most') limit?: number;
}

class RunRef {
  @IsString() @Field('Id of the run') runId!: string;
}

class CancelInput extends RunRef {
  @IsOptional() @IsString() @MaxLength(MOST_GOAL) @Field('Why the run ends') reason?: string;
  @IsOptional() @IsString() @Matches(KEY) @Field(KEY_TEXT) idempotencyKey?: string;
}

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
const runView = objectSchema({
  ...ONE_RUN,
  ...texts('token'),
  step: { anyOf: [STEP, { type: 'null' }] },
  ...counts('attemptsLeft'),
  ...textLists('notes', 'warnings'),
});

const SUMMARY = objectSchema({ ...RUN, ...texts('goal'), createdAt: TIME, updatedAt: TIME }, ['goal']);

/** The result of workflow_resume: one run, or the matching runs. */
const resumedRuns = {
  type: 'object',
  anyOf: [runView, objectSchema({ runs: listOf(SUMMARY) })],
} as const;

const ENTRY = objectSchema(
  { ...counts('seq', 'iteration'), at: TIME, ...texts('type', 'actor', 'stepId', 'reason') },
  ['stepId', 'iteration', 'reason'],
);

/** The result of workflow_status. */
const runStatus = objectSchema(
  { ...ONE_RUN, ...texts('goal'), history: listOf(ENTRY), ...counts('omitted') },
  ['goal'],
);

/** The tools of durable runs: an agent needs only the id of its run to continue. */
@ToolGroup({ name: 'workflow-runs', prefix: 'workflow', expose: 'flat' })
@Middleware(answerWorkflowErrors)
export class DurableWorkflowTools {
  constructor(
    @Inject(RunService) private readonly runs: RunService,
    @Inject(Callers) private readonly callers: Callers,
    @Inject(ConfirmationDialog) private readonly dialog: ConfirmationDialog,
  ) {}

  @Action({ description: 'Start a run of a workflow; gives its first step', output: runView })
  async start(input: StartInput, ctx: ToolContext): Promise<RunView> {
    const caller = this.callers.of(ctx);
    // In a step, because a handler that asks may run again and would start a second run.
    const view = await ctx.step('start', () => this.runs.start(caller, withoutNull(input)));
    return this.dialog.confirm(caller, view, ctx);
  }

  @Action({
    description: 'Hand in the output of the current step; gives the next one, or what to repair',
    output: runView,
  })
  @Idempotent()
  async continue(input: ContinueInput, ctx: ToolContext): Promise<RunView> {
    const caller = this.callers.of(ctx);
    // In a step: without an output it only looks, and the run may have gone on when the handler runs again.
    const view = await ctx.step('continue', () => this.runs.continue(caller, withoutNull(input)));
    return this.dialog.confirm(caller, view, ctx);
  }

  @Action({ description: 'Keep notes with a run, without going on', output: runView })
  @Idempotent()
  checkpoint(input: CheckpointInput, ctx: ToolContext): Promise<RunView> {
    return this.runs.checkpoint(this.callers.of(ctx), withoutNull(input));
  }

  @Action({
    description: 'Find runs, or get where one of them stands, to go on with it',
    output: resumedRuns,
  })
  @ReadOnly()
  async resume(
    input: ResumeInput,
    ctx: ToolContext,
  ): Promise<RunView | { readonly runs: readonly object[] }> {
    const caller = this.callers.of(ctx);
    const { runId, ...query } = withoutNull(input);
    if (runId !== undefined) return this.runs.view(caller, runId);
    return { runs: (await this.runs.search(caller, query)).map(shown) };
  }

  @Action({ description: 'What happened in a run so far', output: runStatus })
  @ReadOnly()
  status({ runId }: RunRef, ctx: ToolContext) {
    return this.runs.status(this.callers.of(ctx), runId);
  }

  @Action({ description: 'End a run before it is complete', output: runView })
  @Idempotent()
  @Destructive()
  cancel(input: CancelInput, ctx: ToolContext): Promise<RunView> {
    return this.runs.cancel(this.callers.of(ctx), withoutNull(input));
  }
}

/** Omits the owner, whom the caller knows, and the definition hash. */
function shown({
  tenant: _tenant,
  principal: _principal,
  definitionHash: _hash,
  ...rest
}: RunSummary): object {
  return rest;
}
