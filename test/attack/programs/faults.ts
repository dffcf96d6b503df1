import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { OwnPostgres } from '../../support/services/own-postgres.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import { runFaults, type FaultyRun } from '../faults/run-faults.ts';

/** Milliseconds between two faults. */
const PAUSE = 2000;

type Fault = FaultyRun['fault'];

export const faults: AttackProgram = {
  name: 'faults',
  measures:
    'what clients of both eras notice of processes that are killed or restarted, and of stores that go away; the time is that of the longest call',
  run: async (target) => {
    await using redis = await OwnRedis.start('--appendonly', 'yes', '--appendfsync', 'always');
    await using postgres = await OwnPostgres.start();
    const runs: [store: string, name: string, count: number, fault: Fault][] = [
      [redis.url, 'kill -9 on Redis', 20, kill],
      [redis.url, 'SIGTERM on Redis', 10, stop],
      [redis.url, 'restarts of Redis', 20, restarting(redis)],
      [postgres.url, 'kill -9 on PostgreSQL', 20, kill],
      [postgres.url, 'SIGTERM on PostgreSQL', 10, stop],
      [postgres.url, 'pg_terminate_backend of all', 12, terminating(postgres)],
    ];
    const rows: AttackRow[] = [];
    for (const [store, name, full, fault] of runs) {
      const count = target.isQuick ? 3 : full;
      rows.push(await runOne({ name: `${String(count)} × ${name}`, store, count, fault }, target));
    }
    return rows;
  },
};

async function runOne(run: FaultyRun, target: Target): Promise<AttackRow> {
  const { text, faults, longest, log } = await runFaults(run, target);
  if (faults.length > 0) {
    // The table is of use, too; so it does not end here
    process.exitCode = 1;
    const file = join(tmpdir(), `${run.name.replaceAll(/\W+/gu, '-')}.log`);
    await writeFile(file, log);
    target.progress([`${run.name} must not have, see ${file}:`, ...faults].join('\n  '));
  }
  return { name: run.name, bytes: 0, milliseconds: longest, note: text };
}

/** Any process, at any moment. */
const kill: Fault = async ({ processes }) => {
  await after(Math.random() * PAUSE);
  await processes[Math.floor(Math.random() * processes.length)]?.restart('SIGKILL');
  return undefined;
};

/** One process after the other, as a new release is rolled out. */
const stop: Fault = async ({ processes }, index) => {
  const code = await processes[index % processes.length]?.restart('SIGTERM');
  return code === 0 ? undefined : `a process ended with ${String(code)} after SIGTERM`;
};

function restarting(redis: OwnRedis): Fault {
  return async () => {
    await after(PAUSE);
    await redis.kill();
    await after(Math.random() * 1000);
    await redis.startAgain();
    return undefined;
  };
}

const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;

function terminating(postgres: OwnPostgres): Fault {
  return async () => {
    await after(PAUSE);
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(TERMINATE);
    await client.end();
    return undefined;
  };
}
