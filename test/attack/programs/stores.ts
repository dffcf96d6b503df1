import { setTimeout as after } from 'node:timers/promises';
import { OwnPostgres } from '../../support/services/own-postgres.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import type { AttackProgram, AttackRow } from '../attack.ts';
import { FaultyWire, WIRE_FAULTS } from '../../support/faulty-wire.ts';
import { runFaultyRow } from '../faults/run-faults.ts';

/** Milliseconds that the wire is faulty, and then whole. */
const PAUSE = 2000;

export const stores: AttackProgram = {
  name: 'stores',
  measures:
    'what clients of both eras notice of stores and queues that answer late, not at all, in halves, with noise, or endlessly; the time is that of the longest call',
  run: async (target) => {
    await using redis = await OwnRedis.start('--appendonly', 'yes', '--appendfsync', 'always');
    await using postgres = await OwnPostgres.start();
    const count = target.isQuick ? 2 : 10;
    const rows: AttackRow[] = [];
    for (const [store, { url }] of Object.entries({ Redis: redis, PostgreSQL: postgres })) {
      await using wire = await FaultyWire.start(url);
      for (const kind of WIRE_FAULTS) {
        const fault = async (): Promise<undefined> => {
          await after(PAUSE);
          await wire.break(kind, PAUSE);
        };
        const run = { store: wire.url, name: `${String(count)} × ${kind} on ${store}`, count, fault };
        rows.push(await runFaultyRow(run, target));
      }
    }
    return rows;
  },
};
