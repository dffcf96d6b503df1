import { expect, test } from '@jest/globals';
import { StoreHealth } from '../../../src/backplane/shared/store-health.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

test('a store that refuses some uses and takes others is logged once, and once when all work again', () => {
  const logger = new MemoryLogger();
  let now = 0;
  const health = new StoreHealth('Writing', logger, 10_000, () => now);
  const levels = (): readonly string[] => logger.records.map(({ level }) => level);
  for (; now < 60_000; now += 500) {
    health.failed(new Error('full'));
    health.worked();
  }
  expect(levels()).toEqual(['error']);
  now += 10_000;
  health.worked();
  health.worked();
  expect(levels()).toEqual(['error', 'notice']);
  health.failed(new Error('full'));
  expect(levels()).toEqual(['error', 'notice', 'error']);
});
