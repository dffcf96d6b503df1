import { timesOfCreation } from '../processes/first-answer.ts';
import { runProgram } from '../processes/run-program.ts';
import type { Section } from '../results/section.ts';
import { compareSides } from '../results/rounds.ts';
import { takeTurns, type Side } from '../results/take-turns.ts';
import { roundsOf, type SentRounds } from './sent-rounds.ts';

const CONTROLLERS = 30;
const ONE = 'create(), one surface';
const ALL = 'create(), the surfaces of all clients';
const LIST = { name: 'list, the same as a surface', other: 'list, as declared' } as const;
const CALL = { name: 'call, surface: auto', other: 'call, without the option' } as const;

interface Sent {
  readonly heap: Readonly<Record<string, number>>;
  readonly lists: SentRounds;
}

export const surfaces: Section = {
  name: 'surfaces',
  title: 'surfaces of 300 actions',
  seconds: 60,
  targets: ['surfaceList', 'surfaceCall', 'surfaceStart'],
  run: async (context) => {
    const { progress, ...settings } = context;
    const { heap, lists } = await runProgram<Sent>('surfaces', settings, progress);
    const taken = roundsOf(lists);
    const created = await takeTurns(
      [creation(ONE, 'grouped-by-risk'), creation(ALL, 'auto')],
      [ONE],
      context,
    );
    const kept = Object.entries(heap).map(([name, bytes]) => `${name} ${(bytes / 1024).toFixed(0)} kB`);
    const [list, call] = [LIST, CALL].map(({ name, other }) => compareSides(taken, name, other));
    const start = compareSides(created, ALL, ONE);
    return {
      reference: 'the same without a further surface',
      figures: [
        { name: LIST.name, ratio: list, note: `ratio to ${LIST.other}` },
        { name: CALL.name, ratio: call, note: `ratio to ${CALL.other}` },
        {
          name: ALL,
          ratio: start,
          note: `processor time, ratio to ${ONE}; heap of each: ${kept.join(', ')}`,
        },
      ],
      targets: {
        surfaceList: list ?? { reason: 'no rounds' },
        surfaceCall: call ?? { reason: 'no rounds' },
        surfaceStart: start,
      },
    };
  },
};

/** Milliseconds for which a new process keeps a processor busy. */
function creation(name: string, surface: string): Side {
  const measure = async (): Promise<number> => (await timesOfCreation(CONTROLLERS, surface)).processor;
  return { name, measure };
}
