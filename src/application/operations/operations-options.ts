import type { ProblemList } from '../../errors/problem-list.ts';
import {
  either,
  filledText,
  listOf,
  objectOf,
  objectWith,
  oneOf,
  aFunction,
  positiveMilliseconds,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';

/** Where `/metrics` has its text from, in the text format of Prometheus. */
export type MetricsSource =
  /** A `PrometheusExporter` of `@opentelemetry/exporter-prometheus`. */
  | { readonly getMetricsRequestHandler: (request: never, response: never) => void }
  /** A `Registry` of `prom-client`. */
  | { metrics(): string | Promise<string>; readonly contentType?: string }
  /** A function that writes the text. */
  | (() => string | Promise<string>);

/** The stores that an instance may need so much that it wants no requests without them. */
export type RequiredStore = 'tasks' | 'sessions' | 'idempotency' | 'results';

/** When `/readyz` says that an instance wants no requests. */
export interface ReadinessOptions {
  /**
   * Stores without which an instance wants no requests. Every instance loses a shared store at the same time, so that none
   * would be left. Default: none.
   */
  readonly require?: readonly RequiredStore[];
  /** Milliseconds between two runs of a check, give or take a tenth. Default 5000. */
  readonly interval?: number;
  /** Milliseconds that a check may take, unless its `@Readiness({ timeout })` says otherwise. Default 2000. */
  readonly timeout?: number;
  /** How many times in a row a check has to fail before the instance wants no requests. Default 3. */
  readonly failures?: number;
  /**
   * Whether `/readyz` has a line for each check: its name, and why it fails, without registered secrets. Everybody who
   * reaches the port reads it. Default false.
   */
  readonly details?: boolean;
}

/** What operators of a server see of it. */
export interface OperationsOptions {
  /** Whether `GET /livez` and `GET /readyz` are answered. Default true. */
  readonly health?: boolean;
  /**
   * A port of its own for `/livez`, `/readyz` and `/metrics`, which is open while the application listens, serves stdio or
   * works; 0 lets the system choose. Default: health checks are answered beside the endpoint.
   *
   * @example
   * const app = await McpApplication.create(AppModule, { operations: { port: 9464 } });
   * const { operationsUrl } = await app.listen(3000);
   */
  readonly port?: number;
  /** The address of that port. Default: the `host` of `listen`, and 127.0.0.1 where nothing listens. */
  readonly host?: string;
  /**
   * What `/metrics` shows on that port. Default: there is no `/metrics`.
   *
   * @example
   * import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
   * import { MeterProvider } from '@opentelemetry/sdk-metrics';
   *
   * const exporter = new PrometheusExporter({ preventServerStart: true });
   * const telemetry = openTelemetry({ meterProvider: new MeterProvider({ readers: [exporter] }) });
   * const app = await McpApplication.create(AppModule, { telemetry, operations: { port: 9464, metrics: exporter } });
   */
  readonly metrics?: MetricsSource;
  /** How `@Readiness()` checks are run. Default: every 5 seconds, and three failures count. */
  readonly readiness?: ReadinessOptions;
}

const READINESS_RULES: OptionRules<ReadinessOptions> = {
  require: listOf(oneOf('tasks', 'sessions', 'idempotency', 'results')),
  interval: positiveMilliseconds,
  timeout: positiveMilliseconds,
  failures: wholeNumber(1),
  details: trueOrFalse,
};

export const OPERATIONS_RULES: OptionRules<OperationsOptions> = {
  health: trueOrFalse,
  port: wholeNumber(0, 65_535),
  host: filledText,
  metrics: either(
    objectWith('an exporter', 'getMetricsRequestHandler'),
    objectWith('a registry', 'metrics'),
    aFunction,
  ),
  readiness: objectOf(READINESS_RULES),
};

/** Reports options that have no effect, or would have another one than they seem to. */
export function checkOperations(options: OperationsOptions = {}, problems: ProblemList): void {
  const { health = true, port, host, metrics, readiness } = options;
  const report = (name: string, what: string, fix: string): void => {
    const where = `McpApplication.create(), option operations.${name}`;
    problems.add('TW_APPLICATION_OPTION', { where, what, fix });
  };
  if (port === undefined && metrics !== undefined) {
    const what = 'has no `port` beside it, and metrics are not shown to the clients of the endpoint.';
    report('metrics', what, 'operations: { port: 9464, metrics }');
  }
  if (port === undefined && host !== undefined) {
    report(
      'host',
      'has no `port` beside it.',
      `operations: { port: 9464, host: '${host}' }, or leave host out`,
    );
  }
  if (port !== undefined && !health && metrics === undefined) {
    const what = 'would have nothing to answer: `health` is false, and there are no `metrics`.';
    report('port', what, 'leave out health: false, or the port');
  }
  if (!health && readiness !== undefined) {
    report('readiness', 'has no effect: `health` is false.', 'leave out health: false, or readiness');
  }
}
