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
    const members = Object.entries(record).map(([name, member]) => [name, describe(member)] as const);
    this.#stream.write(`${JSON.stringify(redact(Object.fromEntries(members)))}\n`);
  }
}

/** An error has no members that JSON would show. */
function describe(member: unknown): unknown {
  return member instanceof Error ? (member.stack ?? member.message) : member;
}
