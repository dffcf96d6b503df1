const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/** One answer of an HTTP server. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

interface Head {
  readonly status: number;
  readonly bodyStart: number;
  /** Undefined: the body comes in chunks. */
  readonly length: number | undefined;
}

/**
 * Cuts the answers out of what a connection receives. It knows just enough HTTP/1.1 for servers that keep their
 * connections: a client that did more would compete for the processor with the server that it measures.
 */
export class AnswerReader {
  #received: Buffer = Buffer.alloc(0);

  /** The next answer; undefined as long as some of it is missing. */
  read(chunk: Buffer): HttpAnswer | undefined {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const head = readHead(this.#received);
    if (head === undefined) return undefined;
    const { status, bodyStart, length } = head;
    if (length === undefined) return this.#readChunks(status, bodyStart);
    if (this.#received.length < bodyStart + length) return undefined;
    return this.#take(status, this.#received.subarray(bodyStart, bodyStart + length), bodyStart + length);
  }

  #readChunks(status: number, bodyStart: number): HttpAnswer | undefined {
    const received = this.#received;
    const parts: Buffer[] = [];
    for (let position = bodyStart; ;) {
      const lineEnd = received.indexOf(LINE_END, position);
      if (lineEnd === -1) return undefined;
      const size = Number.parseInt(received.toString('latin1', position, lineEnd), 16);
      const start = lineEnd + LINE_END.length;
      const end = start + size + LINE_END.length;
      if (received.length < end) return undefined;
      if (size === 0) return this.#take(status, Buffer.concat(parts), end);
      parts.push(received.subarray(start, start + size));
      position = end;
    }
  }

  #take(status: number, body: Buffer, end: number): HttpAnswer {
    this.#received = this.#received.subarray(end);
    return { status, body };
  }
}

function readHead(received: Buffer): Head | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const text = received.toString('latin1', 0, headEnd).toLowerCase();
  const status = Number(text.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/.exec(text)?.[1];
  const hasChunks = text.includes('\r\ntransfer-encoding: chunked');
  if (length === undefined && !hasChunks) throw new Error(`An answer ${status} without a length`);
  const bodyStart = headEnd + HEAD_END.length;
  return { status, bodyStart, length: length === undefined ? undefined : Number(length) };
}
