import type { Logger, LogRecord } from '../../index.ts';
import { isWorkflowError } from '../domain/errors/is-workflow-error.ts';
import { redact } from '../domain/errors/redact.ts';
import type { Clock } from './ports/clock.ts';
import type { SpanAttributes, WorkflowTracer } from './ports/workflow-tracer.ts';
import { traceCall } from './trace-call.ts';
import { undisturbed } from './undisturbed.ts';

export interface Observers {
  readonly logger: Logger;
  readonly tracer?: WorkflowTracer | undefined;
  readonly clock: Clock;
}

/** Runs a use case; one log record and one span tell how it went. Neither can disturb it. */
export async function observeCall<Result>(
  { logger, tracer, clock }: Observers,
  operation: string,
  subject: SpanAttributes,
  run: () => Promise<Result>,
): Promise<Result> {
  const start = clock();
  const report = (outcome: LogRecord): void => {
    const durationMs = clock() - start;
    undisturbed(() => logger.log({ ...outcome, operation, ...subject, durationMs }));
  };
  try {
    const result = await traceCall(tracer, `workflow.${operation}`, subject, run);
    report({ level: 'debug', event: 'workflow.served', message: `${operation} was answered.` });
    return result;
  } catch (error) {
    report(describeFailure(operation, error));
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
