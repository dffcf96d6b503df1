import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { Field, Inject, Injectable, ToolContext, ToolError } from '../../../index.ts';
import type { RunCaller } from '../../application/runs/run-caller.ts';
import type { Decision } from '../../application/runs/run-requests.ts';
import { RunService } from '../../application/runs/run-service.ts';
import type { RunView } from '../../application/runs/run-view.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';

const MOST_COMMENT = 2000;
const SHOWN_OUTPUT = 1000;
/** The client cannot ask its user: then somebody decides elsewhere, or never. */
const CANNOT_ASK = ['CLIENT_CAPABILITY_MISSING', 'CLIENT_UNREACHABLE'];

/** What the user is asked for a step that needs consent. */
export class Confirmation {
  @IsBoolean()
  @Field({ title: 'Approve', description: 'Whether this step is done as it should be' })
  approve!: boolean;

  @IsOptional()
  @IsString()
  @MaxLength(MOST_COMMENT)
  @Field({ title: 'Comment' })
  comment?: string;
}

/** Asks the user of the client to confirm a step, where that is possible. */
@Injectable()
export class ConfirmationDialog {
  constructor(@Inject(RunService) private readonly runs: RunService) {}

  /** The view after the user's answer; the given one where there is nothing to ask, nobody to ask, or no answer. */
  async confirm(caller: RunCaller, view: RunView, ctx: ToolContext, output?: string): Promise<RunView> {
    if (view.status !== 'awaiting_confirmation') return view;
    const decision = await ask(view, ctx, output);
    return decision === undefined ? view : this.#resolve(caller, view, decision, ctx);
  }

  async #resolve(caller: RunCaller, view: RunView, decision: Decision, ctx: ToolContext): Promise<RunView> {
    try {
      const user = ctx.authInfo === undefined ? undefined : caller.principal;
      return await this.runs.resolve(caller, view.runId, { ...decision, expectedSeq: view.seq }, user);
    } catch (thrown) {
      // Somebody else was faster, or this is the same answer once more.
      if (thrown instanceof WorkflowError && thrown.code === 'STALE_SEQUENCE') {
        return this.runs.view(caller, view.runId);
      }
      throw thrown;
    }
  }
}

async function ask(
  view: RunView,
  ctx: ToolContext,
  output: string | undefined,
): Promise<Decision | undefined> {
  try {
    const answer = await ctx.ask(Confirmation, question(view, output), {
      name: `confirm-${String(view.seq)}`,
    });
    if (answer.action === 'cancel') return undefined;
    if (answer.action === 'decline') return { approved: false };
    const { approve: approved, comment } = answer.content;
    return comment === undefined ? { approved } : { approved, comment };
  } catch (thrown) {
    if (ToolError.is(thrown) && CANNOT_ASK.includes(thrown.code)) return undefined;
    throw thrown;
  }
}

function question({ step, workflowId }: RunView, output: string | undefined): string {
  const title = `"${step?.title ?? ''}" of the workflow ${workflowId}`;
  if (output === undefined) return `Do you approve ${title}?`;
  const shown = output.length > SHOWN_OUTPUT ? `${output.slice(0, SHOWN_OUTPUT)}…` : output;
  return `Do you approve ${title}? The agent hands in:\n\n${shown}`;
}
