import { OwnPostgres } from '../../support/services/own-postgres.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import { restartInTurn } from '../serving/rolling-restart.ts';
import { killWorkers } from '../serving/killed-workers.ts';

export const restarts: AttackProgram = {
  name: 'restarts',
  measures:
    'what clients of both eras notice while replicas on one Redis are restarted or killed, and what becomes of tasks whose workers are killed; the time is that of the longest call, of tasks that of all',
  run: async (target) => {
    const few = target.isQuick ? 3 : 30;
    return [
      await restart(few, 'SIGTERM', target),
      await restart(target.isQuick ? 3 : 50, 'SIGKILL', target),
      ...(await killAllWorkers(target)),
    ];
  },
};

async function killAllWorkers(target: Target): Promise<readonly AttackRow[]> {
  const [count, kills] = target.isQuick ? [40, 4] : [10_000, 50];
  await using redis = await OwnRedis.start();
  await using postgres = await OwnPostgres.start();
  return [
    await killWorkers({ store: 'Redis', url: redis.url, count, kills }, target),
    await killWorkers({ store: 'PostgreSQL', url: postgres.url, count, kills }, target),
  ];
}

async function restart(count: number, signal: 'SIGTERM' | 'SIGKILL', target: Target): Promise<AttackRow> {
  const { calls, failures, longest, unclean } = await restartInTurn(count, target, signal);
  const lost = Object.entries(failures).map(([what, often]) => `${String(often)} × ${what}`);
  const ends = unclean.length === 0 ? '' : `; ended with ${unclean.join(', ')}`;
  const note = `${String(calls)} calls, ${lost.length === 0 ? 'none lost' : lost.join('; ')}${ends}`;
  return { name: `${String(count)} × ${signal}`, bytes: 0, milliseconds: longest, note };
}
