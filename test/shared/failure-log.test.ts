import { expect, test } from '@jest/globals';
import { FailureLog } from '../../src/shared/failure-log.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

const TEXTS = { event: 'audit.store-failed', fails: 'It fails', works: 'It works' } as const;
const fault = new Error('full');

test('logs a failure once, and once that it works again', () => {
  const logger = new MemoryLogger();
  let now = 7;
  const log = new FailureLog(TEXTS, { now: () => now });
  log.worked(logger);
  expect([log.isFailing, log.since]).toEqual([false, undefined]);
  log.failed(fault, logger);
  now = 9;
  log.failed(fault, logger);
  expect([log.isFailing, log.since]).toEqual([true, 7]);
  log.worked(logger);
  log.worked(logger);
  expect(log.isFailing).toBe(false);
  expect(logger.records).toEqual([
    { level: 'error', event: 'audit.store-failed', message: 'It fails', error: fault },
    { level: 'notice', event: 'audit.store-failed', message: 'It works' },
  ]);
});

test('says further failures where they are wanted, and nothing of the end where it has no text', () => {
  const logger = new MemoryLogger();
  const log = new FailureLog({
    ...{ event: 'task.store-failed', fails: 'It fails', level: 'warning', repeats: 'debug' },
    facts: (cause) => ({ taskId: 'a', cause }),
  });
  log.failed(fault, logger);
  log.failed(fault, logger);
  log.worked(logger);
  log.failed(fault, logger);
  expect(logger.records.map(({ level }) => level)).toEqual(['warning', 'debug', 'warning']);
  expect(logger.records[0]).toEqual({
    ...{ level: 'warning', event: 'task.store-failed', message: 'It fails', taskId: 'a', cause: fault },
  });
});
