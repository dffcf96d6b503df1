import type { MaybePromise } from '../shared/maybe-promise.ts';
import { thrownName } from '../call/thrown-message.ts';
import { LimitedContext, TimeLimit, timedOut } from '../call/time-limit.ts';
import { ToolContext } from '../call/tool-context.ts';
import type { MiddlewareCall } from '../call/middleware.ts';
import type { ToolError } from '../errors/tool-error.ts';
import type { RouteOptions } from './route-options.ts';

/** A call with a time limit, as far as that has to know it. */
export interface LimitedCall {
  readonly place: Pick<MiddlewareCall, 'kind' | 'tool' | 'name'>;
  readonly context: unknown;
  /** False for what changes nothing, or nothing more when it is called again. */
  readonly mayHaveEffect: boolean;
}

/** How long a handler that was told to stop may take to do so, before the log says that it does not. */
const PATIENCE = 1000;

/**
 * Answers when the time is over, whether or not the handler listens to its signal. The work is given the context
 * whose signal is aborted then, where there is one of the framework's.
 */
export function runWithin<Result>(
  timeout: number,
  { context, place, mayHaveEffect }: LimitedCall,
  options: RouteOptions,
  work: (context: unknown) => MaybePromise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const limit = new TimeLimit(timeout, () => {
      leave();
      const error = timedOut(timeout, mayHaveEffect);
      reject(error);
      tellLate(ending, error, labelOf(place), options);
      limit.abort(error);
    });
    const given = context instanceof ToolContext ? new LimitedContext(context, limit) : context;
    const ending = startWork(() => work(given));
    const leave = releaseWhenCancelled(limit, context);
    const end = (): void => {
      leave();
      limit.end();
    };
    ending.then(end, end);
    ending.then(resolve, reject);
  });
}

/** A call that was cancelled, as all are at the end of a shutdown, does not keep the process alive until its time is over. */
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

/** What a call comes to that was answered already goes to the log and nowhere else. */
function tellLate(
  ending: Promise<unknown>,
  reason: ToolError,
  label: string,
  { logger }: RouteOptions,
): void {
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

/** A promise also of what throws at once. */
async function startWork<Result>(work: () => MaybePromise<Result>): Promise<Result> {
  return work();
}

/** For messages: `tasks/create`, or `prompt review`. */
function labelOf({ kind, tool, name }: LimitedCall['place']): string {
  return tool === undefined ? `${kind} ${name}` : `${tool}/${name}`;
}
