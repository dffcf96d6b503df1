import type { CompileStage } from '../../compile/stages/stages.ts';
import { ToolContext } from '../../call/tool-context.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { Call } from '../call.ts';
import { slotOf } from './limits.ts';

/** Nobody knows when a call ends that runs now. */
const RETRY_AFTER = 1;

/** Runs no more calls at once than the limits of the handler allow. A call has its slots until its handler has ended. */
export const compileSlots: CompileStage = ({ limits }) => {
  const concurrent = limits.filter((limit) => limit.kind === 'concurrency');
  if (concurrent.length === 0) return undefined;
  return (next) => (attempt) => {
    // Whatever runs a handler runs it for a call of the service
    const call = attempt.run.call as Call;
    const wanted = concurrent.flatMap((limit) => slotOf(limit, call) ?? []);
    if (wanted.length === 0) return next(attempt);
    const { context } = attempt;
    const signal = (): AbortSignal => (context instanceof ToolContext ? context.signal : call.signal);
    return thenMaybe(call.limits.slotStore.take(wanted, signal), (release) => {
      if (release === undefined) throw tooMany();
      return holding(() => next(attempt), release);
    });
  };
};

/** Gives the slots back when the work has ended, however it ends. */
function holding(work: () => unknown, release: () => void): unknown {
  let ended: unknown;
  try {
    ended = work();
  } catch (thrown) {
    release();
    throw thrown;
  }
  if (!(ended instanceof Promise)) {
    release();
    return ended;
  }
  return ended.finally(release);
}

function tooMany(): ToolError {
  const message = `Too many calls are running; try again in ${String(RETRY_AFTER)} s`;
  return new ToolError('CONCURRENCY_LIMITED', message, { retryAfter: RETRY_AFTER });
}
