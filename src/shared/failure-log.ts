/** What a log says of something that others depend on. */
export interface FailureTexts<Event extends string> {
  readonly event: Event;
  /** The sentence when it begins to fail. */
  readonly fails: string;
  /** The sentence when it works again; undefined where nothing is said. */
  readonly works?: string;
  /** How severe the first failure is. Default `error`. */
  readonly level?: 'error' | 'warning';
  /** The level of each further failure. Default: none is logged. */
  readonly repeats?: 'debug';
  /** Members of the record of a failure. Default: `error`. */
  readonly facts?: (error: unknown) => object;
}

/** The part of a logger that is needed here: shared files know no more of it. */
interface FailureLogger<Event extends string> {
  log(record: {
    readonly level: 'error' | 'warning' | 'notice' | 'debug';
    readonly event: Event;
    readonly message: string;
  }): void;
}

interface FailureTiming {
  /** Milliseconds without a failure before it counts as working, where some uses fail and others do not. Default 0. */
  readonly quiet?: number;
  /** A monotonic clock. */
  readonly now?: () => number;
}

/** Whether something works, logged once when it begins to fail, and once when it works again. */
export class FailureLog<Event extends string> {
  readonly #texts: FailureTexts<Event>;
  readonly #quiet: number;
  readonly #now: () => number;
  #since: number | undefined;
  #latest = 0;

  constructor(
    texts: FailureTexts<Event>,
    { quiet = 0, now = performance.now.bind(performance) }: FailureTiming = {},
  ) {
    this.#texts = texts;
    this.#quiet = quiet;
    this.#now = now;
  }

  /** When it began to fail, by the clock; undefined while it works. */
  get since(): number | undefined {
    return this.#since;
  }

  get isFailing(): boolean {
    return this.#since !== undefined;
  }

  failed(error: unknown, logger: FailureLogger<Event>): void {
    const { event, fails: message, level = 'error', repeats, facts } = this.#texts;
    const isFirst = this.#since === undefined;
    this.#latest = this.#now();
    this.#since ??= this.#latest;
    const said = isFirst ? level : repeats;
    if (said === undefined) return;
    logger.log({ level: said, event, message, ...(facts === undefined ? { error } : facts(error)) });
  }

  worked(logger: FailureLogger<Event>): void {
    if (this.#since === undefined || this.#now() - this.#latest < this.#quiet) return;
    this.#since = undefined;
    const { event, works: message } = this.#texts;
    if (message !== undefined) logger.log({ level: 'notice', event, message });
  }
}
