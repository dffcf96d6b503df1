import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createClient } from '@redis/client';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Attributes } from '@opentelemetry/api';
import type { Histogram } from '@opentelemetry/sdk-metrics';
import {
  Action,
  InMemoryTaskStore,
  InMemoryWorkQueue,
  McpApplication,
  Module,
  Policy,
  RateLimit,
  Roles,
  Scopes,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
} from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { openTelemetry } from 'toolwright/opentelemetry';
import { redisBackplane } from 'toolwright/redis';
import { authInfoOf, tokenOf, testVerifier } from '../support/callers.ts';
import { client2025, connectHttp, post2026 } from '../support/client-of-2026.ts';
import { latch } from '../support/fake-application.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Observatory, type Exported } from '../support/open-telemetry.ts';
import { QueueModule, Workshop } from '../support/queue-module.ts';
import { message, send } from '../support/raw-http.ts';
import { TaskRequests } from '../support/task-requests.ts';
import { OwnRedis } from '../support/services/own-redis.ts';

@ToolGroup('desk')
class DeskTools {
  @Action('Comes twice') @RateLimit({ limit: 2, per: 'hour', by: 'all' }) twice(): string {
    return 'twice';
  }
  @Action({ description: 'Reports', task: true }) async report(ctx: ToolContext): Promise<string> {
    await ctx.progress(1);
    return 'reported';
  }
  @Action('Needs more') @Scopes('more') more(): string {
    return 'more';
  }
  @Action('Is hidden') @Roles('chief') hidden(): string {
    return 'hidden';
  }
  @Action('Needs a good mood') @Policy(() => false) mood(): string {
    return 'good';
  }
}
@Module({ controllers: [DeskTools] })
class DeskModule {}

let sky: Observatory;
let app: McpApplication;
const logger = new MemoryLogger();

async function create(options: ApplicationOptions): Promise<McpApplication> {
  const { tracerProvider, meterProvider } = sky;
  const telemetry = openTelemetry({ tracerProvider, meterProvider });
  app = await McpApplication.create(DeskModule, { name: 'desk', logger, telemetry, ...options });
  return app;
}

beforeEach(() => {
  sky = new Observatory();
  logger.records.length = 0;
});
afterEach(async () => {
  await app.close();
  await sky.close();
});

const SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const BYTES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];
const REQUEST = [
  ...['mcp.method.name', 'mcp.protocol.version', 'gen_ai.operation.name', 'gen_ai.tool.name'],
  ...['toolwright.action.name', 'network.transport', 'network.protocol.name', 'network.protocol.version'],
];
const END = ['error.type', 'rpc.response.status_code', 'toolwright.error.code', 'toolwright.result.type'];
const STORE = ['store', 'operation'];

type Row = readonly [Exported['kind'], string, readonly string[], (readonly number[])?];

/** Every metric but those of questions and queues: its kind, its unit, the attributes that its series have among them, and its boundaries. */
const METRICS: Readonly<Record<string, Row>> = {
  'mcp.server.operation.duration': ['histogram', 's', [...REQUEST, ...END], SECONDS],
  'mcp.server.session.duration': ['histogram', 's', ['mcp.protocol.version', 'network.transport'], SECONDS],
  'toolwright.audit.lag': ['histogram', 's', [], SECONDS],
  'toolwright.auth.failures': ['counter', '{failure}', ['reason']],
  'toolwright.calls.active': ['up-down counter', '{call}', ['mcp.method.name']],
  'toolwright.limits.rejections': ['counter', '{call}', ['rule']],
  'toolwright.response.size': ['histogram', 'By', REQUEST, BYTES],
  'toolwright.sessions.active': ['up-down counter', '{session}', []],
  'toolwright.store.duration': ['histogram', 's', STORE, SECONDS],
  'toolwright.store.failures': ['counter', '{failure}', STORE],
  'toolwright.stream.duration': ['histogram', 's', [], SECONDS],
  'toolwright.streams.active': ['up-down counter', '{stream}', []],
  'toolwright.tasks': ['counter', '{task}', ['status']],
  'toolwright.views': ['counter', '{view}', []],
};

