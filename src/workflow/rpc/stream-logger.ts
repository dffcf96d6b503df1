import type { Writable } from 'node:stream';
import { Logger, type LogRecord } from '../../index.ts';
import { redact } from '../domain/errors/redact.ts';

/** Warnings and worse, one line of JSON each. */
export class StreamLogger extends Logger {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
  }

  log(record: LogRecord): void {
    if (record.level === 'debug' || record.level === 'info' || record.level === 'notice') return;
    const { error, ...members } = record;
    const told = error === undefined ? members : { ...members, error: describe(error) };
    this.#stream.write(`${JSON.stringify(redact(told))}\n`);
  }
}

/** An error has no members that JSON would show. */
function describe(error: unknown): unknown {
  return error instanceof Error ? (error.stack ?? error.message) : error;
}
