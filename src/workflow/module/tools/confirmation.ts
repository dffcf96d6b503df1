import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { Field, isSuspension, ToolError, ToolwrightError, type ToolContext } from '../../../index.ts';
import type { Decision } from '../../application/runs/run-requests.ts';

const MOST_COMMENT = 2000;
/** These are about the call as a whole, not about the answer. */
const OF_THE_CALL: readonly string[] = ['CANCELLED', 'TRY_AGAIN_LATER', 'REPLAY_DIVERGED'];

/** What the user is asked for a step that needs consent. */
export class Confirmation {
  @IsBoolean()
  @Field({ title: 'Approve', description: 'Whether this step is done as it should be' })
  approve!: boolean;

  @IsOptional()
  @IsString()
  @MaxLength(MOST_COMMENT)
  @Field({ title: 'Comment' })
  comment?: string | null;
}

/**
 * What the user decided; undefined where there is no answer. A client that cannot ask, or fails to, must not take the
 * run from the agent: somebody can still decide elsewhere.
 */
export async function askForConsent(
  ctx: ToolContext,
  question: string,
  name: string,
  onFailure: (cause: unknown) => void,
): Promise<Decision | undefined> {
  try {
    const answer = await ctx.ask(Confirmation, question, { name });
    if (answer.action === 'cancel') return undefined;
    if (answer.action === 'decline') return { approved: false };
    const { approve: approved, comment } = answer.content;
    // No text with U+0000 is kept anywhere, and none is worth losing a decision for.
    return comment ? { approved, comment: comment.replaceAll('\0', '') } : { approved };
  } catch (thrown) {
    if (ctx.signal.aborted || isOfTheCall(thrown)) throw thrown;
    onFailure(thrown);
    return undefined;
  }
}

function isOfTheCall(thrown: unknown): boolean {
  if (isSuspension(thrown) || ToolwrightError.is(thrown)) return true;
  return ToolError.is(thrown) && OF_THE_CALL.includes(thrown.code);
}
