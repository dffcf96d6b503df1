import { expect, test } from '@jest/globals';
import { onShutdownSignals } from '../../src/server/signals.ts';

// What the handlers do ends the process, so the tests of stdio watch it from outside.
test('installs one handler for each signal and takes them away again', () => {
  const count = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
  const before = count();
  const uninstall = onShutdownSignals(() => undefined);
  expect(count()).toBe(before + 2);
  uninstall();
  uninstall();
  expect(count()).toBe(before);
});
