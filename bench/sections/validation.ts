import { runProgram } from '../processes/run-program.ts';
import type { Section } from '../results/section.ts';
import { compareSides, type Rounds } from '../results/rounds.ts';
import { figuresOfRounds } from './figures.ts';
import { roundsOf, type SentRounds } from './sent-rounds.ts';

const STACK = 'class stack';
const RACES = ['valid', 'formats', 'invalid', 'compiling'] as const;

export const validation: Section = {
  name: 'validation',
  title: 'validation of the order, in one process',
  seconds: 40,
  targets: ['validGenerated', 'validClosures', 'validZod', 'validAjv', 'invalid', 'falseAccepts'],
  run: async ({ window, progress, ...others }) => {
    // A thousand times shorter than a call over a socket: less time is enough
    const settings = { ...others, window: window / 3 };
    type Sent = Readonly<Record<(typeof RACES)[number], SentRounds>>;
    const sent = await runProgram<Sent>('validation', settings, progress);
    const taken = (race: (typeof RACES)[number]): Rounds => roundsOf(sent[race]);
    const figures = RACES.flatMap((race) => {
      const reference = race === 'invalid' ? 'class-stack' : STACK;
      return figuresOfRounds(taken(race), reference).map((figure) => ({
        ...figure,
        name: `${race}: ${figure.name}`,
      }));
    });
    const valid = taken('valid');
    return {
      reference: 'class-transformer with class-validator',
      figures,
      targets: {
        validGenerated: compareSides(valid, 'generated', STACK),
        validClosures: compareSides(valid, 'closures', STACK),
        validZod: compareSides(valid, 'generated', 'zod 4'),
        validAjv: compareSides(valid, 'generated', 'ajv with plainToInstance'),
        invalid: compareSides(taken('invalid'), 'class-stack', 'generated'),
        falseAccepts: { reason: 'npm run fuzz counts them' },
      },
    };
  },
};
