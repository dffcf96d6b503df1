import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, NoopSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Injectable, Logger, McpApplication, Module, type ApplicationOptions, type Class } from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { OrderModule } from './order.module.ts';

@Injectable()
class Books {
  constructor(readonly logger: Logger) {}
}
/** The same, with a class that might log. */
@Module({ imports: [OrderModule], providers: [Books] })
class LoggingModule {}

function meterProvider(): MeterProvider {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  return new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
}

function tracerProvider(): BasicTracerProvider {
  return new BasicTracerProvider({ spanProcessors: [new NoopSpanProcessor()] });
}

/** What watches the calls; what is written goes nowhere. */
const KINDS: Readonly<Record<string, () => ApplicationOptions>> = {
  log: () => ({ accessLog: true, logger: () => undefined }),
  metrics: () => ({ telemetry: openTelemetry({ meterProvider: meterProvider() }) }),
  all: () => ({
    telemetry: openTelemetry({ meterProvider: meterProvider(), tracerProvider: tracerProvider() }),
  }),
  logger: () => ({}),
};

const [kind = ''] = process.argv.slice(2);
const module: Class = kind === 'logger' ? LoggingModule : OrderModule;
const app = await McpApplication.create(module, { name: 'orders', version: '1.0.0', ...KINDS[kind]?.() });
const { url } = await app.listen({ port: 0, sessions: false });
process.send?.({ url });
