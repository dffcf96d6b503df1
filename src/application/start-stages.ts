import type { MaybePromise } from '../shared/maybe-promise.ts';

interface Stage {
  readonly name: string;
  readonly run: (reached: object) => MaybePromise<object>;
}

/**
 * The stages of a start, in order: each takes what is there before it, and gives more. The compiler refuses a stage that
 * takes what none before it gives.
 */
export class StartStages<Given extends object, Reached extends Given> {
  readonly #stages: readonly Stage[];

  private constructor(stages: readonly Stage[]) {
    this.#stages = stages;
  }

  static of<Given extends object>(): StartStages<Given, Given> {
    return new StartStages([]);
  }

  get names(): readonly string[] {
    return this.#stages.map(({ name }) => name);
  }

  stage<More extends object>(
    name: string,
    run: (reached: Reached) => MaybePromise<More>,
  ): StartStages<Given, Reached & More> {
    return new StartStages([...this.#stages, { name, run: run as Stage['run'] }]);
  }

  async run(given: Given): Promise<Reached> {
    let reached: object = given;
    for (const { run } of this.#stages) reached = { ...reached, ...(await run(reached)) };
    return reached as Reached;
  }
}

/** What a start has opened. It is closed with the application, or where the start fails. */
export class Opened {
  readonly #closers: (() => MaybePromise<void>)[] = [];
  readonly #abandons: ((error: unknown) => Promise<unknown>)[] = [];

  /** @param close called before what was opened earlier is closed */
  add(close: (() => MaybePromise<void>) | undefined): void {
    if (close !== undefined) this.#closers.push(close);
  }

  /** @param abandon called first where the start fails; it gives the error to throw */
  onFailure(abandon: (error: unknown) => Promise<unknown>): void {
    this.#abandons.push(abandon);
  }

  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) await close();
  }

  /** Closes everything because the start failed. @returns the error to throw */
  async fail(error: unknown): Promise<unknown> {
    let thrown = error;
    for (const abandon of this.#abandons) thrown = await abandon(thrown);
    await this.close();
    return thrown;
  }
}
