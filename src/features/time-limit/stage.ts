import { thrownName } from '../../call/thrown-message.ts';
import { ToolContext } from '../../call/tool-context.ts';
import type { ToolError } from '../../errors/tool-error.ts';
import type { Attempt, CallPlace } from '../../kernel/call/attempt.ts';
import type { CompileStage } from '../../kernel/call/stage.ts';
import { unref } from '../../shared/platform.ts';
import { limitContext, timedOut, TimeLimit } from './time-limit.ts';

/** How long an aborted handler may keep running before it is logged. */
const PATIENCE = 1000;

/**
 * Answers when the time is over, even if the handler ignores its signal. If the call has a context of the framework,
 * later stages get a copy with a signal that is aborted at that moment.
 */
export const compileTimeLimit: CompileStage = (_callable, { bound }) => {
  const timeout = bound['time-limit'] as number | undefined;
  if (timeout === undefined) return undefined;
  return (next) => (attempt) => {
    const { context, call } = attempt;
    const limit = new TimeLimit(timeout);
    call.limit = limit;
    if (context instanceof ToolContext) attempt.context = limitContext(context, limit);
    const ending = next(attempt);
    return ending instanceof Promise ? endInTime(ending, limit, timeout, attempt) : ending;
  };
};

function endInTime(
  ending: Promise<unknown>,
  limit: TimeLimit,
  timeout: number,
  attempt: Attempt,
): Promise<unknown> {
  const { cancellation } = attempt.call;
  // A cancelled call must not keep the process alive until its time is over; a shutdown cancels all calls
  const release = (): void => {
    limit.release();
  };
  return new Promise((resolve, reject) => {
    limit.start(() => {
      cancellation.offCancel(release);
      const error = timedOut(timeout, attempt.mayHaveEffect);
      reject(error);
      tellLate(ending, error, attempt);
      limit.abort(error);
    });
    cancellation.onCancel(release);
    const end = (): void => {
      cancellation.offCancel(release);
      limit.end();
    };
    ending.then(end, end);
    ending.then(resolve, reject);
  });
}

/** Logs the outcome of a call that was already answered. */
function tellLate(ending: Promise<unknown>, reason: ToolError, { place, logger }: Attempt): void {
  const label = labelOf(place);
  logger.log({ level: 'warning', event: 'call.timed-out', message: `${label}: ${reason.message}` });
  const timer = setTimeout(() => {
    const message = `${label} still runs after its time limit; hand ctx.signal to what it waits for`;
    logger.log({ level: 'warning', event: 'call.still-running', message });
  }, PATIENCE);
  unref(timer);
  const tell = (error?: unknown): void => {
    clearTimeout(timer);
    const message = `${label} ended after its time limit, and what it came to was dropped`;
    const isStopped = error === reason || thrownName(error) === 'AbortError';
    const failure = error === undefined || isStopped ? {} : { error };
    logger.log({ level: 'notice', event: 'call.late', message, ...failure });
  };
  ending.then(() => tell(), tell);
}

/** For messages: `tasks/create`, or `prompt review`. */
function labelOf({ kind, tool, name }: CallPlace): string {
  return tool === undefined ? `${kind} ${name}` : `${tool}/${name}`;
}
