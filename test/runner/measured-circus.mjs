/** Jest's test framework, which also tells how much processor time a suite took, with the processes that it ended. */
import { readFileSync } from 'node:fs';
import circus from 'jest-circus/runner';
import { machineSpeed } from './machine-speed.mjs';

/** Seconds of the processes that this one started and that have ended. Only Linux tells them. */
function endedProcesses() {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

export default async function runSuite(...given) {
  const speed = machineSpeed();
  const own = process.cpuUsage();
  const others = endedProcesses();
  const result = await (circus.default ?? circus)(...given);
  const { user, system } = process.cpuUsage(own);
  const seconds = (user + system) / 1e6 + endedProcesses() - others;
  return Object.assign(result, { processor: { seconds, speed } });
}