function rowOf({ kind, unit, dataPoints }: Exported): Row {
  const names = new Set(dataPoints.flatMap(({ attributes }) => Object.keys(attributes)));
  const { buckets } = (dataPoints[0]?.value ?? {}) as Partial<Histogram>;
  return [kind, unit, [...names].sort(), ...(buckets === undefined ? [] : [buckets.boundaries])] as never;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

test('there are these metrics, and no others', async () => {
  const full = () => Promise.reject(new Error('full'));
  await create({
    auth: { verify: testVerifier },
    audit: { store: new InMemoryAuditStore(), kinds: ['write'] },
    limits: { concurrency: { limit: 9 } },
    backplane: {
      open: async () => ({ tasks: new InMemoryTaskStore(), slots: Object.freeze({ take: full }) }),
    },
    secrets: ['a secret of thirty-two characters, or more'],
  });
  const { url } = await app.listen({ port: 0, signals: false });
  const ada = { authorization: `Bearer ${tokenOf({ sub: 'ada' })}` };
  const client = await connectHttp(client2025(), url, ada);
  await client.listTools();
  await until(async () => (await sky.seriesOf('toolwright.streams.active'))[0]?.value === 1);
  for (const action of ['twice', 'twice', 'twice'])
    await client.callTool({ name: 'desk', arguments: { action } });
  await post2026(url, 'tools/list');
  const called = await post2026(
    url,
    'tools/call',
    {
      name: 'desk',
      arguments: { action: 'report' },
      _meta: taskEnvelope(),
    },
    ada,
  );
  expect(called.body).toContain('taskId');
  await client.callTool({ name: 'unknown', arguments: {} }).catch(() => undefined);
  await client.request({ method: 'ping' });
  await send(url, { body: message('desk/steal'), headers: { ...ada, 'mcp-session-id': sessionOf(client) } });
  await (client.transport as StreamableHTTPClientTransport).terminateSession();
  await client.close();
  await until(async () => (await sky.seriesOf('toolwright.stream.duration')).length > 0);
  const found = await sky.metrics();
  expect(Object.fromEntries(found.map((metric) => [metric.name, rowOf(metric)]))).toEqual(
    Object.fromEntries(
      Object.entries(METRICS).map(([name, [kind, unit, names, ...others]]) => [
        name,
        [kind, unit, [...names].sort(), ...others],
      ]),
    ),
  );
});

test('what hangs is seen while it does: the oldest calls, and what waits on a queue', async () => {
  const store = new InMemoryTaskStore();
  const backplane = { tasks: store, queue: new InMemoryWorkQueue() };
  const { tracerProvider, meterProvider } = sky;
  const telemetry = openTelemetry({ tracerProvider, meterProvider });
  const secrets = ['a secret of thirty-two characters, or more'];
  app = await McpApplication.create(QueueModule, {
    logger,
    telemetry,
    backplane,
    secrets,
    tasks: { pollInterval: 20 },
  });
  const requests = new TaskRequests(app.fetch);
  const waiting = [
    await requests.begin('reports_write', { label: 'a' }),
    await requests.begin('reports_write', { label: 'b' }),
  ];
  const queue = { queue: 'reports' };
  expect(await sky.seriesOf('toolwright.queue.waiting')).toMatchObject([{ value: 2, attributes: queue }]);
  const [oldest] = await sky.seriesOf('toolwright.queue.oldest');
  expect(oldest).toMatchObject({ attributes: queue });
  expect(oldest?.value).toBeGreaterThan(0);
  expect(await sky.seriesOf('toolwright.worker.heartbeat')).toEqual([]);
  const held = latch();
  const seen = latch<Awaited<ReturnType<typeof sky.seriesOf>>>();
  app.get(Workshop).hold = async () => {
    seen.open(await sky.seriesOf('toolwright.worker.heartbeat'));
    await held.promise;
  };
  const work = await app.work({ queues: ['reports'], signals: false });
  const [beat] = await seen.promise;
  expect(beat).toMatchObject({ attributes: queue });
  expect(Math.abs(Number(beat?.value) - Date.now() / 1000)).toBeLessThan(600);
  held.open();
  for (const task of waiting) await requests.end(task);
  expect(await sky.seriesOf('toolwright.queue.waiting')).toMatchObject([{ value: 0, attributes: queue }]);
  const [last] = await sky.seriesOf('toolwright.worker.heartbeat');
  await work.close();
  expect(await sky.seriesOf('toolwright.worker.heartbeat')).toMatchObject([{ value: last?.value }]);
});

test('the oldest running call is measured for each action, and metrics name so many tenants', async () => {
  const held = latch();
  const begun = latch();
  @ToolGroup('desk')
  class SlowTools {
    @Action('Waits') async wait(): Promise<string> {
      begun.open();
      await held.promise;
      return 'waited';
    }
    @Action('Says hello') hello(): string {
      return 'hello';
    }
  }
  @Module({ controllers: [SlowTools] })
  class SlowModule {}
  const { tracerProvider, meterProvider } = sky;
  const telemetry = openTelemetry({ tracerProvider, meterProvider, metricTenants: 1 });
  app = await McpApplication.create(SlowModule, { logger, telemetry });
  const waiting = app.call('desk', { action: 'wait' });
  await begun.promise;
  for (const tenant of ['acme', 'umbrella', 'acme'])
    await app.call(
      'desk',
      { action: 'hello' },
      { authInfo: { ...authInfoOf({ sub: 'ada' }), extra: { sub: 'ada', tenant } } },
    );
  expect(await sky.seriesOf('toolwright.calls.oldest')).toMatchObject([
    {
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'desk',
        'toolwright.action.name': 'wait',
      },
    },
  ]);
  held.open();
  await waiting;
  expect(await sky.seriesOf('toolwright.calls.oldest')).toMatchObject([{ value: 0 }]);
  const series = await sky.seriesOf('mcp.server.operation.duration');
  const counts = series.map(({ attributes, value }) => [
    attributes['toolwright.tenant'],
    (value as Histogram).count,
  ]);
  expect(counts).toEqual([
    ['acme', 2],
    ['_OTHER', 1],
    [undefined, 1],
  ]);
});

