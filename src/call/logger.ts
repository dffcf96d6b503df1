import { isThenable } from '../shared/maybe-promise.ts';
import { writeToStderr } from '../shared/platform.ts';
import { logEntry } from '../shared/visible-text.ts';
import { REDACTED, redactValue, type SensitiveValues } from '../errors/redact.ts';
import type { LogLevel } from './request-context.ts';
import type { LogEvent, OwnLogEvent } from './log-events.ts';
import { showValue, thrownMessage } from './thrown-message.ts';

/** One structured log record; further members depend on the event. */
export interface LogRecord {
  /** How severe the event is. */
  readonly level: LogLevel;
  /** A stable name of what happened: `call.failed`; names of your own have a colon: `orders:shipped`. */
  readonly event: LogEvent | OwnLogEvent;
  /** One sentence for people. */
  readonly message: string;
  /** Further facts of the event; `LOG_EVENTS` names them. */
  readonly [member: string]: unknown;
}

/** Takes the framework's log records; this class is also its injection token. */
export abstract class Logger {
  /** Takes one record. It must not throw, and nothing waits for what it returns. */
  abstract log(record: LogRecord): void;
}

/** A logger given as a function. */
export type LogFunction = (record: LogRecord) => void;

/**
 * Protects the caller from the user's logger: what it throws, or rejects with, goes to stderr with the record. And keeps
 * from the logger what must not be shown.
 */
export class SafeLogger extends Logger {
  readonly #write: LogFunction;
  readonly #hidden: () => SensitiveValues;
  readonly #facts: () => object;

  /** @param facts what each record has beside its own members */
  constructor(
    logger: Logger | LogFunction,
    hidden: () => SensitiveValues = () => [],
    facts: () => object = () => ({}),
  ) {
    super();
    this.#hidden = hidden;
    this.#facts = facts;
    this.#write = typeof logger === 'function' ? logger : (record) => logger.log(record);
  }

  log(record: LogRecord): void {
    const { level, event } = record;
    let shown: LogRecord = { level, event, message: REDACTED };
    try {
      shown = { ...this.#facts(), ...(redactValue(record, this.#hidden()) as LogRecord), level, event };
      // A logger may be async although its type says otherwise
      const outcome: unknown = this.#write(shown);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => reportFailure(error, shown));
    } catch (error) {
      reportFailure(error, shown);
    }
  }
}

function reportFailure(error: unknown, record: LogRecord): void {
  writeToStderr(`error logger.failed: ${thrownMessage(error)} while logging ${showValue(record)}`);
}

/** Gets an error, and the log record that says where it happened. */
export type ErrorHook = (error: unknown, record: LogRecord) => unknown;

/** A logger that also gives the errors of the framework's records to a hook. Repeats, which are `debug`, are left out. */
export function withErrorHook(
  logger: Logger,
  hook: ErrorHook | undefined,
  hidden: readonly string[],
): Logger {
  if (hook === undefined) return logger;
  const failed = (error: unknown): void => {
    const message = 'The option onError failed';
    logger.log({ level: 'error', event: 'error-hook.failed', message, error });
  };
  const log = (record: LogRecord): void => {
    logger.log(record);
    const { level, event, error = record['cause'] } = record;
    // Events of applications have a colon: they know their own errors
    if (level === 'debug' || error === undefined || event.includes(':')) return;
    try {
      const shown = redactValue(record, hidden) as LogRecord;
      const outcome = hook(shown['error'] ?? shown['cause'], shown);
      if (isThenable(outcome)) void outcome.then(undefined, failed);
    } catch (thrown) {
      failed(thrown);
    }
  };
  return new SafeLogger(log);
}

const MINUTE = 60_000;
/** Different places of one event that are logged each minute. */
const PLACES = 10;

/**
 * Keeps clients from filling the log: per minute, one record of each event, failing line of code and reason keeps its
 * level, and repeats are lowered to `debug`. The message is not compared, because a client may choose its text: no client
 * can silence one event by causing another.
 */
export class DedupingLogger extends Logger {
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
    this.#logger.log(this.#isNew(record) ? record : { ...record, level: 'debug' });
  }

