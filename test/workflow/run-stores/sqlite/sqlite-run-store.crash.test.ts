import { expect, test } from '@jest/globals';
import { KILLS, killInLanes, seed, TIMEOUT, useCrashChild } from '../crash/kill-in-lanes.ts';
import { makeSqliteStore } from '../make-sqlite-store.ts';

useCrashChild();

test(
  `a process that is killed ${KILLS} times loses and doubles no event in SQLite (TOOLWRIGHT_SEED=${seed})`,
  async () => {
    const { file, dispose } = await makeSqliteStore();
    try {
      expect(await killInLanes(`file:${file}`)).toBeGreaterThan(KILLS);
    } finally {
      await dispose();
    }
  },
  TIMEOUT,
);
