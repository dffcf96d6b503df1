import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';

@ToolGroup('work')
class WorkController {
  @Action('Answers at once')
  ping(): string {
    return 'pong';
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

const metrics = new PrometheusExporter({ preventServerStart: true });
const telemetry = openTelemetry({ meterProvider: new MeterProvider({ readers: [metrics] }) });
const app = await McpApplication.create(WorkModule, { telemetry, operations: { port: 0, metrics } });
const { operationsUrl } = await app.stdio();
process.stderr.write(`operations at ${String(operationsUrl)}\n`);
