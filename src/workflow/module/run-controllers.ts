import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import {
  Action,
  Destructive,
  Field,
  Idempotent,
  Inject,
  Injectable,
  Input,
  isSuspension,
  Logger,
  Middleware,
  OpenWorld,
  ReadOnly,
  Resource,
  ToolContext,
  ToolError,
  ToolGroup,
  ToolwrightError,
  type ListedResource,
} from '../../index.ts';
import type { RunSummary } from '../application/ports/run-store.ts';
import type { Decision, RunCaller } from '../application/runs/run-requests.ts';
import { RunService } from '../application/runs/run-service.ts';
import type { PendingStep } from '../application/runs/confirmations.ts';
import type { RunView } from '../application/runs/run-view.ts';
import { isWorkflowError } from '../domain/errors/workflow-error.ts';
import { answerWorkflowErrors } from './answer-errors.ts';
import {
  CancelInput,
  CheckpointInput,
  ContinueInput,
  endedRun,
  keptNotes,
  ResumeInput,
  resumedRuns,
  RunRef,
  runStatus,
  runView,
  StartInput,
  withoutNull,
} from './tool-schemas.ts';
import { Callers } from './workflow-module-options.ts';

/** An answer can lead to the next question. For more questions than this, the agent must call again. */
const MOST_QUESTIONS = 10;
/** The client cannot ask a user; not a failure. */
const CANNOT_ASK: readonly string[] = ['CLIENT_CAPABILITY_MISSING', 'CLIENT_UNREACHABLE'];
/** The question was decided elsewhere, or the run has ended. */
const OVERTAKEN: readonly string[] = ['STALE_SEQUENCE', 'RUN_FINISHED', 'RUN_EXPIRED'];

interface Question {
  readonly seq: number;
  readonly text: string;
}

/** Asks the user of the client to confirm a step, if the client can. */
@Injectable()
export class ConfirmationDialog {
  constructor(
    @Inject(RunService) private readonly runs: RunService,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  /** The view after the user's answers; the given view if there is no question, no user or no answer. */
  async confirm(caller: RunCaller, view: RunView, ctx: ToolContext): Promise<RunView> {
    let current = view;
    for (let asked = 0; asked < MOST_QUESTIONS && current.status === 'awaiting_confirmation'; asked += 1) {
      const shown = current;
      // In a step: when the handler runs again with the answer, the run may have advanced.
      const question = await ctx.step('question', () => this.#questionOf(caller, shown));
      if (question === null) return current;
      const decision = await this.#ask(current.runId, question, ctx);
      if (decision === undefined) return current;
      const resolution = { ...decision, expectedSeq: question.seq };
      // In a step as well: what stands after the decision is asked about next, and others may go on.
      current = await ctx.step('decision', () => this.#resolve(caller, shown.runId, resolution, ctx));
    }
    return current;
  }

  /** Null if the view is a recorded one of a repeated request, and its question is already decided. */
  async #questionOf(caller: RunCaller, view: RunView): Promise<Question | null> {
    const pending = await this.runs.pending(caller, view.runId);
    if (pending === null || pending.seq > view.seq) return null;
    return { seq: pending.seq, text: consentQuestion(pending) };
  }

  async #resolve(caller: RunCaller, runId: string, decision: Decision, ctx: ToolContext): Promise<RunView> {
    try {
      const user = ctx.authInfo === undefined ? undefined : caller.principal;
      return await this.runs.resolve(caller, runId, decision, user);
    } catch (thrown) {
      if (isWorkflowError(thrown) && OVERTAKEN.includes(thrown.code)) return this.runs.view(caller, runId);
      throw thrown;
    }
  }

  /**
   * The user's decision; undefined without an answer. A client that cannot ask, or fails to, must not cost the agent
   * its run: the user can still decide elsewhere.
   */
  async #ask(runId: string, { seq, text }: Question, ctx: ToolContext): Promise<Decision | undefined> {
    try {
      const answer = await ctx.ask(Confirmation, text, { name: `confirm-${String(seq)}` });
      if (answer.action === 'cancel') return undefined;
      if (answer.action === 'decline') return { approved: false };
      const { approve: approved, comment } = answer.content;
      // Stores refuse U+0000; a comment must not cost the decision.
      return comment ? { approved, comment: comment.replaceAll('\0', '') } : { approved };
    } catch (cause) {
      if (ctx.signal.aborted || isOfTheCall(cause)) throw cause;
      if (ToolError.is(cause) && CANNOT_ASK.includes(cause.code)) return undefined;
      const message = 'A user could not be asked; the run waits for a decision.';
      this.logger.log({ level: 'warning', event: 'workflow.unasked', message, runId, cause });
      return undefined;
    }
  }
}

