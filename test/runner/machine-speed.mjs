/** How fast this machine is just now, so that processor seconds of two machines, or of a busy one, can be compared. */

/** Milliseconds of the processor for the work below, on the machine and at the hour at which the limit of the suites was set. */
const REFERENCE_MS = 2;
const TURNS = 60_000;

function work() {
  const began = process.cpuUsage();
  const entries = new Map();
  let sum = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    entries.set(`k${turn % 997}`, { turn, sum });
    sum = (sum * 31 + turn) % 1_000_003;
  }
  const { user, system } = process.cpuUsage(began);
  return entries.size > 0 ? (user + system) / 1000 : 0;
}

/** 1 as the machine of the limit, 0.5 for half as fast. */
export function machineSpeed() {
  return REFERENCE_MS / Math.min(work(), work());
}
