import { timeOfCall, timeOfCallByHand, timeOfNothing, timeOfVersion } from '../processes/command-process.ts';
import { DevelopedServer, saveController, writeProject } from '../processes/developed-server.ts';
import { compareSides, spreadOfSide, type Rounds } from '../results/rounds.ts';
import type { Section, SectionContext } from '../results/section.ts';
import { takeTurns, type Side } from '../results/take-turns.ts';

const EMPTY = 'an empty process';
const VERSION = 'toolwright --version';
const BY_HAND = 'a call written by hand, with toolwright/register';
const CALL = 'toolwright call <file>';
const SWAP = 'from a save to the first answer, toolwright dev';
const RESTART = 'from a new start to the first answer, toolwright dev';

const sides: readonly Side[] = [
  { name: EMPTY, measure: timeOfNothing },
  { name: VERSION, measure: timeOfVersion },
  { name: BY_HAND, measure: timeOfCallByHand },
  { name: CALL, measure: timeOfCall },
];

/** Starts are short and their times vary: there are more rounds of them. */
const ROUNDS = 3;

export const command: Section = {
  name: 'command',
  title: 'the command line, every time in a new process',
  seconds: 39,
  targets: ['commandVersion', 'commandCall', 'hotSwap'],
  run: async (context) => {
    const more = { ...context, rounds: context.rounds * ROUNDS };
    const started = await takeTurns(sides, [EMPTY], more);
    const swapped = await takeSwaps(more);
    const { median } = spreadOfSide(started, EMPTY);
    return {
      reference: `${EMPTY}; for the call, ${BY_HAND}; for a new start, ${SWAP}`,
      figures: [
        { name: EMPTY, ratio: compareSides(started, EMPTY, EMPTY), note: `${median.toFixed(0)} ms here` },
        { name: VERSION, ratio: compareSides(started, VERSION, EMPTY) },
        { name: CALL, ratio: compareSides(started, CALL, BY_HAND) },
        {
          name: RESTART,
          ratio: compareSides(swapped, RESTART, SWAP),
          note: `a swap took ${spreadOfSide(swapped, SWAP).median.toFixed(0)} ms here`,
        },
      ],
      targets: {
        commandVersion: compareSides(started, VERSION, EMPTY),
        commandCall: compareSides(started, CALL, BY_HAND),
        hotSwap: compareSides(swapped, RESTART, SWAP),
      },
    };
  },
};

async function takeSwaps(context: SectionContext): Promise<Rounds> {
  let version = 0;
  await writeProject(version);
  const server = await DevelopedServer.start(version);
  const swap = async (): Promise<number> => {
    version += 1;
    const start = performance.now();
    await saveController(0, version);
    await server.answers(version);
    return performance.now() - start;
  };
  const restart = async (): Promise<number> => {
    const start = performance.now();
    const other = await DevelopedServer.start(version);
    const time = performance.now() - start;
    await other.stop();
    return time;
  };
  try {
    for (const end = performance.now() + context.warmUp; performance.now() < end;) await swap();
    const both = [
      { name: SWAP, measure: swap },
      { name: RESTART, measure: restart },
    ];
    return await takeTurns(both, [SWAP], context);
  } finally {
    await server.stop();
  }
}
