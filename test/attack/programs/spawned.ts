import { OwnPostgres } from '../../support/services/own-postgres.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import type { AttackProgram, AttackRow } from '../attack.ts';
import { runSpawned } from '../faults/spawned-shops.ts';

export const spawned: AttackProgram = {
  name: 'spawned',
  measures:
    'what clients over stdio notice of servers that are killed and of stores that restart; the time is that of the longest call',
  run: async (target) => {
    await using redis = await OwnRedis.start('--appendonly', 'yes', '--appendfsync', 'always');
    await using postgres = await OwnPostgres.start();
    const count = target.isQuick ? 3 : 20;
    const rows: AttackRow[] = [];
    for (const role of ['stdio', 'attached'] as const) {
      for (const [store, { url }] of Object.entries({ Redis: redis, PostgreSQL: postgres })) {
        const name = `${String(count)} × kill -9 of a server, ${role} on ${store}`;
        rows.push(await runSpawned({ name, store: url, count, role }, target));
      }
      const restartRedis = async (): Promise<undefined> => {
        await redis.kill();
        await redis.startAgain();
      };
      const restartPostgres = async (): Promise<undefined> => {
        await postgres.kill();
        await postgres.restart();
      };
      for (const [store, url, fault] of [
        ['Redis', redis.url, restartRedis],
        ['PostgreSQL', postgres.url, restartPostgres],
      ] as const) {
        const name = `${String(count)} × restart of ${store}, ${role}`;
        rows.push(await runSpawned({ name, store: url, count, role, fault }, target));
      }
    }
    return rows;
  },
};
