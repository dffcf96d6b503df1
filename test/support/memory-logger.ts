import { Logger, type LogRecord } from '../../src/call/logger.ts';

/** Keeps its records. */
export class MemoryLogger extends Logger {
  readonly records: LogRecord[] = [];

  log(record: LogRecord): void {
    this.records.push(record);
  }
}
