import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { OwnPostgres } from '../../support/services/own-postgres.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import { startServer, type ServeOptions } from '../attacked-server.ts';
import type { ServeShop } from '../faults/cluster.ts';
import { runFaultyRow, type FaultyRun } from '../faults/run-faults.ts';

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
    const runs: FaultyRun[] = [
      { store: redis.url, name: 'kill -9 on Redis', count: 20, fault: kill },
      { store: redis.url, name: 'SIGTERM on Redis', count: 10, fault: stop },
      { store: redis.url, name: 'restarts of Redis', count: 20, fault: restarting(redis, PAUSE, 1000) },
      {
        store: redis.url,
        name: 'restarts of Redis in a minute',
        count: 200,
        fault: restarting(redis, 200, 0),
        // A call may wait until Redis stays.
        timeout: 90_000,
      },
      { store: postgres.url, name: 'kill -9 on PostgreSQL', count: 20, fault: kill },
      { store: postgres.url, name: 'SIGTERM on PostgreSQL', count: 10, fault: stop },
      {
        store: postgres.url,
        name: 'pg_terminate_backend of all',
        count: 12,
        fault: terminating(postgres),
      },
      ...[redis, postgres].flatMap(({ url }) => withOddProcesses(url, target)),
    ];
    const rows: AttackRow[] = [];
    for (const { name, count: full, ...run } of runs) {
      const count = target.isQuick ? 3 : full;
      rows.push(await runFaultyRow({ name: `${String(count)} × ${name}`, count, ...run }, target));
    }
    return rows;
  },
};

/** Runs in which a process differs from the others: its clock goes wrong, or it is of another version. */
function withOddProcesses(store: string, target: Target): readonly FaultyRun[] {
  const { build, beside } = target;
  const name = store.startsWith('redis') ? 'Redis' : 'PostgreSQL';
  const clock = (hours: number): FaultyRun => ({
    ...{ store, count: 10, fault: kill },
    name: `kill -9 on ${name}, a replica and a worker ${String(hours)} h off`,
    serve: (options, index) => target.serve('shop', index % 3 === 1 ? shiftClock(options, hours) : options),
  });
  const changing = (what: string, start: StartVersion): FaultyRun => ({
    ...{ store, count: 20, fault: stop, name: `SIGTERM on ${name}, each process ${what} again` },
    serve: alternating(start),
  });
  const shops = changing('the other version of the shop', (isOther, { environment }) =>
    target.serve('shop', { environment: { ...environment, SHOP_VERSION: isOther ? '2' : '1' } }),
  );
  const runs = [clock(1), clock(-1), shops];
  if (beside === undefined) return runs;
  const packages = changing('the other version of the package', (isOther, options) =>
    startServer(isOther ? beside : build, 'shop', options),
  );
  return [...runs, packages];
}

type StartVersion = (isOther: boolean, options: ServeOptions) => ReturnType<ServeShop>;

/** A process takes the other version each time it starts: a release is rolled out and back, one after the other. */
function alternating(start: StartVersion): ServeShop {
  const starts = new Map<number, number>();
  return (options, index) => {
    const count = (starts.get(index) ?? index) + 1;
    starts.set(index, count);
    return start(count % 2 === 1, options);
  };
}

function shiftClock({ environment }: ServeOptions, hours: number): ServeOptions {
  const CLOCK_SHIFT = String(hours * 3_600_000);
  return {
    nodeOptions: ['--import', '../support/shifted-clock.mjs'],
    environment: { ...environment, CLOCK_SHIFT },
  };
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

/** @param pause before it, in milliseconds, and at most `down` until it is there again */
function restarting(redis: OwnRedis, pause: number, down: number): Fault {
  return async () => {
    await after(pause);
    await redis.kill();
    await after(Math.random() * down);
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
