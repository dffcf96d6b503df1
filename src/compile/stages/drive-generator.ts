import { describeReceived } from '../../call/issue.ts';
import { cancelledError } from '../../call/request-client.ts';

export type AnyGenerator = Generator | AsyncGenerator;

/** Reports yielded values and returns the final value; when the call is cancelled, runs the finally blocks. */
export async function driveGenerator(generator: AnyGenerator, context: unknown): Promise<unknown> {
  const { signal, progress } = (context ?? {}) as DrivingContext;
  const report = reporter(context, progress);
  try {
    for (;;) {
      refuseCancelled(signal);
      const step = await generator.next();
      if (step.done === true) return await (step.value as unknown);
      refuseCancelled(signal);
      await report(step.value);
    }
  } catch (error) {
    // a generator that has thrown is already finished; for it, this does nothing
    await runFinally(generator);
    throw error;
  }
}

/** The members of the context that generators need; plain handlers may have any context, or none. */
interface DrivingContext {
  readonly signal?: unknown;
  readonly progress?: unknown;
}

interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A finally block may yield and still has to run to its end. */
async function runFinally(generator: AnyGenerator): Promise<void> {
  let step = await generator.return(undefined);
  while (step.done !== true) step = await generator.next();
}

function refuseCancelled(signal: unknown): void {
  if (signal instanceof AbortSignal && signal.aborted) throw cancelledError(signal);
}

/** A yielded text increases the last progress, because progress has to increase with each notification. */
function reporter(context: unknown, progress: unknown): (value: unknown) => Promise<void> {
  let last = 0;
  return async (value) => {
    const report = readReport(value, last);
    if (report === undefined) return;
    last = Math.max(last, report.progress);
    if (typeof progress !== 'function') return;
    await progress.call(context, report.progress, report.total, report.message);
  };
}

function readReport(value: unknown, last: number): ProgressReport | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number') return { progress: value };
  if (typeof value === 'string') return { progress: Math.floor(last) + 1, message: value };
  if (
    typeof value === 'object' &&
    value !== null &&
    'progress' in value &&
    typeof value.progress === 'number'
  ) {
    return value as ProgressReport;
  }
  throw new TypeError(
    `A handler yields its progress: a number, a text, or { progress, total, message }; it yielded ${describeReceived(value)}`,
  );
}
