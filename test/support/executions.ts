import { Session } from 'node:inspector/promises';

/**
 * Counts how often the functions and blocks of a file are executed, as V8 does: what a time is on a machine that
 * nobody shares. Start before the first call of the file, because V8 counts the blocks of what it compiles from then on: in
 * an isolated suite, which shares no module with those that ran before it.
 */
export class Executions {
  readonly #session = new Session();
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  async during(work: () => void): Promise<number> {
    // What was counted so far is forgotten with each reading
    await this.#session.post('Profiler.takePreciseCoverage');
    work();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const ranges = result
      .filter(({ url }) => url.endsWith(this.#file))
      .flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
  }

  stop(): void {
    this.#session.disconnect();
  }
}
