import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import { countPostgres, countRedis, type CountedStore } from '../growth/counted-stores.ts';
import { measureGrowth, WORK } from '../growth/measure-growth.ts';

/** A session says that its stream is open, and twice that it has ended: to each instance with a part in it. */
const MAX_SESSION_MESSAGES = 5;

export const growth: AttackProgram = {
  name: 'growth',
  measures:
    'commands and messages of 1,000 calls in sessions, sessions with ten calls, changes of lists, and tasks of two steps, by the number of instances',
  run: async (target) => {
    const { isQuick } = target;
    // Each instance takes a connection of PostgreSQL, which has a hundred
    const stores = {
      Redis: { open: countRedis, sizes: isQuick ? [2, 4] : [10, 100, 1000] },
      PostgreSQL: { open: countPostgres, sizes: isQuick ? [2, 4] : [10, 50] },
    };
    const rows: AttackRow[] = [];
    for (const [name, { open, sizes }] of Object.entries(stores)) {
      for (const instances of sizes) {
        await using store = await open();
        rows.push(...(await measure(name, store, instances, target)));
      }
    }
    return rows;
  },
};

async function measure(
  name: string,
  store: CountedStore,
  instances: number,
  { isQuick, progress }: Target,
): Promise<readonly AttackRow[]> {
  progress(`${String(instances)} instances on ${name}`);
  const begun = performance.now();
  const counts = await measureGrowth(store, instances, isQuick ? 5 : timesFor(instances));
  const milliseconds = performance.now() - begun;
  return WORK.map((work) => {
    const { commands, published, received } = counts[work];
    const facts = { commands, 'messages sent': published, 'messages received': received };
    const note = Object.entries(facts)
      .map(([what, count]) => `${String(Math.round(count * 1000))} ${what}`)
      .join(', ');
    const grows = work === 'sessions' && received > MAX_SESSION_MESSAGES;
    return {
      ...{ name: `1,000 ${work}, ${String(instances)} instances on ${name}`, bytes: 0, milliseconds, note },
      fault: grows ? 'messages of sessions grow with the instances' : undefined,
    };
  });
}

/** Each message of a thousand instances takes this process a thousand times as long as one. */
function timesFor(instances: number): number {
  return instances < 1000 ? 50 : 20;
}
