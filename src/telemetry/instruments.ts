import {
  metrics,
  type Attributes,
  type BatchObservableCallback,
  type Counter,
  type Histogram,
  type Meter,
  type MeterProvider,
  type MetricOptions,
} from '@opentelemetry/api';
import type { Counted, Measured as MeasuredInside, WatchedValue, Watched } from '../index.ts';

type Measured = MeasuredInside | 'mcp.server.operation.duration';

/** Seconds: conventions of MCP, `mcp.server.operation.duration`. */
const DURATIONS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const SIZES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

const COUNTERS: Readonly<Record<Counted, MetricOptions>> = {
  'toolwright.calls.active': { unit: '{call}', description: 'Requests that run' },
  'toolwright.questions.active': {
    unit: '{question}',
    description: 'Questions that clients have not answered',
  },
  'toolwright.sessions.active': { unit: '{session}', description: 'Sessions of clients up to 2025-11-25' },
  'toolwright.streams.active': { unit: '{stream}', description: 'Streams that stay open for notifications' },
  'toolwright.auth.failures': { unit: '{failure}', description: 'Requests whose caller was refused' },
  'toolwright.limits.rejections': { unit: '{call}', description: 'Calls that were refused by a limit' },
  'toolwright.tasks': { unit: '{task}', description: 'Tasks that have come to a status' },
  'toolwright.sign_in.steps': { unit: '{step}', description: 'Steps of signing in' },
  'toolwright.store.failures': { unit: '{failure}', description: 'Failures of stores' },
  'toolwright.views': { unit: '{view}', description: 'Views of the tools that were compiled' },
};

const duration = (description: string): MetricOptions => ({
  unit: 's',
  description,
  advice: { explicitBucketBoundaries: DURATIONS },
});

const HISTOGRAMS: Readonly<Record<Measured, MetricOptions>> = {
  'mcp.server.operation.duration': duration('How long requests take'),
  'mcp.client.operation.duration': duration('How long clients take to answer questions'),
  'mcp.server.session.duration': duration('How long sessions last'),
  'toolwright.stream.duration': duration('How long streams stay open'),
  'toolwright.store.duration': duration('How long stores take'),
  'toolwright.audit.lag': duration('How long records wait until the audit store has them'),
  'toolwright.response.size': {
    unit: 'By',
    description: 'How large results are',
    advice: { explicitBucketBoundaries: SIZES },
  },
};

type Gauge = Watched | 'toolwright.calls.oldest';

const GAUGES: Readonly<Record<Gauge, MetricOptions>> = {
  'toolwright.calls.oldest': { unit: 's', description: 'For how long the oldest request runs' },
  'toolwright.queue.waiting': { unit: '{task}', description: 'Tasks that wait for a worker' },
  'toolwright.queue.oldest': { unit: 's', description: 'For how long the oldest of them waits' },
  'toolwright.worker.heartbeat': { unit: 's', description: 'When its queue last answered a worker' },
};

/** A value of a gauge. */
export type GaugeReading = Omit<WatchedValue, 'name' | 'attributes'> & {
  readonly name: Gauge;
  readonly attributes: Attributes;
};

/** The metrics, made when they are first used: the SDK may be registered later than this is loaded. */
export class Instruments {
  readonly #provider: MeterProvider | undefined;
  readonly #counters = new Map<Counted, Pick<Counter, 'add'>>();
  readonly #histograms = new Map<Measured, Histogram>();
  #meter: Meter | undefined;

  readonly #watched = new Set<() => Promise<readonly GaugeReading[]>>();

  constructor(provider: MeterProvider | undefined) {
    this.#provider = provider;
  }

  /** Reads values whenever metrics are collected. @returns what ends that */
  watch(read: () => Promise<readonly GaugeReading[]>): () => void {
    this.#watched.add(read);
    this.#open();
    return () => this.#watched.delete(read);
  }

  add(name: Counted, value: number, attributes?: Attributes): void {
    let counter = this.#counters.get(name);
    if (counter === undefined) {
      const kind = name.endsWith('.active') ? 'createUpDownCounter' : 'createCounter';
      counter = this.#open()[kind](name, COUNTERS[name]);
      this.#counters.set(name, counter);
    }
    counter.add(value, attributes);
  }

  record(name: Measured, value: number, attributes?: Attributes): void {
    let histogram = this.#histograms.get(name);
    if (histogram === undefined) {
      histogram = this.#open().createHistogram(name, HISTOGRAMS[name]);
      this.#histograms.set(name, histogram);
    }
    histogram.record(value, attributes);
  }

  #open(): Meter {
    if (this.#meter !== undefined) return this.#meter;
    const meter = (this.#provider ?? metrics.getMeterProvider()).getMeter('toolwright');
    const gauges = new Map(
      Object.entries(GAUGES).map(([name, options]) => [name, meter.createObservableGauge(name, options)]),
    );
    const collect: BatchObservableCallback = async (result) => {
      const read = await Promise.all([...this.#watched].map((each) => each().catch(() => [])));
      for (const { name, value, attributes } of read.flat()) {
        const gauge = gauges.get(name);
        if (gauge !== undefined) result.observe(gauge, value, attributes);
      }
    };
    meter.addBatchObservableCallback(collect, [...gauges.values()]);
    this.#meter = meter;
    return meter;
  }
}
