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
