import { Logger, type LogRecord } from './logger.ts';

const MINUTE = 60_000;
/** Different places of one event that are told each minute. */
const PLACES = 10;

/**
 * Keeps clients from filling a log: each minute one record of an event and the place in the code that failed keeps its
 * level. The others are for debugging. What a message says counts for nothing, for whoever sends requests may choose it:
 * nobody silences an event by causing another one, or the same one elsewhere.
 */
export class RepeatFilter extends Logger {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #seen = new Map<string, Set<string>>();
  #since = -Infinity;

  constructor(logger: Logger, now = (): number => performance.now()) {
    super();
    this.#logger = logger;
    this.#now = now;
  }

  log(record: LogRecord): void {
    this.#logger.log(this.#isNews(record) ? record : { ...record, level: 'debug' });
  }

  #isNews(record: LogRecord): boolean {
    if (this.#now() - this.#since >= MINUTE) {
      this.#seen.clear();
      this.#since = this.#now();
    }
    const places = this.#seen.get(record.event) ?? new Set<string>();
    this.#seen.set(record.event, places);
    const place = placeOf(record['cause']);
    if (places.has(place) || places.size >= PLACES) return false;
    places.add(place);
    return true;
  }
}

/** The name of an error and the line that made it; nothing for what was thrown without one. */
function placeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  const { message, stack = '' } = cause;
  // Behind the message, which may have lines that look like frames
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return `${cause.constructor.name}${/\n\s+at [^\n]*/.exec(frames)?.[0] ?? ''}`;
}
