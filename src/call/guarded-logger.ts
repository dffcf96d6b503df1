import { Logger, type LogFunction, type LogRecord } from './logger.ts';
import { showValue } from './show-value.ts';
import { thrownMessage } from './thrown-message.ts';

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
