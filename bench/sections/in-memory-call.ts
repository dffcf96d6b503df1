import { runProgram } from '../processes/run-program.ts';
import type { Section } from '../results/section.ts';
import { compareSides } from '../results/rounds.ts';
import { figuresOfRounds } from './figures.ts';
import { TOOLWRIGHT } from './programs.ts';
import { roundsOf, type SentRounds } from './sent-rounds.ts';

const NOTHING = 'Server that does nothing';

export const inMemoryCall: Section = {
  name: 'call',
  title: 'tools/call in memory, with the client of SDK v1',
  seconds: 25,
  targets: ['memoryCall'],
  run: async ({ progress, ...settings }) => {
    const taken = roundsOf(await runProgram<SentRounds>('in-memory-call', settings, progress));
    return {
      reference: NOTHING,
      figures: figuresOfRounds(taken, NOTHING),
      // Rates were measured; of two rates, the other way round is the ratio of the times
      targets: { memoryCall: compareSides(taken, NOTHING, TOOLWRIGHT) },
    };
  },
};