function sessionOf({ transport }: { readonly transport?: unknown }): string {
  return String((transport as StreamableHTTPClientTransport).sessionId);
}

/** The metadata of a 2026 client that takes tasks. */
function taskEnvelope(): object {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  };
}

async function reasons(): Promise<object> {
  const series = await sky.seriesOf('toolwright.auth.failures');
  return Object.fromEntries(series.map(({ attributes, value }) => [String(attributes['reason']), value]));
}

test('callers who may not do what they ask for are counted, wherever they call', async () => {
  await create({
    auth: { verify: testVerifier, local: () => authInfoOf({ sub: 'ada' }) },
  });
  const call = (action: string) => app.call('desk', { action });
  expect((await call('more')).isError).toBe(true);
  expect((await call('mood')).isError).toBe(true);
  expect(await reasons()).toEqual({ insufficient_scope: 1, forbidden: 1 });
});

test('a caller of this machine who cannot be verified is counted', async () => {
  await create({
    auth: {
      verify: testVerifier,
      local: () => {
        throw new Error('who is it?');
      },
    },
  });
  expect((await app.call('desk', { action: 'twice' })).isError).toBe(true);
  expect(await reasons()).toEqual({ unverified: 1 });
});

test('a Redis that hangs: calls are counted here, the failure is measured, and logged once', async () => {
  await using redis = await OwnRedis.start();
  const client = createClient({ url: redis.url });
  await create({
    auth: { verify: testVerifier, local: 'trusted' },
    backplane: redisBackplane({ client }),
    secrets: ['a secret of thirty-two characters, or more'],
  });
  const call = async () => (await app.call('desk', { action: 'twice' })).isError === true;
  expect(await call()).toBe(false);
  await redis.suspend();
  // By the rule of this process, which has counted none yet
  expect([await call(), await call(), await call()]).toEqual([false, false, true]);
  const failures = async (): Promise<readonly Attributes[]> => {
    const series = await sky.seriesOf('toolwright.store.failures');
    return series.map(({ attributes }) => attributes).filter(({ store }) => store === 'limits');
  };
  // The store gives up a moment after its question was given up here
  await until(async () => (await failures()).length > 0);
  expect(await failures()).toEqual([{ store: 'limits', operation: 'charge' }]);
  const events = logger.records.filter(({ level }) => level === 'error').map(({ event }) => event);
  expect(events.filter((event) => event === 'limits.store-failed')).toHaveLength(1);
  expect(events.filter((event) => event === 'backplane.store-failed').length).toBeLessThanOrEqual(1);
  await redis.resume();
});
