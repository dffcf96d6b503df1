import { runProgram } from '../processes/run-program.ts';
import type { Section } from '../results/section.ts';
import { compareSides } from '../results/take-turns.ts';
import { figuresOfRounds } from './figures.ts';
import { TOOLWRIGHT } from './programs.ts';
import { roundsOf, type SentRounds } from './sent-rounds.ts';

const NOTHING = 'Server that does nothing';

export const inMemoryCall: Section = {
  name: 'call',
  title: 'tools/call in memory, with the client of SDK v1',
  targets: ['memoryCall'],
  run: async ({ rounds, window, progress }) => {
    const taken = roundsOf(await runProgram<SentRounds>('in-memory-call', { rounds, window }, progress));
    return {
      reference: NOTHING,
      figures: figuresOfRounds(taken, NOTHING),
      // Rates were measured; of two rates, the other way round is the ratio of the times
      targets: { memoryCall: compareSides(taken, NOTHING, TOOLWRIGHT) },
    };
  },
};
