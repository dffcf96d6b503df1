import type { IncomingHttpHeaders } from 'node:http';

/** Those that decide whether a request is served: with the same ones, what the guards said counts again. */
export const COMPARED_HEADERS = ['host', 'content-type', 'accept', 'mcp-protocol-version'] as const;

/** Those that say how the others are to be taken, or belong to a session: with one of them, nothing counts again. */
export const STRANGE_HEADERS = ['origin', 'content-encoding', 'transfer-encoding', 'mcp-session-id'] as const;

type ComparedHeader = (typeof COMPARED_HEADERS)[number];
/** All that a guard may read; the length is checked for each request. */
export type GuardedHeader = ComparedHeader | (typeof STRANGE_HEADERS)[number] | 'content-length';

/**
 * What a guard sees of the headers. What it said of a request is taken to be true of the next one with the same head, so
 * one that needs a further header adds it to those that are compared; without that, it does not compile.
 */
export interface GuardedHeaders {
  get(name: GuardedHeader): string | null;
  has(name: GuardedHeader): boolean;
}

/** What a guard sees of a request. */
export interface GuardedHead {
  readonly method: string;
  readonly path: string;
  readonly host: string | null;
  readonly headers: GuardedHeaders;
}

export type DecisiveHeaders = Readonly<Record<ComparedHeader, string | string[] | undefined>>;

// Each by its name and none in a loop: that is how engines read them fast, and this is done for every request.

export function decisiveOf(headers: IncomingHttpHeaders): DecisiveHeaders {
  return {
    host: headers.host,
    'content-type': headers['content-type'],
    accept: headers.accept,
    'mcp-protocol-version': headers['mcp-protocol-version'],
  };
}

export function isSame(known: DecisiveHeaders, headers: IncomingHttpHeaders): boolean {
  return (
    known.host === headers.host &&
    known['content-type'] === headers['content-type'] &&
    known.accept === headers.accept &&
    known['mcp-protocol-version'] === headers['mcp-protocol-version']
  );
}

export function isStrange(headers: IncomingHttpHeaders): boolean {
  return (
    headers.origin !== undefined ||
    headers['content-encoding'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers['mcp-session-id'] !== undefined
  );
}
