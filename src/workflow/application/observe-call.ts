import { Logger, StderrLogger, type LogFunction, type LogRecord } from '../../index.ts';
import { isWorkflowError, redact } from '../domain/errors/workflow-error.ts';

export interface Observers {
  readonly logger: Logger;
  readonly tracer?: WorkflowTracer | undefined;
  readonly clock: Clock;
}

/** The logger of what an option `logger` was given: warnings and worse go to stderr unless it says otherwise. */
export function loggerOf(given: Logger | LogFunction | undefined): Logger {
  return typeof given === 'function' ? new FunctionLogger(given) : (given ?? new StderrLogger());
}

/** Gives its records to a function. */
export class FunctionLogger extends Logger {
  constructor(private readonly write: LogFunction) {
    super();
  }

  log(record: LogRecord): void {
    this.write(record);
  }
}

/** Runs a use case; one log record and one span tell how it went. Neither can disturb it. */
export async function observeCall<Result>(
  { logger, tracer, clock }: Observers,
  operation: string,
  subject: SpanAttributes,
  run: () => Promise<Result>,
): Promise<Result> {
  const start = clock();
  const span = undisturbed(() => tracer?.startSpan(`workflow.${operation}`, subject));
  const report = (outcome: LogRecord, error?: unknown): void => {
    undisturbed(() => span?.end(error));
    const durationMs = clock() - start;
    undisturbed(() => logger.log({ ...outcome, operation, ...subject, durationMs }));
  };
  try {
    const result = await run();
    report({ level: 'debug', event: 'workflow.served', message: `${operation} was answered.` });
    return result;
  } catch (error) {
    report(describeFailure(operation, error), error);
    throw error;
  }
}

function describeFailure(operation: string, error: unknown): LogRecord {
  if (!isWorkflowError(error)) {
    return { level: 'error', event: 'workflow.failed', message: `${operation} failed.`, error };
  }
  const { code, message, details, retryable } = error;
  return {
    level: retryable ? 'info' : 'warning',
    event: 'workflow.refused',
    message,
    code,
    details: redact(details),
  };
}

/** An observer must not fail the call that it observes, and nobody is left to report to. */
export function undisturbed<Result>(watch: () => Result): Result | undefined {
  try {
    return watch();
  } catch {
    return undefined;
  }
}

/** Milliseconds since 1970. */
export type Clock = () => number;

/** What a span says about a call; never the content of workflows or outputs. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A call that is being traced. */
export interface WorkflowSpan {
  /** Called once, with the error of a call that failed. */
  end(error?: unknown): void;
}

/**
 * Follows the use cases, for tracing.
 *
 * @example
 * interface OpenTelemetryTracer {
 *   startSpan(name: string, options: { attributes: Record<string, string | number | boolean> }): {
 *     recordException(error: Error): void;
 *     setStatus(status: { code: number }): unknown;
 *     end(): void;
 *   };
 * }
 * const ERROR_STATUS = 2;
 *
 * function tracerOf(tracer: OpenTelemetryTracer): WorkflowTracer {
 *   return {
 *     startSpan(name, attributes) {
 *       const span = tracer.startSpan(name, { attributes: { ...attributes } });
 *       return {
 *         end(error) {
 *           if (error instanceof Error) span.recordException(error);
 *           if (error !== undefined) span.setStatus({ code: ERROR_STATUS });
 *           span.end();
 *         },
 *       };
 *     },
 *   };
 * }
 */
export interface WorkflowTracer {
  startSpan(name: string, attributes: SpanAttributes): WorkflowSpan;
}
