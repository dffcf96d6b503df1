import { writeSync } from 'node:fs';

// Loaded before a measured program: at its end it says how long all of its threads kept a processor busy. It ends with a
// signal, because a channel to the process that started it would load modules of Node that a server loads as well.
process.once('SIGTERM', () => process.exit());
process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, `processor ${(user + system) / 1000} ms\n`);
});
