import type { IncomingMessage } from 'node:http';
import type { HeaderReader } from '../../engine/revision.ts';

/** The raw headers. Node's headers object is expensive to create for a short request. */
export class NodeHeaders implements HeaderReader {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    const value = headerOf(this.#incoming.rawHeaders, name);
    // Of several, Node takes the first of some, and all of others.
    return value?.includes(',') === true ? textOf(this.#incoming.headers[name]) : value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    const entries = Object.entries(this.#incoming.headers);
    return entries.map(([name, value]): [string, string] => [name, textOf(value) ?? '']).values();
  }
}

function textOf(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** The bit by which a small letter differs from the capital one. */
const SMALL = 0x20;

/** One that was sent several times counts as one, with a comma between its values (RFC 9110, 5.3). */
export function headerOf(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null;
  const { length } = rawHeaders;
  for (let index = 0; index < length; index += 2) {
    const given = rawHeaders[index] as string;
    // By its length and first letter first: every request is asked for nine of them
    if (given.length !== name.length || (given.charCodeAt(0) | SMALL) !== name.charCodeAt(0)) continue;
    if (given !== name && given.toLowerCase() !== name) continue;
    const value = rawHeaders[index + 1] as string;
    found = found === null ? value : `${found}, ${value}`;
  }
  return found;
}
