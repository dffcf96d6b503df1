import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { McpApplication, type Observation, type WatchedValue } from 'toolwright';
import { LineProcess, WITH_PACKAGE } from '../../support/line-process.ts';
import { QueueModule } from '../../support/queue-module.ts';
import { usePostgres, useRedis } from '../../support/services/use-services.ts';
import { sharedQueues } from '../../support/shared-queues.ts';
import { filledIn, TaskRequests } from '../../support/task-requests.ts';

const PROGRAM = fileURLToPath(new URL('../../support/queue-worker.ts', import.meta.url));
const SHIFTED_CLOCK = new URL('../../support/shifted-clock.mjs', import.meta.url).href;
/** Each test starts processes, and waits for leases. */
const TIMEOUT = 60_000;

const servers = { Redis: useRedis(), PostgreSQL: usePostgres() };

let folder: string;
let name: string;
let effects: string;
const processes: LineProcess[] = [];
const instances: McpApplication[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workers-'));
  effects = join(folder, 'effects');
  name = `work_${randomBytes(6).toString('hex')}`;
});

afterEach(async () => {
  for (const each of processes.splice(0)) {
    each.kill('SIGCONT');
    each.kill('SIGKILL');
    await each.ended;
  }
  await Promise.all(instances.splice(0).map((app) => app.close()));
  await rm(folder, { recursive: true });
});

async function work(url: string, way = '', hoursAhead = 0): Promise<LineProcess> {
  const started = new LineProcess({
    args: [...WITH_PACKAGE, '--import', SHIFTED_CLOCK, PROGRAM, url, name, effects, way],
    env: { CLOCK_SHIFT: String(hoursAhead * 3_600_000) },
  });
  processes.push(started);
  await started.line('stdout', 'works');
  return started;
}

async function clientOf(url: string): Promise<TaskRequests> {
  const app = await McpApplication.create(QueueModule, sharedQueues(url, name));
  instances.push(app);
  return new TaskRequests(app.fetch);
}

async function done(): Promise<readonly string[]> {
  return (await readFile(effects, 'utf8')).trim().split('\n');
}

async function kill(process: LineProcess): Promise<void> {
  process.kill('SIGKILL');
  await process.ended;
}

describe.each(Object.entries(servers))('workers on %s', (_name, server) => {
  test(
    'The work of a killed worker goes on at another one whatever its clock said, and no step is repeated',
    async () => {
      const client = await clientOf(server.url);
      const first = await work(server.url, 'holds', 1);
      const taskId = await client.begin('reports_send', { label: 'a' });
      await first.line('stdout', 'holds send a');
      await kill(first);
      await work(server.url);
      const other = await clientOf(server.url);
      expect(await other.end(taskId)).toMatchObject({
        result: { content: [{ text: 'render a done, post a done' }] },
      });
      expect(await done()).toEqual(['render a', 'post a']);
    },
    TIMEOUT,
  );

  test(
    'A destructive call whose worker is killed is not run again',
    async () => {
      const client = await clientOf(server.url);
      const first = await work(server.url, 'holds');
      const taskId = await client.begin('reports_remove', { label: 'a' });
      await first.line('stdout', 'holds remove a');
      await kill(first);
      await work(server.url);
      expect(await client.end(taskId)).toMatchObject({
        result: { isError: true, _meta: { 'toolwright/error': { code: 'OUTCOME_UNKNOWN' } } },
      });
      expect(await done()).toEqual(['remove a']);
    },
    TIMEOUT,
  );

  test(
    'A worker that was paused past its lease does and writes nothing more',
    async () => {
      const client = await clientOf(server.url);
      const late = await work(server.url, 'holds');
      const taskId = await client.begin('reports_send', { label: 'a' });
      await late.line('stdout', 'holds send a');
      late.kill('SIGSTOP');
      await work(server.url);
      const ended = await client.end(taskId);
      late.kill('SIGCONT');
      late.write('go on');
      const again = await client.begin('reports_write', { label: 'b' });
      await client.end(again);
      expect(await client.get(taskId)).toEqual(ended);
      expect((await done()).filter((effect) => effect === 'post a')).toHaveLength(1);
    },
    TIMEOUT,
  );

  test(
    'A question is answered at another instance, and SIGTERM hands the task to another worker',
    async () => {
      const client = await clientOf(server.url);
      const first = await work(server.url, 'holds');
      const taskId = await client.begin('reports_ask', { label: 'a' });
      const other = await clientOf(server.url);
      const { inputRequests } = await other.until(taskId, 'input_required');
      await other.update(taskId, {
        [Object.keys(inputRequests as object)[0] ?? '']: filledIn({ word: 'yes' }),
      });
      await first.line('stdout', 'holds ask a');
      first.kill('SIGTERM');
      // It cut what still ran
      expect(await first.ended).toBe(1);
      await work(server.url);
      expect(await client.end(taskId)).toMatchObject({ result: { content: [{ text: 'a: yes' }] } });
    },
    TIMEOUT,
  );

  test(
    'Metrics say how many tasks wait, for how long the oldest does, and when a worker was reached',
    async () => {
      let read: () => Promise<readonly WatchedValue[]> = () => Promise.resolve([]);
      const gauges = async (): Promise<Record<string, number>> =>
        Object.fromEntries((await read()).map(({ name: gauge, value }) => [gauge, value]));
      const app = await McpApplication.create(QueueModule, {
        ...sharedQueues(server.url, name),
        telemetry: {
          spans: [],
          begin: () => NOTHING_OBSERVED,
          add: () => undefined,
          record: () => undefined,
          watch: (values) => {
            read = values;
            return () => undefined;
          },
        },
      });
      instances.push(app);
      const client = new TaskRequests(app.fetch);
      const before = Date.now();
      const first = await client.begin('reports_write', { label: 'a' });
      const between = Date.now();
      // So that the second one is younger
      while (Date.now() - between < 50) await new Promise((resolve) => setImmediate(resolve));
      const second = await client.begin('reports_write', { label: 'b' });
      const { 'toolwright.queue.oldest': oldest = 0, ...others } = await gauges();
      expect(others).toEqual({ 'toolwright.queue.waiting': 2 });
      expect(oldest * 1000).toBeLessThanOrEqual(Date.now() - before);
      expect(oldest).toBeGreaterThanOrEqual(0.05);
      const working = await app.work({ queues: ['reports'], signals: false });
      await Promise.all([client.end(first), client.end(second)]);
      expect(await gauges()).toEqual({
        'toolwright.queue.waiting': 0,
        'toolwright.queue.oldest': 0,
        'toolwright.worker.heartbeat': expect.closeTo(Date.now() / 1000, -1),
      });
      await working.close();
    },
    TIMEOUT,
  );
});

const NOTHING_OBSERVED: Observation = {
  run: (work) => work(),
  enter: (_part, work) => work(),
  leave: (_part, work) => work(),
  inject: (params) => params,
  detach: () => undefined,
  end: () => undefined,
};
