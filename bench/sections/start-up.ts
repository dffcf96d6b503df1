import { join } from 'node:path';
import { COMPILED } from '../folders.ts';
import { timesOfCreation } from '../processes/first-answer.ts';
import { loadedPackages } from '../processes/loaded-packages.ts';
import { runProgram } from '../processes/run-program.ts';
import type { Section, SectionContext } from '../results/section.ts';
import {
  compareSides,
  spreadOfSide,
  takeUntilCalm,
  rowsAgainst,
  type Rounds,
  type Take,
} from '../results/rounds.ts';
import type { Spread } from '../results/spread.ts';
import { takeTurns, type Side } from '../results/take-turns.ts';

interface ImportTimes {
  readonly dependencies: number;
  readonly own: number;
}

const SIZES = [25, 50, 100];
const sized = (controllers: number): string => `create(), per controller of ${controllers}`;
const DEPENDENCIES = 'import of the dependencies';
const OWN = 'import of the package after them';
const EMPTY = 'an empty process, until it begins';

export const startUp: Section = {
  name: 'start-up',
  title: 'start-up, every time in a new process',
  seconds: 60,
  targets: ['create', 'createLinear', 'importOwn'],
  run: async (context) => {
    const created = await takeTurns(SIZES.map(creation), [], {
      ...context,
      progress: about('create()', context),
    });
    const imported = await importRounds(context);
    const perController = spreadOfSide(created, sized(50));
    const empty = spreadOfSide(imported, EMPTY);
    return {
      reference: `${sized(50)}; for imports, ${DEPENDENCIES}`,
      figures: [
        ...SIZES.map((size) => ({ name: sized(size), ratio: compareSides(created, sized(size), sized(50)) })),
        { name: OWN, ratio: compareSides(imported, OWN, DEPENDENCIES) },
        {
          name: EMPTY,
          ratio: compareSides(imported, EMPTY, DEPENDENCIES),
          note: `${empty.median.toFixed(0)} ms on this machine`,
        },
      ],
      targets: {
        create: scaled(perController, 50),
        createLinear: compareSides(created, sized(100), sized(50)),
        importOwn: spreadOfSide(imported, OWN),
      },
    };
  },
};

/** Milliseconds per controller. */
function creation(controllers: number): Side {
  const measure = async (): Promise<number> => (await timesOfCreation(controllers)).elapsed / controllers;
  return { name: sized(controllers), measure };
}

async function importRounds(context: SectionContext): Promise<Rounds> {
  const file = join(COMPILED, 'programs/import-only.js');
  const packages = await loadedPackages({ name: 'import', file });
  const progress = about('import', context);
  const names = [DEPENDENCIES, OWN, EMPTY];
  // One process gives two of the figures, so all are taken again
  return takeUntilCalm(
    names,
    rowsAgainst(names, [DEPENDENCIES]),
    () => takeImports(packages, { ...context, progress }),
    {
      ...context,
      progress,
    },
  );
}

async function takeImports(packages: readonly string[], { rounds, progress }: SectionContext): Promise<Take> {
  const times: ImportTimes[] = [];
  const empty: number[] = [];
  // The first one reads files that are not in the system's cache yet
  for (let round = 0; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    times.push(await runProgram<ImportTimes>('import-time', { packages }));
    empty.push(await runProgram<number>('empty'));
  }
  for (const each of [times, empty]) each.shift();
  return new Map([
    [DEPENDENCIES, times.map(({ dependencies }) => dependencies)],
    [OWN, times.map(({ own }) => own)],
    [EMPTY, empty],
  ]);
}

function about(what: string, { progress }: SectionContext): (text: string) => void {
  return (text) => progress(`${what}, ${text}`);
}

function scaled({ median, minimum, maximum, ...others }: Spread, factor: number): Spread {
  return { median: median * factor, minimum: minimum * factor, maximum: maximum * factor, ...others };
}
