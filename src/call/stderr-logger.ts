import { refuseOptions } from '../errors/option-errors.ts';
import { filledText, oneOf, type OptionRules } from '../shared/option-rules.ts';
import { environmentVariable, instanceName, isTerminal, writeToStderr } from '../shared/platform.ts';
import { logWord, withoutMembers } from '../shared/visible-text.ts';
import { Logger, plainError, type LogRecord } from './logger.ts';
import { LOG_LEVELS, type LogLevel } from './request-context.ts';
import { showValue } from './thrown-message.ts';

/** Options of `StderrLogger`. */
export interface StderrLoggerOptions {
  /**
   * `json` writes one object of JSON for each record, with `time` (ISO 8601, UTC) and `instance`; `text` writes lines for
   * people. Default: the variable `TOOLWRIGHT_LOG`, else `text` in a terminal and `json` elsewhere.
   */
  readonly form?: 'text' | 'json';
  /** The least severe level that is written. Default: `warning`, and the access log. */
  readonly level?: LogLevel;
  /** What `instance` says in JSON. Default: the name of the host and the id of the process, `host:4711`. */
  readonly instance?: string;
}

const RULES: OptionRules<StderrLoggerOptions> = {
  form: oneOf('text', 'json'),
  level: oneOf(...LOG_LEVELS),
  instance: filledText,
};

/**
 * Warnings and worse, and the access log, one line each, on stderr: stdout may belong to the protocol. In a terminal it is
 * text, else JSON. Clients choose some of the texts: no text begins a line, and control characters are shown by their
 * codes. In the form of text, members of more than one word are in quotes and further lines are indented.
 *
 * @throws ToolwrightError `TW_APPLICATION_OPTION`
 * @example
 * const logger = new StderrLogger({ form: 'json', level: 'notice', instance: 'worker-1' });
 * const app = await McpApplication.create(AppModule, { logger });
 */
export class StderrLogger extends Logger {
  readonly #options: StderrLoggerOptions;
  #write: ((record: LogRecord) => void) | undefined;

  /** Creates a logger. Default: that of an application without the option `logger`. */
  constructor(options: StderrLoggerOptions = {}) {
    super();
    refuseOptions('TW_APPLICATION_OPTION', 'new StderrLogger()', options, RULES);
    this.#options = options;
  }

  log(record: LogRecord): void {
    if (!isWanted(record, this.#options.level)) return;
    this.#write ??= chooseWriter(this.#options);
    this.#write(record);
  }
}

function isWanted({ level, event }: LogRecord, lowest: LogLevel | undefined): boolean {
  if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lowest ?? 'warning')) return true;
  // Who does not want the access log does not ask for it
  return lowest === undefined && (event === 'request.served' || event === 'request.refused');
}

function chooseWriter({ form, instance = instanceName() }: StderrLoggerOptions): (record: LogRecord) => void {
  const wanted = form ?? environmentVariable('TOOLWRIGHT_LOG');
  const isText = wanted === 'text' || (wanted !== 'json' && isTerminal());
  return isText ? writeText : (record) => writeToStderr(jsonLine(record, instance));
}

function writeText({ level, event, message, ...members }: LogRecord): void {
  writeToStderr(`${level} ${event}: ${withoutMembers(message)}${describeMembers(members)}`);
}

function describeMembers(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(
      ([name, value]) =>
        ` ${logWord(name)}=${typeof value === 'string' ? logWord(value) : withoutMembers(showValue(value))}`,
    )
    .join('');
}

function jsonLine({ level, event, message, ...members }: LogRecord, instance: string): string {
  const own = { time: new Date().toISOString(), level, event, message, instance };
  try {
    return JSON.stringify({ ...own, ...members, ...own }, plainValue);
  } catch {
    // A cycle, or a getter that throws
    return JSON.stringify({ ...own, record: showValue(members) });
  }
}

function plainValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  // Not enumerable, as all that an error has of itself
  const cause = value instanceof Error ? value.cause : undefined;
  return cause === undefined ? plainError(value) : { ...(plainError(value) as object), cause };
}
