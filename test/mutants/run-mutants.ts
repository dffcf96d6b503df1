import { ROOT } from '../pins/docs/example.ts';
import { readEntries, readImports } from './imports.ts';
import { resultLine, type MutantResult } from './mutant-result.ts';
import { MutantRunner, type Mutant, type RunnerOptions, type Verdict } from './mutant-runner.ts';
import { SuiteFinder, type Phases } from './nearest-suites.ts';
import { findPlace, mutate, type Place } from './place.ts';
import { PrivateCopy } from './private-copy.ts';
import { readTexts } from './sources.ts';

export interface MutantsOptions extends RunnerOptions {
  readonly places: readonly Place[];
  /** A part of the path or the code of the places to run. */
  readonly only: string;
  readonly jobs: number;
  /** Called with what is known so far. */
  readonly onResult: (results: readonly MutantResult[]) => void;
}

/** A place whose code is gone has no more than its result. */
type Entry = Task | { readonly result: MutantResult };

/** A place that was found, and what is known of it. */
interface Task {
  readonly mutant: Mutant;
  readonly phases: Phases;
  result: MutantResult;
}

type Step = (runner: MutantRunner, task: Task) => Promise<Verdict>;

interface Round {
  readonly title: string;
  readonly steps: readonly Step[];
  /** What is left to do for a mutant that survived. */
  readonly open?: string;
}

const ROUNDS: readonly Round[] = [
  {
    title: 'nearest suites',
    open: 'the core has not run',
    steps: [
      (runner, { mutant, phases }) => runner.runNearest(mutant, phases.direct),
      (runner, { mutant, phases }) => runner.runNearest(mutant, phases.near),
    ],
  },
  {
    title: 'built package and core',
    steps: [
      (runner, { mutant, phases }) => runner.runBuilt(mutant, phases.built),
      (runner, { mutant, phases }) => runner.runCore(mutant, phases.core),
    ],
  },
];

/**
 * Runs the nearest suites for all places, and then the built package and the core for those that survived: what ends
 * soon is known first.
 */
export async function runMutants(options: MutantsOptions): Promise<readonly MutantResult[]> {
  const entries = readList(options);
  const tasks = entries.filter((entry) => 'mutant' in entry);
  const results = (): readonly MutantResult[] => entries.map(({ result }) => result);
  const copies = Array.from({ length: options.jobs }, () => new PrivateCopy(ROOT));
  const runners = copies.map((copy) => new MutantRunner(copy, options));
  try {
    for (const round of ROUNDS) {
      const left = tasks.filter(({ result }) => !isKilled(result));
      const total = left.length;
      const work = async (runner: MutantRunner): Promise<void> => {
        for (let task = left.shift(); task !== undefined && !options.signal.aborted; task = left.shift()) {
          await runTask(runner, task, round);
          console.log(`${String(total - left.length)}/${String(total)} ${resultLine(task.result)}`);
          options.onResult(results());
        }
      };
      console.log(`${round.title}: ${String(total)} mutants`);
      await Promise.all(runners.map(work));
    }
  } finally {
    for (const copy of copies) copy.remove();
  }
  return results();
}

function readList({ places, only }: MutantsOptions): readonly Entry[] {
  const sources = readTexts(`${ROOT}src`);
  const files = new Map(
    ['src', 'test'].flatMap((folder) =>
      [...readTexts(`${ROOT}${folder}`)].map(([path, text]) => [`${folder}/${path}`, text] as const),
    ),
  );
  const finder = new SuiteFinder(files, readImports(files, readEntries(ROOT)));
  return places.flatMap((place): readonly Entry[] => {
    const spots = findPlace(place, sources);
    const [spot] = spots;
    if (![place.line, ...spots.map(({ path }) => path)].some((text) => text.includes(only))) return [];
    if (spot === undefined || spots.length > 1)
      return [{ result: { place, outcome: spot === undefined ? 'gone' : 'ambiguous', seconds: 0 } }];
    const original = sources.get(spot.path) ?? '';
    const mutant = { path: `src/${spot.path}`, original, mutated: mutate(original, spot, place) };
    const result = { place, spot, outcome: 'not run', seconds: 0 } as const;
    return [{ mutant, phases: finder.find(mutant.path), result }];
  });
}

function isKilled({ outcome }: MutantResult): boolean {
  return outcome === 'killed' || outcome === 'timed out';
}

/** Runs one step after the other until one of them decides. What was stopped is as it was before. */
async function runTask(runner: MutantRunner, task: Task, { steps, open }: Round): Promise<void> {
  const begun = performance.now();
  const before = task.result;
  let decided: Verdict;
  for (const step of steps) {
    const verdict = await step(runner, task);
    if (verdict?.outcome === 'not run') return;
    decided = verdict ?? decided;
    if (decided !== undefined && decided.outcome !== 'survived') break;
  }
  const { outcome = 'survived', ...more } = decided ?? { note: open };
  const seconds = before.seconds + (performance.now() - begun) / 1000;
  task.result = { place: before.place, spot: before.spot, outcome, ...more, seconds };
}
