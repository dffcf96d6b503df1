import type { IncomingHttpHeaders } from 'node:http';

/** Those that decide whether a request is served. */
export interface DecisiveHeaders {
  readonly host: string | undefined;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly revision: string | string[] | undefined;
}

// Each by its name and none in a loop: that is how engines read them fast, and this is done for every request.

export function decisiveOf(headers: IncomingHttpHeaders): DecisiveHeaders {
  return {
    host: headers.host,
    contentType: headers['content-type'],
    accept: headers.accept,
    revision: headers['mcp-protocol-version'],
  };
}

export function isSame(known: DecisiveHeaders, headers: IncomingHttpHeaders): boolean {
  return (
    known.host === headers.host &&
    known.contentType === headers['content-type'] &&
    known.accept === headers.accept &&
    known.revision === headers['mcp-protocol-version']
  );
}

/** Whether it has one that says how the others are to be taken, or belongs to a session. */
export function isStrange(headers: IncomingHttpHeaders): boolean {
  return (
    headers.origin !== undefined ||
    headers['content-encoding'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers['mcp-session-id'] !== undefined
  );
}
