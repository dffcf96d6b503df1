import { posix } from 'node:path';
import { distancesFrom, type Imports } from './imports.ts';
import type { Sources } from './place.ts';

/** The suites for one file of `src`, in the order in which they run; no suite is in two of them. */
export interface Phases {
  /** Suites of its name, and suites that import it. */
  readonly direct: readonly string[];
  /** Suites of its folder, then those from which the fewest imports lead to it. */
  readonly near: readonly string[];
  /** Suites of its name, or else of its surroundings, that start the built package. */
  readonly built: readonly string[];
  /** The rest of `npm run test:core` that loads it. */
  readonly core: readonly string[];
}

const MAX_DIRECT = 12;
const MAX_NEAR = 12;
const MAX_BUILT = 4;

/** The folders of `npm run test:core`. */
const CORE = ['test/behaviour/', 'test/engine/', 'test/compile/'];

/** They look at the page of the explorer, as it was built, in a browser. */
const BROWSER = /^test\/explorer\/page\./;
const BUILT_FILE = /(?:\.\.\/|['"`])dist\/(?:index|cli|loader)|^import 'toolwright\/stdio-guard'/m;

export class SuiteFinder {
  readonly #suites: readonly string[];
  /** What each suite loads, by the number of imports that lead there. */
  readonly #reached: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly #built: ReadonlySet<string>;

  /** @param files those of `src` and `test`, by their paths below the root */
  constructor(files: Sources, imports: Imports) {
    const suites = [...files.keys()].filter((path) => path.endsWith('.test.ts') && !BROWSER.test(path));
    // What is written in few lines is done soon, most often
    this.#suites = suites.sort((left, right) => lengthOf(left, files) - lengthOf(right, files));
    this.#reached = new Map(this.#suites.map((suite) => [suite, distancesFrom(suite, imports)]));
    const starters = [...files].filter(([path, text]) => path.startsWith('test/') && BUILT_FILE.test(text));
    const isBuilt = (suite: string): boolean =>
      starters.some(([path]) => this.#reached.get(suite)?.has(path));
    this.#built = new Set(this.#suites.filter(isBuilt));
  }

  /** @param path below the root, as `src/call/issue.ts` */
  find(path: string): Phases {
    const stem = path.replace(/^src\//, 'test/').replace(/(?:\/index)?\.ts$/, '');
    const named = this.#suites.filter(
      (suite) => suite.startsWith(`${stem}.`) || suite.startsWith(`${stem}/`),
    );
    const reaching = this.#byDistance(path);
    const importing = reaching.filter((suite) => this.#reached.get(suite)?.get(path) === 1);
    const folder = this.#inFolder(posix.dirname(stem));
    const taken = new Set<string>();
    const take = (suites: readonly string[], isBuilt: boolean, count: number): readonly string[] => {
      const found = suites.filter((suite) => this.#built.has(suite) === isBuilt && !taken.has(suite));
      const first = [...new Set(found)].slice(0, count);
      for (const suite of first) taken.add(suite);
      return first;
    };
    const direct = take([...named, ...importing], false, MAX_DIRECT);
    const near = take([...folder, ...reaching], false, MAX_NEAR);
    const others = near.length > 0 ? folder : reaching;
    const isNamed = named.length + direct.length > 0;
    const built = take(isNamed ? [...named, ...importing] : others, true, MAX_BUILT);
    const core = reaching.filter((suite) => CORE.some((each) => suite.startsWith(each)));
    return { direct, near, built, core: take(core, false, Infinity) };
  }

  /** Those that stand in a folder, or else below it, or else near it. */
  #inFolder(folder: string): readonly string[] {
    if (folder === 'test' || folder === '.') return [];
    const below = this.#suites.filter((suite) => suite.startsWith(`${folder}/`));
    const beside = below.filter((suite) => posix.dirname(suite) === folder);
    if (beside.length > 0) return beside;
    return below.length > 0 ? below : this.#inFolder(posix.dirname(folder));
  }

  #byDistance(path: string): readonly string[] {
    const distanceOf = (suite: string): number => this.#reached.get(suite)?.get(path) ?? Infinity;
    return this.#suites
      .filter((suite) => distanceOf(suite) < Infinity)
      .sort((left, right) => distanceOf(left) - distanceOf(right));
  }
}

function lengthOf(path: string, files: Sources): number {
  return files.get(path)?.length ?? 0;
}
