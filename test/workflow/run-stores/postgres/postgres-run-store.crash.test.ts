import { expect, test } from '@jest/globals';
import { KILLS, killInLanes, seed, TIMEOUT, useCrashChild } from '../crash/kill-in-lanes.ts';
import { makePostgresStore } from '../make-postgres-store.ts';
import { usePostgres } from '../../../support/services/use-services.ts';

const server = usePostgres();
useCrashChild();

test(
  `a process that is killed ${KILLS} times loses and doubles no event in PostgreSQL (TOOLWRIGHT_SEED=${seed})`,
  async () => {
    const { connectionString, dispose } = await makePostgresStore(server.url);
    try {
      expect(await killInLanes(connectionString)).toBeGreaterThan(KILLS);
    } finally {
      await dispose();
    }
  },
  TIMEOUT,
);
