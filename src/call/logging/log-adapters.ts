import type { LogLevel } from '../request-context.ts';
import type { LogFunction, LogRecord } from '../logger.ts';

/** A logger as pino makes it, as far as records need it. */
export interface PinoLike {
  debug(members: object, message: string): unknown;
  info(members: object, message: string): unknown;
  warn(members: object, message: string): unknown;
  error(members: object, message: string): unknown;
  fatal(members: object, message: string): unknown;
}

/** A logger as winston makes it, as far as records need it. */
export interface WinstonLike {
  log(entry: { readonly level: string; readonly message: string }): unknown;
}

/** `console`, or what can do the same. */
export interface ConsoleLike {
  debug(...values: readonly unknown[]): unknown;
  info(...values: readonly unknown[]): unknown;
  warn(...values: readonly unknown[]): unknown;
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
    target[named === 'fatal' ? 'error' : named](`${level} ${event}: ${message}`, ...values);
  };
}

type Members = Omit<LogRecord, 'level' | 'message'>;

/** Both libraries look for a thrown value at `err`. */
function withThrown({ error, cause, ...members }: Members): Readonly<Record<string, unknown>> {
  const err = error ?? cause;
  return err === undefined ? members : { ...members, err };
}

/** The members of an Error are not enumerable, so JSON would lose them. */
function plainError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { name, message, stack } = thrown;
  return { ...Object.fromEntries(Object.entries(thrown)), name, message, stack };
}
