import {
  Action,
  Destructive,
  Idempotent,
  Inject,
  Middleware,
  ReadOnly,
  ToolContext,
  ToolGroup,
} from '../../../index.ts';
import { RunService } from '../../application/runs/run-service.ts';
import type { RunView } from '../../application/runs/run-view.ts';
import type { RunSummary } from '../../application/ports/run-store.ts';
import { answerWorkflowErrors } from '../answer-errors.ts';
import { Callers } from '../callers.ts';
import {
  CancelInput,
  CheckpointInput,
  ContinueInput,
  ResumeInput,
  RunRef,
  StartInput,
} from '../inputs/durable-inputs.ts';
import { resumedRuns, runStatus, runView } from '../outputs/durable-outputs.ts';
import { withoutNull } from '../inputs/without-null.ts';
import { ConfirmationDialog } from './confirmation-dialog.ts';

/** The tools of runs that are kept: an agent may lose everything but the id of its run, and go on. */
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
    // In a step, because a handler that asks may run again, and would start another run.
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
    // Needs no step: the same request again gives the recorded answer.
    return this.dialog.confirm(caller, await this.runs.continue(caller, withoutNull(input)), ctx);
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

/** Whose run it is, the caller knows; what it does, it learns from the run. */
function shown({
  tenant: _tenant,
  principal: _principal,
  definitionHash: _hash,
  ...rest
}: RunSummary): object {
  return rest;
}
