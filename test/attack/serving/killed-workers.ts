import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { McpApplication } from 'toolwright';
import { WITH_PACKAGE } from '../../support/line-process.ts';
import { QueueModule } from '../../support/queue-module.ts';
import { sharedQueues } from '../../support/shared-queues.ts';
import { TaskRequests } from '../../support/task-requests.ts';
import type { AttackRow, Target } from '../attack.ts';
import { inParallel } from './requests.ts';

const WORKER = fileURLToPath(new URL('../../support/queue-worker.ts', import.meta.url));
const WORKERS = 3;
const NAME = 'killed_workers';
const ENDS: readonly unknown[] = ['completed', 'failed', 'cancelled'];
/** Milliseconds after the last kill in which every task must have ended. */
const PATIENCE = 300_000;

export interface KilledWorkers {
  readonly store: string;
  readonly url: string;
  readonly count: number;
  readonly kills: number;
}

/** How a task ended. */
interface TaskEnd {
  readonly end: string;
  /** From its creation to its last change, in milliseconds. */
  readonly waited: number;
  /** What it must have left, if it succeeded. */
  readonly effect: string;
}

/** Kills workers at random moments: every task ends once, and destructive calls are not repeated. */
export async function killWorkers(
  { store, url, count, kills }: KilledWorkers,
  { progress }: Pick<Target, 'progress'>,
): Promise<AttackRow> {
  const folder = await mkdtemp(join(tmpdir(), 'killed-workers-'));
  const effects = join(folder, 'effects');
  await writeFile(effects, '');
  const options = sharedQueues(url, NAME);
  // None makes room for another one, and none is forgotten
  const tasks = { ...options.tasks, ttl: 3_600_000, maxTasksWithoutOwner: count, maxTasks: 2 * count };
  const app = await McpApplication.create(QueueModule, { ...options, tasks });
  const start = (): ChildProcess =>
    spawn(process.execPath, [...WITH_PACKAGE, WORKER, url, NAME, effects], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  const workers = Array.from({ length: WORKERS }, start);
  try {
    const begun = performance.now();
    const killing = (async () => {
      for (let killed = 0; killed < kills; killed += 1) {
        await after(500 + Math.random() * 1500);
        const turn = Math.floor(Math.random() * WORKERS);
        workers[turn]?.kill('SIGKILL');
        workers[turn] = start();
        progress(`${store}: ${String(killed + 1)} of ${String(kills)} workers killed`);
      }
    })();
    // Spread over the time in which workers are killed
    const ends = await runTasks(new TaskRequests(app.fetch), count, (kills * 1250) / count, killing);
    const done = (await readFile(effects, 'utf8')).trim().split('\n');
    const name = `${String(count)} tasks on ${store}, ${String(kills)} × kill -9`;
    return { name, bytes: 0, milliseconds: performance.now() - begun, ...compare(ends, done) };
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTasks(
  client: TaskRequests,
  count: number,
  pause: number,
  killing: Promise<void>,
): Promise<readonly TaskEnd[]> {
  const begun: { readonly taskId: string; readonly effect: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const isRemoval = index % 3 === 0;
    const label = `task-${String(index)}`;
    const taskId = await client.begin(isRemoval ? 'reports_remove' : 'reports_send', { label });
    begun.push({ taskId, effect: `${isRemoval ? 'remove' : 'post'} ${label}` });
    await after(pause);
  }
  await killing;
  const until = performance.now() + PATIENCE;
  const ends: TaskEnd[] = [];
  await inParallel(count, async (index) => {
    const { taskId = '', effect = '' } = begun[index] ?? {};
    ends.push({ effect, ...(await endOf(client, taskId, until)) });
  });
  return ends;
}

async function endOf(client: TaskRequests, taskId: string, until: number): Promise<Omit<TaskEnd, 'effect'>> {
  for (;;) {
    const { result: task, error } = await client.send('tasks/get', { taskId });
    const { status, result, createdAt, lastUpdatedAt } = (task ?? {}) as Readonly<Record<string, string>>;
    if (ENDS.includes(status) || performance.now() > until) {
      const end = `${status ?? `lost: ${error?.message ?? ''}`}${codeIn(result)}`;
      return { end, waited: Date.parse(lastUpdatedAt ?? '') - Date.parse(createdAt ?? '') };
    }
    await after(200);
  }
}

/** Of the steps that were cut off, the effects may be there twice. */
function compare(ends: readonly TaskEnd[], done: readonly string[]): Pick<AttackRow, 'note' | 'fault'> {
  const left = new Set(done);
  const twice = done.filter((effect, index) => done.indexOf(effect) < index);
  const removals = twice.filter((effect) => effect.startsWith('remove'));
  const counts = [...new Set(ends.map(({ end }) => end))].map(
    (name) => `${String(ends.filter(({ end }) => end === name).length)} ${name}`,
  );
  const missing = ends.filter(({ end, effect }) => end === 'completed' && !left.has(effect));
  const lost = ends.filter(({ end }) => !/^completed(?: with OUTCOME_UNKNOWN)?$/u.test(end));
  const waits = ends.map(({ waited }) => waited).filter((waited) => !Number.isNaN(waited));
  const facts = {
    'destructive effects twice': removals.length,
    'completed without effect': missing.length,
    'lost or failed': lost.length,
  };
  const note = [
    ...counts,
    ...Object.entries(facts).map(([name, count]) => `${String(count)} ${name}`),
    `${String(twice.length - removals.length)} of ${String(done.length)} effects by steps that were cut and run again`,
    `longest ${(Math.max(...waits) / 1000).toFixed(1)} s`,
  ].join(', ');
  const broken = Object.entries(facts).filter(([, count]) => count > 0);
  return { note, fault: broken.length === 0 ? undefined : broken.map(([name]) => name).join(', ') };
}

function codeIn(result: unknown): string {
  const { _meta: meta } = (result ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> };
  const { code } = (meta?.['toolwright/error'] ?? {}) as { readonly code?: string };
  return code === undefined ? '' : ` with ${code}`;
}
