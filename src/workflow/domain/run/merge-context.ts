import type { WorkflowContext } from '../conditions/condition.ts';
import type { Rejection } from './rejection.ts';
import type { CommandLimits } from './command-limits.ts';

/** Why a context cannot become part of another: the whole would be too large. */
export function refuseContext(
  context: WorkflowContext,
  added: WorkflowContext | undefined,
  { maxContextBytes }: CommandLimits,
): Rejection | undefined {
  if (added === undefined) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify({ ...context, ...added }));
  if (bytes <= maxContextBytes) return undefined;
  return {
    code: 'CONTEXT_TOO_LARGE',
    message: `The context would have ${bytes} bytes of JSON; ${maxContextBytes} are the most.`,
    details: { bytes, limit: maxContextBytes },
  };
}

/** Whether there is anything to merge. */
export function hasMembers(context: WorkflowContext | undefined | null): context is WorkflowContext {
  return context !== undefined && context !== null && Object.keys(context).length > 0;
}
