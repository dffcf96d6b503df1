import { addAbortSignal, type Readable } from 'node:stream';
import { LineReader, type Line } from '../../shared/line-reader.ts';

const CARRIAGE_RETURN = 0x0d;

/** The lines of a stream, as they are asked for. Rejects when the stream fails, and when the signal aborts. */
export async function* readLines(input: Readable, limit: number, signal: AbortSignal): AsyncGenerator<Line> {
  // One more, as it may be the carriage return of a CRLF
  const reader = new LineReader(limit + 1);
  for await (const chunk of addAbortSignal(signal, input) as AsyncIterable<Uint8Array | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (const line of reader.push(bytes)) yield withoutReturn(line, limit);
  }
  for (const line of reader.end()) yield withoutReturn(line, limit);
}

function withoutReturn(line: Line, limit: number): Line {
  if (line === 'too-long') return line;
  const { bytes } = line;
  const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  return length > limit ? 'too-long' : { bytes: bytes.subarray(0, length) };
}
