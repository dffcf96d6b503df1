import { afterEach, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { onShutdownSignals } from '../../src/application/listen-options.ts';
import { LineProcess } from '../support/line-process.ts';

// What the handlers do ends the process, so it is watched from outside.
test('installs one handler for each signal and takes them away again', () => {
  const count = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
  const before = count();
  const uninstall = onShutdownSignals(() => undefined);
  expect(count()).toBe(before + 2);
  const uninstallSecond = onShutdownSignals(() => undefined);
  expect(count()).toBe(before + 2);
  uninstall();
  uninstall();
  expect(count()).toBe(before + 2);
  uninstallSecond();
  expect(count()).toBe(before);
  // And again for the next application
  const uninstallThird = onShutdownSignals(() => undefined);
  expect(count()).toBe(before + 2);
  uninstallThird();
});

describe('several applications in one process', () => {
  const processes: LineProcess[] = [];

  afterEach(async () => {
    for (const each of processes.splice(0)) {
      each.kill('SIGKILL');
      await each.ended;
    }
  });

  async function start(...args: readonly string[]): Promise<LineProcess> {
    const file = fileURLToPath(new URL('../transports/processes/two-applications.ts', import.meta.url));
    const started = new LineProcess({
      args: ['--no-warnings', '--import', '@oxc-node/core/register', file, ...args],
    });
    processes.push(started);
    await started.line('stdout', 'ready');
    return started;
  }

  test('all end, the broken ones too, before the process ends with 1', async () => {
    const running = await start();
    running.kill('SIGTERM');
    expect(await running.ended).toBe(1);
    expect(running.stdout).toEqual(['ready', 'first on SIGTERM', 'third']);
    expect(running.stderr.join('\n')).toContain('second is broken');
  });

  test('leave the end to a listener of the user, which receives the signal once', async () => {
    const running = await start('--listen');
    running.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(running.stdout).toEqual(['ready', 'own listener', 'first on SIGTERM', 'third']);
  });

  test('end at once at the second signal', async () => {
    const running = await start();
    running.kill('SIGTERM');
    await running.line('stdout', 'first');
    running.kill('SIGTERM');
    expect([143, 'SIGTERM']).toContain(await running.ended);
  });
});
