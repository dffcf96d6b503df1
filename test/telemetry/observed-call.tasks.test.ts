import { afterAll, afterEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { McpApplication, type Telemetry } from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { Observatory } from '../support/open-telemetry.ts';
import { QueueModule } from '../support/queue-module.ts';
import { useRedis } from '../support/services/use-services.ts';
import { sharedQueues } from '../support/shared-queues.ts';
import { TaskRequests } from '../support/task-requests.ts';

const redis = useRedis();
const front = new Observatory();
const back = new Observatory();
const apps: McpApplication[] = [];
let name: string;

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});
afterAll(() => Promise.all([front.close(), back.close()]));

async function start(telemetry: Telemetry): Promise<McpApplication> {
  const app = await McpApplication.create(QueueModule, { ...sharedQueues(redis.url, name), telemetry });
  apps.push(app);
  return app;
}

function observed({ tracerProvider, meterProvider }: Observatory): Telemetry {
  return openTelemetry({ tracerProvider, meterProvider });
}

/** Calls in one application, and runs the task in another, over Redis. */
async function runOnWorker(caller: Telemetry) {
  name = `reports-${randomUUID()}`;
  const requests = new TaskRequests((await start(caller)).fetch);
  const worker = observed(back);
  let carried: unknown;
  const telemetry: Telemetry = {
    ...worker,
    begin: (request) => {
      carried = request.callTrace;
      return worker.begin(request);
    },
  };
  await (await start(telemetry)).work();
  back.takeSpans();
  await requests.end(await requests.begin('reports_write', { label: 'a' }));
  const call = front.takeSpans().find((span) => span.name === 'tools/call reports_write');
  const run = back.takeSpans().find((span) => span.name === 'toolwright.task reports_write');
  return { call, run, carried };
}

test('the run of a task in another process is a span that links to its call', async () => {
  const { call, run, carried } = await runOnWorker(observed(front));
  expect(call?.attributes['toolwright.result.type']).toBe('task');
  expect(Object.keys(carried as object)).toEqual(['traceparent']);
  expect(run?.parentSpanContext).toBeUndefined();
  expect(run?.links.map(({ context }) => context)).toMatchObject([
    { traceId: call?.spanContext().traceId, spanId: call?.spanContext().spanId, isRemote: true },
  ]);
  expect(run?.spanContext().traceId).not.toBe(call?.spanContext().traceId);
  expect(run?.attributes).toMatchObject({
    'gen_ai.tool.name': 'reports_write',
    'toolwright.result.type': 'complete',
  });
  // A request is measured where it was answered
  const series = await back.seriesOf('mcp.server.operation.duration');
  expect(series.filter(({ attributes }) => attributes['mcp.method.name'] === 'tools/call')).toEqual([]);
});

const SOUND = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test.each([
  ['broken', { traceparent: 'broken', tracestate: 7, baggage: 'x' }, { traceparent: 'broken' }, 0],
  ['too long', { traceparent: '0'.repeat(513) }, {}, 0],
  ['missing', {}, {}, 0],
  [
    'with a state that is too long',
    { traceparent: SOUND, tracestate: 'a'.repeat(513) },
    { traceparent: SOUND },
    1,
  ],
])('of a trace context that is %s, what is sound crosses over', async (_, meta, kept, links) => {
  const telemetry = observed(front);
  const { run, carried } = await runOnWorker({
    ...telemetry,
    begin: (request) => Object.assign(telemetry.begin(request), { inject: () => ({ _meta: meta }) }),
  });
  expect(carried).toEqual(kept);
  expect(run?.links).toHaveLength(links);
});
