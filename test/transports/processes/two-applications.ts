import { setTimeout as sleep } from 'node:timers/promises';
import { onShutdownSignals } from '../../../src/application/listen-options.ts';

// Something that keeps the process alive, as an open server does.
const alive = setInterval(() => undefined, 1000);
if (process.argv.includes('--listen')) {
  process.on('SIGTERM', () => {
    process.stdout.write('own listener\n');
  });
}
const uninstallFirst = onShutdownSignals((signal) => {
  process.stdout.write(`first on ${signal}\n`);
  uninstallFirst();
});
onShutdownSignals(() => Promise.reject(new Error('second is broken')));
onShutdownSignals(async () => {
  await sleep(100);
  process.stdout.write('third\n');
  clearInterval(alive);
});
process.stdout.write('ready\n');
