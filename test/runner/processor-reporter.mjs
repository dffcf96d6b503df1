/**
 * Adds up the processor time of all suites, and fails the run when they take more than the limit: a change that adds a heavy
 * suite pays for it elsewhere. Seconds are those of the machine on which the limit was set, however fast this one is.
 */
import { relative } from 'node:path';

/** What is measured, with a seventh of room: the same suites differ by a tenth from run to run. */
const MAX_SECONDS = 800;
/** With --verbose all are shown. */
const MAX_SHOWN = 8;

export default class ProcessorReporter {
  #config;
  #suites = [];
  #error;

  constructor(globalConfig) {
    this.#config = globalConfig;
  }

  onTestFileResult({ path }, { processor }) {
    if (processor !== undefined) this.#suites.push({ path, seconds: processor.seconds, ...processor });
  }

  onRunComplete() {
    const sum = (of) => this.#suites.reduce((total, suite) => total + of(suite), 0);
    const measured = sum(({ seconds }) => seconds);
    const compared = sum(({ seconds, speed }) => seconds * speed);
    const heaviest = this.#suites
      .toSorted((left, right) => right.seconds - left.seconds)
      .slice(0, this.#config.verbose ? undefined : MAX_SHOWN)
      .map(
        ({ path, seconds }) => `  ${seconds.toFixed(1).padStart(6)}  ${relative(this.#config.rootDir, path)}`,
      );
    if (!this.#isWhole()) return;
    console.error(
      `\nProcessor seconds of ${this.#suites.length} suites: ${measured.toFixed(0)}, which are ${compared.toFixed(0)} of ` +
        `${MAX_SECONDS} on the machine of the limit. The heaviest:\n${heaviest.join('\n')}`,
    );
    if (compared > MAX_SECONDS) {
      this.#error = new Error(
        `The suites take ${compared.toFixed(0)} processor seconds, ${MAX_SECONDS} are allowed. ` +
          'Make a suite lighter, or move what is heavy to `npm run soak`.',
      );
    }
  }

  getLastError() {
    return this.#error;
  }

  /** Whether all suites ran. */
  #isWhole() {
    const { nonFlagArgs, testNamePattern, findRelatedTests, onlyChanged, watch, watchAll } = this.#config;
    return ![nonFlagArgs?.length, testNamePattern, findRelatedTests, onlyChanged, watch, watchAll].some(
      Boolean,
    );
  }
}
