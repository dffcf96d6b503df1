import { setTimeout as wait } from 'node:timers/promises';
import { legacyCall } from '../load/http-call.ts';
import { loadOverHttp, type LoadResult } from '../load/http-load.ts';
import { MARK } from '../order/sample-order.ts';
import { loadedPackages } from '../processes/loaded-packages.ts';
import { ServerProcess } from '../processes/server-process.ts';
import type { Section, SectionContext } from '../results/section.ts';
import { spreadOf, type Spread } from '../results/spread.ts';
import { compareSides, sidesOf, type Rounds } from '../results/rounds.ts';
import { takeTurns } from '../results/take-turns.ts';
import { callOnce, resultOf } from './call-once.ts';
import { BARE, bareProgram, ownProgram, TOOLWRIGHT } from './programs.ts';

const MEGABYTE = 1024 * 1024;
const DRIFT_CALLS = 100_000;
const own = ownProgram('http');

export const memory: Section = {
  name: 'memory',
  title: 'memory of an HTTP server under load',
  seconds: 65,
  targets: ['residentMemory', 'heapDrift'],
  run: async (context) => {
    context.progress('finding out which packages are loaded');
    const packages = await loadedPackages(own, (url) => callOnce(url, legacyCall));
    const result = await resultOf(own, legacyCall);
    const programs = [bareProgram({ result, packages }), bareProgram({ result }, 'bare, no packages'), own];
    const servers: ServerProcess[] = [];
    try {
      for (const program of programs) servers.push(await ServerProcess.start(program));
      const rounds = await residentRounds(servers, context);
      const heapDrift = await drift(servers.at(-1) as ServerProcess, context);
      return {
        reference: `${BARE} that imports the same ${packages.length} files of packages`,
        figures: sidesOf(rounds).map((name) => ({ name, ratio: compareSides(rounds, name, BARE) })),
        targets: { residentMemory: compareSides(rounds, TOOLWRIGHT, BARE), heapDrift },
      };
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
};

function load({ url }: ServerProcess, window: number, enough?: number): Promise<LoadResult> {
  const limit = enough === undefined ? {} : { enough };
  return loadOverHttp(url, { calls: [legacyCall], mark: MARK, window, ...limit });
}

async function residentRounds(servers: readonly ServerProcess[], context: SectionContext): Promise<Rounds> {
  const window = context.window * 2;
  for (const server of servers) {
    context.progress(`warm-up of ${server.name}`);
    await load(server, window * 2);
  }
  const sides = servers.map((server) => ({
    name: server.name,
    measure: async () => {
      const loading = load(server, window);
      await wait(window * 0.8);
      const { rss } = await server.memory('now');
      await loading;
      return rss;
    },
  }));
  return takeTurns(sides, [BARE], context);
}

/** Megabytes that the heap grows by per 100,000 calls: over all rounds, and in the best and the worst of them. */
async function drift(server: ServerProcess, { rounds, window, progress }: SectionContext): Promise<Spread> {
  const growths: { readonly bytes: number; readonly answers: number }[] = [];
  let { heapUsed } = await server.memory('settled');
  for (let round = 1; round <= rounds; round += 1) {
    progress(`heap growth, round ${round} of ${rounds}`);
    const { answers } = await load(server, window * 10, DRIFT_CALLS / rounds);
    const settled = await server.memory('settled');
    growths.push({ bytes: settled.heapUsed - heapUsed, answers });
    ({ heapUsed } = settled);
  }
  const perRound = growths.map(({ bytes, answers }) => (bytes / MEGABYTE / answers) * DRIFT_CALLS);
  const bytes = growths.reduce((sum, growth) => sum + growth.bytes, 0);
  const answers = growths.reduce((sum, growth) => sum + growth.answers, 0);
  return { ...spreadOf(perRound), median: (bytes / MEGABYTE / answers) * DRIFT_CALLS };
}
