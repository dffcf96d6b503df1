import { jest } from '@jest/globals';

/**
 * From now on time-outs pass only as the test says, with `jest.advanceTimersByTimeAsync`, until `jest.useRealTimers`:
 * on a busy machine they would pass while a store answers.
 */
export function stopDeadlines(): void {
  const clocks = ['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const;
  const others = ['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const;
  jest.useFakeTimers({ doNotFake: [...clocks, ...others] });
}