  #isNew(record: LogRecord): boolean {
    if (this.#now() - this.#since >= MINUTE) {
      this.#seen.clear();
      this.#since = this.#now();
    }
    const places = this.#seen.get(record.event) ?? new Set<string>();
    this.#seen.set(record.event, places);
    const place = `${placeOf(record['cause'])} ${showValue(record['reason'])}`;
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

/** A logger as pino makes it, as far as records need it. */
export interface PinoLike {
  /** Writes a record of the level `debug`. */
  debug(members: object, message: string): unknown;
  /** Writes a record of the levels `info` and `notice`. */
  info(members: object, message: string): unknown;
  /** Writes a record of the level `warning`. */
  warn(members: object, message: string): unknown;
  /** Writes a record of the level `error`. */
  error(members: object, message: string): unknown;
  /** Writes a record of the levels `critical`, `alert` and `emergency`. */
  fatal(members: object, message: string): unknown;
}

/** A logger as winston makes it, as far as records need it. */
export interface WinstonLike {
  /** Writes a record at the level that it names. */
  log(entry: { readonly level: string; readonly message: string }): unknown;
}

/** `console`, or what can do the same. */
export interface ConsoleLike {
  /** Writes a record of the level `debug`. */
  debug(...values: readonly unknown[]): unknown;
  /** Writes a record of the levels `info` and `notice`. */
  info(...values: readonly unknown[]): unknown;
  /** Writes a record of the level `warning`. */
  warn(...values: readonly unknown[]): unknown;
  /** Writes a record of the level `error` or worse. */
  error(...values: readonly unknown[]): unknown;
}

const PINO_METHODS = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'fatal',
  alert: 'fatal',
  emergency: 'fatal',
} as const satisfies Record<LogLevel, keyof PinoLike>;

/**
 * What the option `logger` takes, of a logger of pino: `critical` and worse become `fatal`, `notice` becomes `info`, and
 * the thrown value of a record becomes `err`, of which pino writes the stack.
 *
 * @example
 * import { pino } from 'pino';
 *
 * const app = await McpApplication.create(AppModule, { logger: pinoLogger(pino()) });
 */
export function pinoLogger(pino: PinoLike): LogFunction {
  return ({ level, message, ...members }) => {
    pino[PINO_METHODS[level]](withThrown(members), message);
  };
}

const WINSTON_LEVELS: Readonly<Record<LogLevel, string>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/**
 * What the option `logger` takes, of a logger of winston with its usual levels: `critical` and worse become `error`,
 * `notice` becomes `info`. The thrown value of a record is in `err`, as `{ name, message, stack }`.
 *
 * @param levels other names of levels, for a logger with levels of its own, such as `winston.config.syslog.levels`
 * @example
 * import { createLogger, transports } from 'winston';
 *
 * const winston = createLogger({ transports: [new transports.File({ filename: 'server.log' })] });
 * const app = await McpApplication.create(AppModule, { logger: winstonLogger(winston) });
 */
export function winstonLogger(
  winston: WinstonLike,
  levels: Partial<Readonly<Record<LogLevel, string>>> = {},
): LogFunction {
  return ({ level, message, ...members }) => {
    const { err, ...others } = withThrown(members);
    const thrown = err === undefined ? {} : { err: plainError(err) };
    winston.log({ ...others, ...thrown, level: levels[level] ?? WINSTON_LEVELS[level], message });
  };
}

/**
 * What the option `logger` takes, of `console` or another object with its methods. `debug` and `info` go to stdout
 * there: with `stdio()`, which keeps stdout for the protocol, they come out on stderr like all that is printed.
 *
 * @example
 * const app = await McpApplication.create(AppModule, { logger: consoleLogger(console) });
 */
export function consoleLogger(target: ConsoleLike = console): LogFunction {
  return ({ level, event, message, ...members }) => {
    const named = PINO_METHODS[level];
    const values = Object.keys(members).length === 0 ? [] : [members];
    target[named === 'fatal' ? 'error' : named](logEntry(`${level} ${event}: ${message}`), ...values);
  };
}

type Members = Omit<LogRecord, 'level' | 'message'>;

/** Both libraries look for a thrown value at `err`. */
function withThrown({ error, cause, ...members }: Members): Readonly<Record<string, unknown>> {
  const err = error ?? cause;
  return err === undefined ? members : { ...members, err };
}

/** The members of an Error are not enumerable, so JSON would lose them. */
export function plainError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { name, message, stack } = thrown;
  return { ...Object.fromEntries(Object.entries(thrown)), name, message, stack };
}
