import { describeReceived } from '../../call/issue.ts';
import { cancelledError } from '../../call/request-client.ts';

export type AnyGenerator = Generator | AsyncGenerator;

/** What driving uses of the context of a call; plain handlers may have any context, or none. */
interface DrivingContext {
  readonly signal?: unknown;
  readonly progress?: unknown;
}

interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Reports what is yielded, gives what is returned; once the call is cancelled, runs the finally blocks. */
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
    // a generator that has thrown by itself is over, and this does nothing
    await runFinally(generator);
    throw error;
  }
}

/** A finally block that yields does not end with that. */
async function runFinally(generator: AnyGenerator): Promise<void> {
  let step = await generator.return(undefined);
  while (step.done !== true) step = await generator.next();
}

function refuseCancelled(signal: unknown): void {
  if (signal instanceof AbortSignal && signal.aborted) throw cancelledError(signal);
}

/** Texts are counted on from the last progress, which has to increase with each of them. */
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
