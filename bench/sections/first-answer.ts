import { timeOfBase, timeToHttpAnswer, timeToStdioAnswer } from '../processes/first-answer.ts';
import { runProgram } from '../processes/run-program.ts';
import { compareSides, spreadOfSide } from '../results/rounds.ts';
import type { Section } from '../results/section.ts';
import { takeTurns, type Side } from '../results/take-turns.ts';

const BASE = 'a process that imports reflect-metadata, class-validator, class-transformer and tsyringe';
const HTTP = 'first answer over HTTP';
const STDIO = 'first answer over stdio, with its handshake';
const CREATE = 'create() of 50 controllers with 10 actions';

const sides: readonly Side[] = [
  { name: BASE, measure: timeOfBase },
  { name: HTTP, measure: timeToHttpAnswer },
  { name: STDIO, measure: timeToStdioAnswer },
  { name: CREATE, measure: () => runProgram<number>('create', { controllers: 50 }) },
];

/** Starts are short and their times vary: there are more rounds of them. */
const ROUNDS = 3;

export const firstAnswer: Section = {
  name: 'first-answer',
  title: 'from the start of a process to its first answer',
  seconds: 25,
  targets: ['answerHttp', 'answerStdio', 'createBase'],
  run: async (context) => {
    const rounds = await takeTurns(sides, [BASE], { ...context, rounds: context.rounds * ROUNDS });
    const { median } = spreadOfSide(rounds, BASE);
    const names = [BASE, HTTP, STDIO, CREATE];
    return {
      reference: BASE,
      figures: names.map((name) => ({
        name,
        ratio: compareSides(rounds, name, BASE),
        ...(name === BASE ? { note: `${median.toFixed(0)} ms on this machine` } : {}),
      })),
      targets: {
        answerHttp: compareSides(rounds, HTTP, BASE),
        answerStdio: compareSides(rounds, STDIO, BASE),
        createBase: compareSides(rounds, CREATE, BASE),
      },
    };
  },
};
