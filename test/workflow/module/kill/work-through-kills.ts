import type { Random } from '../../../support/random.ts';
import type { Serving } from './serving.ts';
import type { Surveyor } from './surveyor.ts';

const KILLS = 2;
/** After as many for each agent and kill, the agents are not through yet. */
const MAX_ANSWERS = 3;
/** In milliseconds. */
const MOST_DELAY = 6;

/** Kills the server whenever its agents got some answers, and a moment passed. */
class Killer {
  hasKilled = false;
  readonly #serving: Serving;
  readonly #delay: number;
  #left: number;

  constructor(serving: Serving, agents: number, random: Random) {
    this.#serving = serving;
    this.#left = 1 + random.below(MAX_ANSWERS * agents);
    this.#delay = random.below(MOST_DELAY);
  }

  readonly count = (): void => {
    this.#left -= 1;
    if (this.#left === 0) setTimeout(() => this.#kill(), this.#delay);
  };

  #kill(): void {
    this.hasKilled = true;
    void this.#serving.kill();
  }
}

async function whileServed(
  start: () => Promise<Serving>,
  work: (serving: Serving) => Promise<unknown>,
): Promise<void> {
  const serving = await start();
  try {
    await work(serving);
  } finally {
    await serving.kill();
  }
}

/** @returns how many agents waited for an answer when the server was killed, of all kills */
export async function workThroughKills(
  start: () => Promise<Serving>,
  agents: readonly Surveyor[],
  random: Random,
): Promise<number> {
  let cutOff = 0;
  const untilKilled = async (serving: Serving): Promise<void> => {
    const killer = new Killer(serving, agents.length, random);
    const work = agents.map((agent) =>
      agent.work(serving.client, killer.count).catch((error: unknown) => {
        if (!killer.hasKilled || !agent.isWaiting) throw error;
        cutOff += 1;
      }),
    );
    await Promise.all(work);
  };
  for (let kills = 0; kills < KILLS; kills += 1) await whileServed(start, untilKilled);
  await whileServed(start, async ({ client }) => {
    await Promise.all(agents.map((agent) => agent.work(client)));
    await Promise.all(agents.map((agent) => agent.repeat(client)));
  });
  return cutOff;
}
