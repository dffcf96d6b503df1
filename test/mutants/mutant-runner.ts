import type { MutantResult } from './mutant-result.ts';
import type { PrivateCopy } from './private-copy.ts';
import { runCommand, type CommandEnd } from './run-command.ts';

/** A file of the clone before and after a mutation. */
export interface Mutant {
  /** Below the root. */
  readonly path: string;
  readonly original: string;
  readonly mutated: string;
}

export interface RunnerOptions {
  /** Seconds for the nearest suites of a mutant. */
  readonly limit: number;
  /** Seconds for the rest of the core. */
  readonly coreLimit: number;
  readonly signal: AbortSignal;
  /** Whether a suite passes without a mutation: runners of one clone share what they know. */
  readonly health: Map<string, boolean>;
}

/** What suites say about a mutation; `undefined` where all of them passed. */
export type Verdict = Pick<MutantResult, 'outcome' | 'by' | 'test' | 'note'> | undefined;

/** A test that waits for what a mutation has made impossible ends soon; one that needs longer anyway does not count. */
const JEST = ['node_modules/jest/bin/jest.js', '--bail', '--testTimeout=120000', '--runTestsByPath'];
const BUILD = ['.ci/build.mjs'];
const BUILD_SECONDS = 600;

/** Of the core, so that what comes first also ends first. */
const SUITES_AT_ONCE = 30;

/** Runs suites with a mutation in a private copy. */
export class MutantRunner {
  readonly #copy: PrivateCopy;
  readonly #options: RunnerOptions;
  #builds: boolean | undefined;

  constructor(copy: PrivateCopy, options: RunnerOptions) {
    this.#copy = copy;
    this.#options = options;
  }

  /** Runs suites until one fails or the time is over. */
  async runNearest(mutant: Mutant, suites: readonly string[]): Promise<Verdict> {
    const { limit } = this.#options;
    const verdict = await this.#runSuites(mutant, suites, limit);
    if (verdict?.outcome !== 'timed out') return verdict;
    const { exitCode } = await this.#jest(mutant, mutant.original, this.#usable(suites), limit);
    if (this.#options.signal.aborted) return { outcome: 'not run' };
    return exitCode === 0 ? verdict : { outcome: 'survived', note: 'the nearest suites need more time' };
  }

  /** Runs suites that start the package, after it was built with the mutation. */
  async runBuilt(mutant: Mutant, suites: readonly string[]): Promise<Verdict> {
    if (suites.length === 0) return undefined;
    // Checked now, since the package without the mutation is gone later
    for (const suite of suites) await this.#passesUnchanged(mutant, suite);
    this.#builds ??= (await this.#run(mutant, mutant.original, BUILD, BUILD_SECONDS)).exitCode === 0;
    if (!this.#builds) return { outcome: 'survived', note: 'the package cannot be built' };
    const { exitCode, output } = await this.#run(mutant, mutant.mutated, BUILD, BUILD_SECONDS);
    try {
      if (this.#options.signal.aborted) return { outcome: 'not run' };
      if (exitCode !== 0) return { outcome: 'killed', by: 'the build', test: /error TS.*/.exec(output)?.[0] };
      return await this.#runSuites(mutant, suites, this.#options.limit);
    } finally {
      this.#copy.restorePackage();
    }
  }

  /** Runs many suites, as long as there is time. */
  async runCore(mutant: Mutant, suites: readonly string[]): Promise<Verdict> {
    const until = performance.now() + this.#options.coreLimit * 1000;
    for (let done = 0; done < suites.length; done += SUITES_AT_ONCE) {
      const seconds = (until - performance.now()) / 1000;
      const verdict = await this.#runSuites(mutant, suites.slice(done, done + SUITES_AT_ONCE), seconds);
      const note = `stopped after ${String(done)} of the ${String(suites.length)} suites of the core`;
      if (verdict?.outcome === 'timed out') return { outcome: 'survived', note };
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  }

  /** A suite that fails without the mutation as well says nothing: the others run again. */
  async #runSuites(mutant: Mutant, suites: readonly string[], seconds: number): Promise<Verdict> {
    const usable = this.#usable(suites);
    if (usable.length === 0) return undefined;
    const { exitCode, output } = await this.#jest(mutant, mutant.mutated, usable, seconds);
    if (this.#options.signal.aborted) return { outcome: 'not run' };
    if (exitCode === 0) return undefined;
    if (exitCode === undefined) return { outcome: 'timed out' };
    const suite = /^FAIL\s(?:.*\s)?(test\/\S+\.test\.ts)/m.exec(output)?.[1];
    if (suite === undefined) throw new Error(`Jest failed without a suite:\n${output}`);
    // Where a test needed too long, it has to be quick enough here and now
    if (output.includes('Exceeded timeout')) this.#options.health.delete(suite);
    const isHealthy = await this.#passesUnchanged(mutant, suite);
    if (isHealthy === undefined) return { outcome: 'not run' };
    const test = /^ {2}● (?!Console)(.+)$/m.exec(output)?.[1];
    return isHealthy ? { outcome: 'killed', by: suite, test } : this.#runSuites(mutant, suites, seconds);
  }

  #usable(suites: readonly string[]): readonly string[] {
    return suites.filter((suite) => this.#options.health.get(suite) !== false);
  }

  async #passesUnchanged(mutant: Mutant, suite: string): Promise<boolean | undefined> {
    const { health, limit, signal } = this.#options;
    const known = health.get(suite);
    if (known !== undefined) return known;
    const { exitCode } = await this.#jest(mutant, mutant.original, [suite], limit);
    if (!signal.aborted) health.set(suite, exitCode === 0);
    if (exitCode !== 0 && !signal.aborted)
      console.log(`left out, because it fails without a mutation: ${suite}`);
    return exitCode === 0;
  }

  #jest(mutant: Mutant, text: string, suites: readonly string[], seconds: number): Promise<CommandEnd> {
    return this.#run(mutant, text, [...JEST, ...suites], seconds);
  }

  async #run(mutant: Mutant, text: string, args: readonly string[], seconds: number): Promise<CommandEnd> {
    this.#copy.write(mutant.path, text);
    try {
      return await runCommand(args, this.#copy.root, { seconds, signal: this.#options.signal });
    } finally {
      this.#copy.write(mutant.path, mutant.original);
    }
  }
}
