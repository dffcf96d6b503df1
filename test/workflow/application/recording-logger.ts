import { Logger, type LogRecord } from '../../../src/index.ts';

/** Keeps its records. */
export class RecordingLogger extends Logger {
  readonly records: LogRecord[] = [];

  log(record: LogRecord): void {
    this.records.push(record);
  }
}
