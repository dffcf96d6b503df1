import type { LogLevel } from './call-exchange.ts';
import { either, objectWith, rule } from '../shared/option-rules.ts';
import { showValue } from './show-value.ts';

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
