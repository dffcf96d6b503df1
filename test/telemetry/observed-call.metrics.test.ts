import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider, type Histogram } from '@opentelemetry/sdk-metrics';
import {
  Action,
  Concurrency,
  InMemoryTaskStore,
  McpApplication,
  Module,
  RateLimit,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type AuthInfo,
} from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { client2025, client2026, connectHttp } from '../support/client-of-2026.ts';
import { Observatory, type Series } from '../support/open-telemetry.ts';
import { message, send } from '../support/raw-http.ts';
import { TaskRequests } from '../support/task-requests.ts';

@ToolGroup('desk')
class DeskTools {
  @Action('Says hello')
  hello(): string {
    return 'hello';
  }
  @Action('Comes once')
  @RateLimit({ limit: 1, per: 'hour', by: 'all' })
  once(): string {
    return 'once';
  }
  @Action('Runs alone')
  @Concurrency({ limit: 1, by: 'all' })
  async alone(): Promise<string> {
    await new Promise((resolve) => (release = resolve as () => void));
    return 'alone';
  }
  @Action({ task: true })
  async report(ctx: ToolContext): Promise<string> {
    await ctx.progress(1);
    sky.tracerProvider.getTracer('inside').startSpan('inside').end();
    return 'reported';
  }
}
@Module({ controllers: [DeskTools] })
class DeskModule {}

let release = (): void => undefined;
let sky: Observatory;
let app: McpApplication;

const other = (): Promise<McpApplication> => {
  const { tracerProvider, meterProvider } = sky;
  const telemetry = openTelemetry({ tracerProvider, meterProvider });
  return McpApplication.create(DeskModule, { telemetry }).then((made) => (app = made));
};

async function start(options: ApplicationOptions = {}): Promise<string> {
  const { tracerProvider, meterProvider } = sky;
  const telemetry = openTelemetry({ tracerProvider, meterProvider });
  app = await McpApplication.create(DeskModule, { telemetry, logger: () => undefined, ...options });
  return (await app.listen({ port: 0, signals: false })).url;
}

beforeEach(() => {
  sky = new Observatory();
});
afterEach(async () => {
  await app.close();
  await sky.close();
});

const callOf = (action: string) => ({ name: 'desk', arguments: { action } });
const valueOf = async (name: string, attributes: object = {}): Promise<number | Histogram | undefined> =>
  (await sky.seriesOf(name)).find((series) => expectMatch(series, attributes))?.value;

const rulesOf = async (name: string, attribute: string): Promise<readonly unknown[]> =>
  (await sky.seriesOf(name)).map(({ attributes }) => attributes[attribute]);

/** Reads the metric until it has the value. */
async function comesTo(name: string, value: number, attributes: object = {}): Promise<void> {
  for (let turn = 0; turn < 2000 && (await valueOf(name, attributes)) !== value; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(await valueOf(name, attributes)).toBe(value);
}

function expectMatch({ attributes }: Series, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => attributes[name] === value);
}

test('requests are measured by what is offered, in seconds and the boundaries of the conventions', async () => {
  const url = await start();
  await app.call('desk', { action: 'hello' });
  const body = (name: string) => message('tools/call', { name, arguments: { action: 'hello' } });
  await send(url, { body: body('desk'), headers: { 'mcp-protocol-version': '2025-11-25' } });
  const metric = await sky.metric('mcp.server.operation.duration');
  expect(metric?.unit).toBe('s');
  const [series] = metric?.dataPoints ?? [];
  const { buckets, count } = series?.value as Histogram;
  expect(buckets.boundaries).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
  expect(count).toBe(1);
  expect(series?.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'desk',
    'toolwright.action.name': 'hello',
    'toolwright.result.type': 'complete',
  });
});

test('10,000 unknown names of tools make one series', async () => {
  await start();
  for (let index = 0; index < 10_000; index += 1) {
    await app.call(`tool-${String(index)}`, {}).catch(() => undefined);
  }
  const names = await rulesOf('mcp.server.operation.duration', 'gen_ai.tool.name');
  expect(names).toEqual(['_OTHER']);
});

test('sessions, streams and calls are counted while they last', async () => {
  const url = await start();
  const client = await connectHttp(client2025(), url);
  await comesTo('toolwright.streams.active', 1);
  expect(await valueOf('toolwright.sessions.active')).toBe(1);
  const calling = client.callTool(callOf('alone'));
  const calls = { 'mcp.method.name': 'tools/call' };
  await comesTo('toolwright.calls.active', 1, calls);
  release();
  await calling;
  expect(await valueOf('toolwright.calls.active', calls)).toBe(0);
  await (client.transport as StreamableHTTPClientTransport).terminateSession();
  await client.close();
  await comesTo('toolwright.streams.active', 0);
  expect(await valueOf('toolwright.sessions.active')).toBe(0);
  expect(await valueOf('mcp.server.session.duration')).toMatchObject({ count: 1 });
});

test('a session that gives its place to another one has a type of error', async () => {
  const app = await other();
  const { url } = await app.listen({ port: 0, signals: false, sessions: { maxSessions: 1 } });
  const first = await connectHttp(client2025(), url);
  // Its stream would keep it busy
  await first.close();
  await comesTo('toolwright.streams.active', 0);
  const second = await connectHttp(client2025(), url);
  await second.close();
  const errors = await rulesOf('mcp.server.session.duration', 'error.type');
  expect(errors).toEqual(['evicted']);
});

