import { trace } from '@opentelemetry/api';
import { refuseOptions } from '../errors/option-errors.ts';
import type { Telemetry } from '../index.ts';
import { Instruments } from './instruments.ts';
import { ObservedCall, observeNotification, oldestCalls, type Observer } from './observed-call.ts';
import { OPEN_TELEMETRY_RULES, type OpenTelemetryOptions } from './options.ts';

/**
 * Observes an application with OpenTelemetry: a span for each request, and metrics, by the conventions for MCP. The
 * application brings the SDK, and the context manager that makes the spans of handlers children.
 *
 * @throws ToolwrightError `TW_APPLICATION_OPTION`
 * @example
 * const telemetry = openTelemetry({ spans: ['handler'], attributes: { tenant: true } });
 * const app = await McpApplication.create(AppModule, { telemetry });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  refuseOptions('TW_APPLICATION_OPTION', 'openTelemetry()', options, OPEN_TELEMETRY_RULES);
  const { tracerProvider = trace, meterProvider, spans = [] } = options;
  const instruments = new Instruments(meterProvider);
  const observer: Observer = {
    options,
    instruments,
    tracer: tracerProvider.getTracer('toolwright'),
    codes: new Set(),
    tenants: new Set(),
    running: new Set(),
    shown: new Map(),
  };
  let isWatched = false;
  return Object.freeze({
    spans: Object.freeze([...spans]),
    begin: (request) => {
      if (!isWatched) instruments.watch(async () => oldestCalls(observer));
      isWatched = true;
      return new ObservedCall(request, observer);
    },
    notified: (notification) => observeNotification(notification, observer),
    add: (...counted) => instruments.add(...counted),
    record: (...measured) => instruments.record(...measured),
    watch: (read) => instruments.watch(read),
  } satisfies Telemetry);
}
