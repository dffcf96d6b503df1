import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  ROOT_CONTEXT,
  type Attributes,
  type Context,
  type ContextManager,
} from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type Histogram,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

/** What `@opentelemetry/context-async-hooks` does. */
class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<Args extends unknown[], Run extends (...args: Args) => ReturnType<Run>>(
    active: Context,
    run: Run,
    self?: ThisParameterType<Run>,
    ...args: Args
  ): ReturnType<Run> {
    return this.#storage.run(active, () => run.apply(self, args));
  }
  bind<Target>(active: Context, target: Target): Target {
    if (typeof target !== 'function') return target;
    return ((...args: unknown[]): unknown =>
      this.#storage.run(active, () => (target as (...given: unknown[]) => unknown)(...args))) as Target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

/** One series of a metric, as it was exported. */
export interface Series {
  readonly attributes: Attributes;
  readonly value: number | Histogram;
}

/** A metric, as it was exported. */
export interface Exported {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'histogram' | 'gauge' | 'counter' | 'up-down counter';
  readonly dataPoints: readonly Series[];
}

function kindOf(metric: {
  readonly dataPointType: DataPointType;
  readonly isMonotonic?: boolean;
}): Exported['kind'] {
  if (metric.dataPointType === DataPointType.HISTOGRAM) return 'histogram';
  if (metric.dataPointType === DataPointType.GAUGE) return 'gauge';
  return metric.isMonotonic === true ? 'counter' : 'up-down counter';
}

/** The SDK in memory, with the providers for `openTelemetry()`. */
export class Observatory {
  readonly tracerProvider: BasicTracerProvider;
  readonly meterProvider: MeterProvider;
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #reader = new PeriodicExportingMetricReader({
    exporter: this.#metrics,
    exportIntervalMillis: 3_600_000,
  });

  constructor() {
    context.setGlobalContextManager(new AsyncContexts());
    this.tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#spans)] });
    this.meterProvider = new MeterProvider({ readers: [this.#reader] });
  }

  /** The spans that have ended since the last time. */
  takeSpans(): readonly ReadableSpan[] {
    const spans = [...this.#spans.getFinishedSpans()];
    this.#spans.reset();
    return spans;
  }

  /** All series of a metric so far. */
  async seriesOf(name: string): Promise<readonly Series[]> {
    return (await this.metric(name))?.dataPoints ?? [];
  }

  async metric(name: string): Promise<Exported | undefined> {
    return (await this.metrics()).find((metric) => metric.name === name);
  }

  /** All metrics so far. */
  async metrics(): Promise<readonly Exported[]> {
    this.#metrics.reset();
    await this.#reader.forceFlush();
    const [latest] = this.#metrics.getMetrics();
    const all = latest?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
    return all.map(({ descriptor, dataPoints, ...metric }) => ({
      name: descriptor.name,
      unit: descriptor.unit,
      kind: kindOf(metric),
      dataPoints: dataPoints as readonly Series[],
    }));
  }

  async close(): Promise<void> {
    context.disable();
    await this.tracerProvider.shutdown();
    await this.meterProvider.shutdown();
  }
}
