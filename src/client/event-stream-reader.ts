/** One event of a stream (HTML standard, 9.2.6 Interpreting an event stream). */
export interface ServerEvent {
  readonly data: string;
  readonly id: string | undefined;
  /** Milliseconds after which to come back when the stream broke. */
  readonly retry: number | undefined;
}

/** In characters. A server must not fill the memory of its client with one event that never ends. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/** Reads the events of a response body, also of one that was cut at any byte. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let event: EventDraft = newDraft();
  let rest = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > LONGEST_EVENT) throw new RangeError('An event of the server is too long');
    // A carriage return at the end may be the first half of a line break
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const done = takeLine(event, line);
      if (done === undefined) continue;
      event = newDraft();
      yield done;
    }
  }
  const last = rest === '\r' ? takeLine(event, '') : undefined;
  if (last !== undefined) yield last;
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

/** The event, when the line ends one that says something. */
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
