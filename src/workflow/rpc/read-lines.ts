import { addAbortSignal, type Readable } from 'node:stream';
import { LineSplitter, type Line } from './line-splitter.ts';

/** The lines of a stream, as they are asked for. Rejects when the stream fails, and when the signal aborts. */
export async function* readLines(input: Readable, limit: number, signal: AbortSignal): AsyncGenerator<Line> {
  const lines = new LineSplitter(limit);
  for await (const chunk of addAbortSignal(signal, input) as AsyncIterable<Uint8Array | string>) {
    yield* lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }
  yield* lines.end();
}
