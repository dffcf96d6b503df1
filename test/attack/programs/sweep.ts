import type { AttackProgram, AttackRow } from '../attack.ts';
import { hostileValues, SWEPT } from '../swept.ts';
import { callOf, timeCalls, type TimedCall } from '../time-call.ts';

const SIZES = [50_000, 1_000_000, 4_000_000];
const SLOWEST = 30;
const SENT = ' <- ';

/** Sends every hostile value to every schema, and shows those that held the loop for longest. */
export const sweep: AttackProgram = {
  name: 'sweep',
  measures: `the ${String(SLOWEST)} schemas that held the event loop for longest, each with its worst value, in milliseconds`,
  run: async (target) => {
    const calls = callsOf(target.sizes ?? (target.isQuick ? SIZES.slice(0, 1) : SIZES));
    const rows = await timeCalls({ ...target, progress: () => undefined }, 'sweep', calls);
    const worst = new Map<string, AttackRow>();
    for (const row of rows.toSorted(bySlowness).toReversed()) worst.set(schemaOf(row), row);
    target.progress(`${String(rows.length)} calls of ${String(worst.size)} schemas`);
    return [...worst.values()].toSorted(bySlowness).slice(0, SLOWEST);
  },
};

function* callsOf(sizes: readonly number[]): Generator<TimedCall> {
  for (const [index, schema] of [...SWEPT.keys()].entries()) {
    for (const size of sizes) {
      for (const { name, json } of hostileValues(size)) {
        const body = callOf(`swept${String(index)}`, `{"value":${json}}`);
        yield { name: `${schema}${SENT}${name} ${String(size)}`, body };
      }
    }
  }
}

function schemaOf({ name }: AttackRow): string {
  return name.slice(0, name.indexOf(SENT));
}

function bySlowness(one: AttackRow, other: AttackRow): number {
  return (other.milliseconds ?? Infinity) - (one.milliseconds ?? Infinity);
}
