import { Logger, StderrLogger, type LogFunction, type LogRecord } from '../../index.ts';
import { isWorkflowError, redact } from '../domain/errors/workflow-error.ts';

export interface Observers {
  readonly logger: Logger;
  readonly tracer?: WorkflowTracer | undefined;
  readonly clock: Clock;
}

/** The logger for the value of a `logger` option. Default: warnings and errors on stderr. */
export function loggerOf(given: Logger | LogFunction | undefined): Logger {
  return typeof given === 'function' ? new FunctionLogger(given) : (given ?? new StderrLogger());
}

/** Passes its records to a function. */
export class FunctionLogger extends Logger {
  constructor(private readonly write: LogFunction) {
    super();
  }

  log(record: LogRecord): void {
    this.write(record);
  }
}

/** Runs a use case and reports it with one log record and one span. Neither can make it fail. */
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

/** Ignores errors of an observer: it must not fail the call, and its failure cannot be reported anywhere. */
export function undisturbed<Result>(watch: () => Result): Result | undefined {
  try {
    return watch();
  } catch {
    return undefined;
  }
}

/** Milliseconds since 1970. */
export type Clock = () => number;

/** The attributes of a span; never the content of workflows or outputs. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The span of one call. */
export interface WorkflowSpan {
  /** Called once; a failed call passes its error. */
  end(error?: unknown): void;
}

/**
 * Traces the use cases.
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
  /** Begins the span of one operation; its end is reported to the span. */
  startSpan(name: string, attributes: SpanAttributes): WorkflowSpan;
}
