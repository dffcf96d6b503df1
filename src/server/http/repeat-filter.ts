import { Logger, type LogRecord } from '../../call/logger.ts';

const MINUTE = 60_000;
/** Whoever sends requests may choose what the messages say. */
const MESSAGES = 10;

/**
 * Keeps clients from filling a log: of each message one record a minute, and so many different messages,
 * keep their level. The others are for debugging.
 */
export class RepeatFilter extends Logger {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #seen = new Set<string>();
  #since = -Infinity;

  constructor(logger: Logger, now: () => number = Date.now) {
    super();
    this.#logger = logger;
    this.#now = now;
  }

  log(record: LogRecord): void {
    this.#logger.log(this.#isNews(record.message) ? record : { ...record, level: 'debug' });
  }

  #isNews(message: string): boolean {
    if (this.#now() - this.#since >= MINUTE) {
      this.#seen.clear();
      this.#since = this.#now();
    }
    if (this.#seen.has(message) || this.#seen.size >= MESSAGES) return false;
    this.#seen.add(message);
    return true;
  }
}
