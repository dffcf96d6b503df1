import { either, objectWith, rule } from '../shared/option-rules.ts';
import type { LogLevel } from './call-exchange.ts';
import { showValue, thrownMessage } from './thrown-message.ts';

/** One structured log record; further members depend on the event. */
export interface LogRecord {
  readonly level: LogLevel;
  /** A stable name of what happened: `call.failed`, `session.expired`. */
  readonly event: string;
  /** One sentence for people. */
  readonly message: string;
  readonly [member: string]: unknown;
}

/** Where the framework's own log records go; injectable by this class as the token. */
export abstract class Logger {
  abstract log(record: LogRecord): void;
}

/** What the option `logger` takes: an object with `log`, or only the function. */
export type LogFunction = (record: LogRecord) => void;

/** Whether something can log; a class cannot, its instances can. */
export const loggerRule = either(
  objectWith('a logger', 'log'),
  rule(
    'a function that takes a record',
    (value) => typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value)),
  ),
);

/** Warnings and worse, one line each, on stderr: stdout may belong to the protocol. */
export class StderrLogger extends Logger {
  log({ level, event, message, ...members }: LogRecord): void {
    if (level === 'debug' || level === 'info' || level === 'notice') return;
    process.stderr.write(`${level} ${event}: ${message}${describeMembers(members)}\n`);
  }
}

function describeMembers(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : showValue(value)}`)
    .join('');
}

/**
 * A logger that cannot disturb what it reports about: a throw or rejection of the user's logger
 * goes to stderr with the record, and no further.
 */
export class GuardedLogger extends Logger {
  readonly #write: LogFunction;

  constructor(logger: Logger | LogFunction) {
    super();
    this.#write = typeof logger === 'function' ? logger : (record) => logger.log(record);
  }

  log(record: LogRecord): void {
    try {
      // A logger may be async although its type says otherwise
      const outcome: unknown = this.#write(record);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => reportFailure(error, record));
    } catch (error) {
      reportFailure(error, record);
    }
  }
}

function reportFailure(error: unknown, record: LogRecord): void {
  process.stderr.write(`error logger.failed: ${thrownMessage(error)} while logging ${showValue(record)}\n`);
}

const MINUTE = 60_000;
/** Different places of one event that are logged each minute. */
const PLACES = 10;

/**
 * Keeps clients from filling a log: each minute one record of an event and the place in the code that failed keeps its
 * level. The others are for debugging. What a message says counts for nothing, as a client may choose it:
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
