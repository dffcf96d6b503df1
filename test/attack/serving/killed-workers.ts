import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { McpApplication } from 'toolwright';
import { WITH_PACKAGE } from '../../support/line-process.ts';
import { QueueModule } from '../../support/queue-module.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import { sharedQueues } from '../../support/shared-queues.ts';
import { TaskRequests } from '../../support/task-requests.ts';
import type { AttackRow, Target } from '../attack.ts';

const WORKER = fileURLToPath(new URL('../../support/queue-worker.ts', import.meta.url));
const WORKERS = 2;
const NAME = 'killed-workers';
const ENDS: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** Kills workers at random moments: every task ends once, finished steps and destructive calls are not repeated. */
export async function killWorkers(
  count: number,
  kills: number,
  { progress }: Pick<Target, 'progress'>,
): Promise<AttackRow> {
  await using redis = await OwnRedis.start();
  const folder = await mkdtemp(join(tmpdir(), 'killed-workers-'));
  const effects = join(folder, 'effects');
  await writeFile(effects, '');
  const start = (): ChildProcess =>
    spawn(process.execPath, [...WITH_PACKAGE, WORKER, redis.url, NAME, effects], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  const workers = Array.from({ length: WORKERS }, start);
  const app = await McpApplication.create(QueueModule, sharedQueues(redis.url, NAME));
  try {
    const begun = performance.now();
    const client = new TaskRequests(app.fetch);
    const killing = (async () => {
      for (let killed = 0; killed < kills; killed += 1) {
        await after(500 + Math.random() * 1500);
        const turn = Math.floor(Math.random() * WORKERS);
        workers[turn]?.kill('SIGKILL');
        workers[turn] = start();
        progress(`${String(killed + 1)} of ${String(kills)} workers killed`);
      }
    })();
    const tasks: string[] = [];
    // Spread over the time in which workers are killed
    const pause = (kills * 1250) / count;
    for (let index = 0; index < count; index += 1) {
      const tool = index % 3 === 0 ? 'reports_remove' : 'reports_send';
      tasks.push(await client.begin(tool, { label: `task-${String(index)}` }));
      await after(pause);
    }
    await killing;
    const ends = await Promise.all(tasks.map((taskId) => endOf(client, taskId)));
    const done = (await readFile(effects, 'utf8')).trim().split('\n');
    const twice = done.length - new Set(done).size;
    const counts = [...new Set(ends)].map(
      (end) => `${String(ends.filter((each) => each === end).length)} ${end}`,
    );
    const note = `${counts.join(', ')}; ${String(twice)} of ${String(done.length)} effects twice`;
    const name = `${String(count)} tasks, ${String(kills)} workers killed`;
    return { name, bytes: 0, milliseconds: performance.now() - begun, note };
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** How a task ended. */
async function endOf(client: TaskRequests, taskId: string): Promise<string> {
  for (;;) {
    const { status, result } = await client.get(taskId);
    if (ENDS.includes(status)) return `${String(status)}${codeIn(result)}`;
    await after(200);
  }
}

function codeIn(result: unknown): string {
  const { _meta: meta } = (result ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> };
  const { code } = (meta?.['toolwright/error'] ?? {}) as { readonly code?: string };
  return code === undefined ? '' : ` with ${code}`;
}
