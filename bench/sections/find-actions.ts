import { runProgram } from '../processes/run-program.ts';
import type { Section } from '../results/section.ts';
import { compareSides, spreadOfSide } from '../results/rounds.ts';
import { roundsOf, type SentRounds } from './sent-rounds.ts';

const SEARCH = 'a search';

interface Sent {
  /** Milliseconds until the first answer, for which the index is made. */
  readonly first: number;
  readonly searches: SentRounds;
}

export const findActions: Section = {
  name: 'find',
  title: 'find_actions over 1,000 actions in a view, as many others hidden',
  seconds: 20,
  targets: ['findActions'],
  run: async ({ progress, ...settings }) => {
    const { first, searches } = await runProgram<Sent>('find-actions', settings, progress);
    const taken = roundsOf(searches);
    const search = spreadOfSide(taken, SEARCH);
    return {
      reference: SEARCH,
      figures: [
        {
          name: SEARCH,
          ratio: compareSides(taken, SEARCH, SEARCH),
          note: `${search.median.toFixed(2)} ms; ${first.toFixed(0)} ms for the first answer, which makes the index`,
        },
      ],
      targets: { findActions: search },
    };
  },
};
