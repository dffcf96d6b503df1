import type { SpanAttributes, WorkflowTracer } from './ports/workflow-tracer.ts';
import { undisturbed } from './undisturbed.ts';

/** Runs something within a span of the tracer, which cannot disturb it. */
export async function traceCall<Result>(
  tracer: WorkflowTracer | undefined,
  name: string,
  attributes: SpanAttributes,
  run: () => Promise<Result>,
): Promise<Result> {
  const span = undisturbed(() => tracer?.startSpan(name, attributes));
  try {
    const result = await run();
    undisturbed(() => span?.end());
    return result;
  } catch (error) {
    undisturbed(() => span?.end(error));
    throw error;
  }
}