test('a subscription is counted until its acknowledgement, and its stream as long as it is open', async () => {
  const url = await start();
  const client = await connectHttp(client2026(), url);
  const { close } = await client.listen({ toolsListChanged: true });
  await comesTo('toolwright.streams.active', 1);
  const listens = { 'mcp.method.name': 'subscriptions/listen', 'toolwright.result.type': 'stream' };
  expect(await valueOf('mcp.server.operation.duration', listens)).toMatchObject({ count: 1 });
  await close();
  await comesTo('toolwright.streams.active', 0);
  expect(await valueOf('toolwright.stream.duration')).toMatchObject({ count: 1 });
  await client.close();
});

test('the size is that of the result as it is sent', async () => {
  await start();
  const requests = new TaskRequests((request) => app.fetch(request));
  const result = await requests.result('tools/list');
  expect(await valueOf('toolwright.response.size', { 'mcp.method.name': 'tools/list' })).toMatchObject({
    sum: Buffer.byteLength(JSON.stringify(result)),
  });
});

test('refusals of limits are counted by their rule, those of HTTP too', async () => {
  const url = await start();
  await app.call('desk', { action: 'once' });
  await app.call('desk', { action: 'once' });
  const first = app.call('desk', { action: 'alone' });
  await app.call('desk', { action: 'alone' });
  release();
  await first;
  expect(await rulesOf('toolwright.limits.rejections', 'rule')).toEqual([
    expect.stringContaining('once'),
    expect.stringContaining('alone'),
  ]);
  await app.close();
  const { url: limited } = await (
    await other()
  ).listen({
    port: 0,
    signals: false,
    requestRates: { total: { limit: 1, per: 'hour' } },
  });
  expect(url).not.toBe(limited);
  await send(limited, { body: message('tools/list') });
  expect((await send(limited, { body: message('tools/list') })).status).toBe(429);
  expect(await valueOf('toolwright.limits.rejections', { rule: 'requestRates.total' })).toBe(1);
});

test('callers that are refused are counted by the reason', async () => {
  const verify = (token: string): AuthInfo | undefined => {
    if (token === 'down') throw new Error('The database is down');
    return token === 'good' ? { token, clientId: 'a', scopes: [] } : undefined;
  };
  const url = await start({ auth: { verify: { verify } } });
  for (const authorization of [undefined, 'Bearer bad', 'Bearer bad', 'Bearer down', 'Bearer good']) {
    const headers = authorization === undefined ? {} : { authorization };
    await send(url, { body: message('tools/list'), headers });
  }
  const series = await sky.seriesOf('toolwright.auth.failures');
  expect(series.map(({ attributes, value }) => [attributes['reason'], value])).toEqual([
    ['missing_token', 1],
    ['invalid_token', 2],
    ['unavailable', 1],
  ]);
});

test('tasks are counted by status, and their runs are spans that name the call', async () => {
  await start();
  const requests = new TaskRequests((request) => app.fetch(request));
  const { taskId } = await requests.result('tools/call', callOf('report'));
  let status: unknown;
  while (status !== 'completed') ({ status } = await requests.result('tasks/get', { taskId }));
  expect(await rulesOf('toolwright.tasks', 'status')).toEqual(['working', 'completed']);
  const spans = sky.takeSpans();
  const call = spans.find(({ name }) => name === 'tools/call desk');
  const run = spans.find(({ name }) => name === 'toolwright.task desk');
  const inner = spans.find(({ name }) => name === 'inside');
  expect(call?.attributes['toolwright.result.type']).toBe('task');
  expect(run?.parentSpanContext).toBeUndefined();
  expect(run?.links.map(({ context }) => context.spanId)).toEqual([call?.spanContext().spanId]);
  expect(run?.attributes).toMatchObject({ 'gen_ai.tool.name': 'desk', 'toolwright.result.type': 'complete' });
  expect(inner?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
  expect(await valueOf('toolwright.calls.active', { 'mcp.method.name': 'tools/call' })).toBe(0);
});

test('stores are measured by their operations, and failures are counted', async () => {
  const failing = Object.freeze({ charge: () => Promise.reject(new Error('away')) });
  await start({
    limits: { rate: { limit: 10, per: 'hour' } },
    backplane: { open: async () => ({ tasks: new InMemoryTaskStore(), counter: failing }) },
    secrets: ['a secret of thirty-two characters, or more'],
  });
  await app.call('desk', { action: 'hello' });
  const requests = new TaskRequests((request) => app.fetch(request));
  await requests.result('tools/call', callOf('report'));
  expect(await valueOf('toolwright.store.failures', { store: 'limits', operation: 'charge' })).toBe(2);
  expect(await valueOf('toolwright.store.duration', { store: 'tasks', operation: 'create' })).toMatchObject({
    count: 1,
  });
});

test('Prometheus scrapes them', async () => {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  const server = createServer((request, response) => exporter.getMetricsRequestHandler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  app = await McpApplication.create(DeskModule, { telemetry: openTelemetry({ meterProvider }) });
  await app.call('desk', { action: 'hello' });
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
  expect(text).toMatch(/^mcp_server_operation_duration_count\{.*gen_ai_tool_name="desk".*\} 1/m);
  expect(text).toContain('toolwright_calls_active');
  server.close();
  await meterProvider.shutdown();
});
