import {
  timesOfBase,
  timesOfCreation,
  timesToHttpAnswer,
  timesToStdioAnswer,
  type ProcessTimes,
} from '../processes/first-answer.ts';
import { compareSides, rowsAgainst, spreadOfSide, takeUntilCalm, type Take } from '../results/rounds.ts';
import type { Section, SectionContext } from '../results/section.ts';

const BASE = 'a process that imports reflect-metadata, class-validator, class-transformer and tsyringe';
const BARE = 'first answer of such a process with a bare node:http server';
const HTTP = 'first answer over HTTP';
const STDIO = 'first answer over stdio, with its handshake';
const CREATE = 'create() of 50 controllers with 10 actions';

const programs: readonly (readonly [name: string, measure: () => Promise<ProcessTimes>])[] = [
  [BASE, timesOfBase],
  [BARE, () => timesToHttpAnswer('programs/base-http')],
  [HTTP, () => timesToHttpAnswer('servers/toolwright/quickstart')],
  [STDIO, timesToStdioAnswer],
  [CREATE, () => timesOfCreation(50)],
];
const byClock = programs.map(([name]) => name);
const byProcessor = byClock.map(processor);

/** Starts are short and their times vary: there are more rounds of them. */
const ROUNDS = 3;

export const firstAnswer: Section = {
  name: 'first-answer',
  title: 'from the start of a process to its first answer',
  seconds: 30,
  targets: ['answerHttp', 'answerStdio', 'createBase', 'answerHttpProcessor', 'createBaseProcessor'],
  run: async (context) => {
    // One process gives both times, each of them a side beside its own base
    const rows = [...rowsAgainst(byClock, [BASE]), ...rowsAgainst(byProcessor, [processor(BASE)])];
    const take = (wanted: readonly string[]): Promise<Take> => takePrograms(wanted, context);
    const rounds = await takeUntilCalm([...byClock, ...byProcessor], rows, take, context);
    const figure = (name: string, base: string) => ({
      name,
      ratio: compareSides(rounds, name, base),
      ...(name === base
        ? { note: `${spreadOfSide(rounds, base).median.toFixed(0)} ms on this machine` }
        : {}),
    });
    return {
      reference: BASE,
      figures: [
        ...byClock.map((name) => figure(name, BASE)),
        ...byProcessor.map((name) => figure(name, processor(BASE))),
      ],
      targets: {
        answerHttp: compareSides(rounds, HTTP, BASE),
        answerStdio: compareSides(rounds, STDIO, BASE),
        createBase: compareSides(rounds, CREATE, BASE),
        answerHttpProcessor: compareSides(rounds, processor(HTTP), processor(BASE)),
        createBaseProcessor: compareSides(rounds, processor(CREATE), processor(BASE)),
      },
    };
  },
};

function processor(name: string): string {
  return `${name}: processor time`;
}

async function takePrograms(wanted: readonly string[], { rounds, progress }: SectionContext): Promise<Take> {
  const sides = programs.filter(([name]) => wanted.includes(name) || wanted.includes(processor(name)));
  const taken = new Map<string, number[]>();
  for (let round = 1; round <= rounds * ROUNDS; round += 1) {
    progress(`round ${round} of ${rounds * ROUNDS}`);
    for (const [name, measure] of round % 2 === 1 ? sides : [...sides].reverse()) {
      const times = await measure();
      taken.set(name, [...(taken.get(name) ?? []), times.elapsed]);
      taken.set(processor(name), [...(taken.get(processor(name)) ?? []), times.processor]);
    }
  }
  return taken;
}
