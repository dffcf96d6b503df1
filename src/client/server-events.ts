import { ByteCollector } from '../shared/byte-collector.ts';

/** One event of a stream (HTML standard, 9.2.6 Interpreting an event stream). */
export interface ServerEvent {
  readonly data: string;
  readonly id: string | undefined;
  /** Milliseconds to wait before reconnecting. */
  readonly retry: number | undefined;
}

/** How much one event may be, and what is thrown for more. */
export interface EventLimit {
  readonly bytes: number;
  readonly tooLarge: () => Error;
}

/** Reads the events of a response body, however its bytes are split into chunks. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  limit: EventLimit,
): AsyncGenerator<ServerEvent> {
  const lines = new StreamLines(limit);
  let event: EventDraft = newDraft();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    for (const line of lines.push(chunk)) {
      const done = takeLine(event, line);
      if (done === undefined) continue;
      event = newDraft();
      yield done;
    }
  }
}

const [NEWLINE, RETURN] = [0x0a, 0x0d];

/** Splits bytes into lines, which end with a newline, a carriage return, or both; an empty one ends an event. */
class StreamLines {
  readonly #limit: EventLimit;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The line that has no end yet. */
  readonly #open: ByteCollector;
  /** Bytes of the event before it. */
  #before = 0;
  #isFirst = true;
  #endedByReturn = false;

  constructor(limit: EventLimit) {
    this.#limit = limit;
    this.#open = new ByteCollector(limit.bytes);
  }

  *push(chunk: Uint8Array): Generator<string> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte !== NEWLINE && byte !== RETURN) continue;
      // The second half of a line break that has ended its line already
      const isRest = byte === NEWLINE && at === start && this.#endedByReturn;
      const piece = chunk.subarray(start, at);
      start = at + 1;
      this.#endedByReturn = byte === RETURN;
      if (!isRest) yield this.#complete(piece);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(piece: Uint8Array): void {
    this.#endedByReturn = false;
    this.#open.add(piece);
    if (this.#before + this.#open.size > this.#limit.bytes) throw this.#limit.tooLarge();
  }

  #complete(piece: Uint8Array): string {
    const isWhole = this.#open.size === 0;
    if (!isWhole) this.#open.add(piece);
    const size = isWhole ? piece.length : this.#open.size;
    this.#before = size === 0 ? 0 : this.#before + size;
    if (this.#before > this.#limit.bytes) throw this.#limit.tooLarge();
    const line = this.#decoder.decode(isWhole ? piece : this.#open.take());
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst ? line.replace(/^\uFEFF/, '') : line;
  }
}

interface EventDraft {
  data: string[];
  id: string | undefined;
  retry: number | undefined;
}

function newDraft(): EventDraft {
  return { data: [], id: undefined, retry: undefined };
}

function isFilled({ data, id, retry }: EventDraft): boolean {
  return data.length > 0 || id !== undefined || retry !== undefined;
}

/** The event, if the line completes one with content. */
function takeLine(event: EventDraft, line: string): ServerEvent | undefined {
  if (line === '') return isFilled(event) ? finished(event) : undefined;
  addLine(event, line);
  return undefined;
}

function addLine(event: EventDraft, line: string): void {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (name === 'data') event.data.push(value);
  else if (name === 'id') event.id = value;
  else if (name === 'retry' && /^\d+$/.test(value)) event.retry = Number(value);
}

function finished({ data, id, retry }: EventDraft): ServerEvent {
  return { data: data.join('\n'), id, retry };
}
