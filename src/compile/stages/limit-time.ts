import { thrownName } from '../../call/thrown-message.ts';
import { limitContext, timedOut, TimeLimit } from '../../call/time-limit.ts';
import { ToolContext } from '../../call/tool-context.ts';
import type { ToolError } from '../../errors/tool-error.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Attempt, CallPlace, CompileStage } from './stages.ts';

/** How long an aborted handler may keep running before it is logged. */
const PATIENCE = 1000;

/**
 * Answers when the time is over, even if the handler ignores its signal. If the call has a context of the framework,
 * later stages get a copy with a signal that is aborted at that moment.
 */
export const compileTimeLimit: CompileStage = ({ timeout }) => {
  if (timeout === undefined) return undefined;
  return (next) => (attempt) =>
    new Promise((resolve, reject) => {
      const { context, run } = attempt;
      const limit = new TimeLimit(timeout, () => {
        leave();
        const error = timedOut(timeout, run.mayHaveEffect);
        reject(error);
        tellLate(ending, error, attempt);
        limit.abort(error);
      });
      if (context instanceof ToolContext) attempt.context = limitContext(context, limit);
      const ending = startWork(() => next(attempt));
      const leave = releaseWhenCancelled(limit, context);
      const end = (): void => {
        leave();
        limit.end();
      };
      ending.then(end, end);
      ending.then(resolve, reject);
    });
};

/** A cancelled call must not keep the process alive until its time is over; a shutdown cancels all calls. */
function releaseWhenCancelled(limit: TimeLimit, context: unknown): () => void {
  if (!(context instanceof ToolContext)) return () => undefined;
  const { signal } = context;
  const release = (): void => {
    limit.release();
  };
  if (signal.aborted) release();
  signal.addEventListener('abort', release);
  return () => {
    signal.removeEventListener('abort', release);
  };
}

/** Logs the outcome of a call that was already answered. */
function tellLate(ending: Promise<unknown>, reason: ToolError, { run, logger }: Attempt): void {
  const label = labelOf(run.place);
  logger.log({ level: 'warning', event: 'call.timed-out', message: `${label}: ${reason.message}` });
  const timer = setTimeout(() => {
    const message = `${label} still runs after its time limit; hand ctx.signal to what it waits for`;
    logger.log({ level: 'warning', event: 'call.still-running', message });
  }, PATIENCE).unref();
  const tell = (error?: unknown): void => {
    clearTimeout(timer);
    const message = `${label} ended after its time limit, and what it came to was dropped`;
    const isStopped = error === reason || thrownName(error) === 'AbortError';
    const failure = error === undefined || isStopped ? {} : { error };
    logger.log({ level: 'notice', event: 'call.late', message, ...failure });
  };
  ending.then(() => tell(), tell);
}

/** Turns a synchronous throw into a rejection. */
async function startWork<Result>(work: () => MaybePromise<Result>): Promise<Result> {
  return work();
}

/** For messages: `tasks/create`, or `prompt review`. */
function labelOf({ kind, tool, name }: CallPlace): string {
  return tool === undefined ? `${kind} ${name}` : `${tool}/${name}`;
}