const MOST_COMMENT = 2000;
/** Errors of the call as a whole, not of the answer. */
const OF_THE_CALL: readonly string[] = ['CANCELLED', 'TRY_AGAIN_LATER', 'REPLAY_DIVERGED'];

/** The form that asks the user to confirm a step. */
class Confirmation {
  @IsBoolean()
  @Field({ title: 'Approve', description: 'Whether this step is done as it should be' })
  approve!: boolean;

  @IsOptional()
  @IsString()
  @MaxLength(MOST_COMMENT)
  @Field({ title: 'Comment' })
  comment?: string | null;
}

function isOfTheCall(thrown: unknown): boolean {
  if (isSuspension(thrown) || ToolwrightError.is(thrown)) return true;
  return ToolError.is(thrown) && OF_THE_CALL.includes(thrown.code);
}

const MOST_SHOWN = 2000;

/** The text of the question: the output that the agent submitted, and the context that it wants to add. */
function consentQuestion({ title, workflowId, goal, output, context }: PendingStep): string {
  const subject = `Do you approve "${title}" of the workflow ${workflowId}?`;
  const parts = [
    ...(goal === undefined ? [] : [`Goal: ${shorten(goal)}`]),
    ...(output === undefined ? [] : [`The agent hands in:\n${shorten(output)}`]),
    ...(context === undefined ? [] : [`and wants to keep:\n${shorten(JSON.stringify(context))}`]),
  ];
  return [subject, ...parts].join('\n\n');
}

function shorten(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  return `${text.slice(0, MOST_SHOWN)}… (${String(text.length - MOST_SHOWN)} more characters)`;
}

/** The tools of durable runs: an agent needs only the id of its run to continue. */
@ToolGroup({ name: 'workflow-runs', prefix: 'workflow', expose: 'flat' })
@OpenWorld(false)
@Middleware(answerWorkflowErrors)
export class DurableWorkflowTools {
  constructor(
    @Inject(RunService) private readonly runs: RunService,
    @Inject(Callers) private readonly callers: Callers,
    @Inject(ConfirmationDialog) private readonly dialog: ConfirmationDialog,
  ) {}

  @Action({ description: 'Start a workflow; gives its first step', output: runView })
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

  @Action({ description: 'Keep notes with a run, without going on', output: keptNotes })
  @Idempotent()
  checkpoint(input: CheckpointInput, ctx: ToolContext): Promise<RunView> {
    return this.runs.checkpoint(this.callers.of(ctx), withoutNull(input));
  }

  @Action({
    description: 'Find runs, or see where one stands',
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

  @Action({ description: 'What happened in a run', output: runStatus })
  @ReadOnly()
  status({ runId }: RunRef, ctx: ToolContext) {
    return this.runs.status(this.callers.of(ctx), runId);
  }

  @Action({ description: 'End a run before it is complete', output: endedRun })
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

const LISTED_RUNS = 10;

/** Runs as resources, visible only to their own callers. */
@Injectable()
@Middleware(answerWorkflowErrors)
export class RunResources {
  constructor(
    @Inject(RunService) private readonly runs: RunService,
    @Inject(Callers) private readonly callers: Callers,
  ) {}

  @Resource('workflow-run://{runId}', {
    mimeType: 'application/json',
    list: 'listed',
    description: 'Where a run of a workflow stands',
  })
  async run(@Input() { runId }: Readonly<Record<'runId', string>>, ctx: ToolContext): Promise<object> {
    return this.runs.view(this.callers.of(ctx), runId);
  }

  async listed(ctx: ToolContext): Promise<readonly ListedResource[]> {
    const runs = await this.runs.search(this.callers.of(ctx), { limit: LISTED_RUNS });
    return runs.map(({ runId, workflowId, status, goal }) => ({
      uri: `workflow-run://${runId}`,
      name: runId,
      title: `${workflowId} (${status})`,
      ...(goal === undefined ? {} : { description: goal }),
    }));
  }
}
