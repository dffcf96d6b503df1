import { REVISIONS_2025 } from '../../../engine/protocol.ts';
import { isRevisionOf2026 } from '../../../shared/protocol-era.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { HttpSettings } from '../http-options.ts';

/**
 * What guards see of a request before anybody is asked who calls, and before its body is read. With the same head they
 * say the same again; a guard that needs another header adds it here.
 */
export interface RequestHead {
  readonly method: string;
  /** What it calls, as it was sent. */
  readonly target: string;
  /** Of the target, without the query. A URL has it with its dots resolved, and knows other signs for a slash. */
  readonly path: string;
  /** The host that the client believes it talks to. */
  readonly host: string | null;
  readonly origin: string | null;
  readonly accept: string | null;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly transferEncoding: string | null;
  /** Of the protocol. */
  readonly revision: string | null;
  /** True where somebody has read the body before: whatever encodings its headers name are undone. */
  readonly isDecoded: boolean;
}

/** The names that a browser on this machine may use for this machine. */
export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses what must never reach a session. Host and Origin come first: a page that a browser loaded from
 * elsewhere must learn nothing at all (spec: basic/transports, Security Warning; DNS rebinding).
 * @returns the origin of the page that sent the request, if one did
 */
export function guardSource(
  { host, origin }: Pick<RequestHead, 'host' | 'origin'>,
  { allowedHosts, allowedOrigins }: Pick<HttpSettings, 'allowedHosts' | 'allowedOrigins'>,
): string | undefined {
  checkHost(host, allowedHosts);
  if (origin === null) return undefined;
  if (isLoopback(origin) || allowedOrigins.includes(origin)) return origin;
  throw new HttpRefusal(403, `Origin ${quote(origin)} is not allowed; see the option allowedOrigins`);
}

export function guardTarget(
  { path: given, method }: Pick<RequestHead, 'path' | 'method'>,
  path: string | undefined,
  methods: readonly string[],
): void {
  if (path !== undefined && withoutSlash(given) !== withoutSlash(path)) {
    throw new HttpRefusal(404, `Nothing is served at this path; the endpoint is ${path}`);
  }
  if (!methods.includes(method)) {
    const isStateless = !methods.includes('GET');
    const why = isStateless ? 'There is no session and no standalone stream here' : 'Method not allowed';
    throw new HttpRefusal(405, `${why}; use ${methods.join(', ')}`, {
      headers: { allow: methods.join(', ') },
    });
  }
}

const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;

/** What is wrong with how a body is said to be written. */
export function contentFault({
  contentType,
  contentEncoding,
  isDecoded,
}: Pick<RequestHead, 'contentType' | 'contentEncoding' | 'isDecoded'>): HttpRefusal | undefined {
  const [mediaType, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (mediaType !== 'application/json') return new HttpRefusal(415, 'Content-Type must be application/json');
  if (isDecoded) return undefined;
  if (parameters.some((parameter) => parameter.startsWith('charset') && !UTF_8.test(parameter))) {
    // RFC 8259, 8.1; read as UTF-8, another encoding would be another text.
    return new HttpRefusal(415, 'JSON must be sent in UTF-8');
  }
  const encoding = contentEncoding ?? 'identity';
  if (encoding.trim().toLowerCase() === 'identity') return undefined;
  // RFC 9110, 12.5.3: this response says which codings would have been accepted.
  const text = `Content-Encoding ${encoding.slice(0, 20)} is not supported; send it as it is`;
  return new HttpRefusal(415, text, { headers: { 'accept-encoding': 'identity' } });
}

const JSON_TYPE = 'application/json';
const EVENT_STREAM = 'text/event-stream';

/** What is wrong with what the client of a POST accepts (spec 2025-11-25: basic/transports, Sending Messages). */
export function acceptFault({ accept }: Pick<RequestHead, 'accept'>): HttpRefusal | undefined {
  if (accept?.includes(JSON_TYPE) === true && accept.includes(EVENT_STREAM)) return undefined;
  const text = 'Not Acceptable: the client must accept both application/json and text/event-stream';
  return new HttpRefusal(406, text);
}

/** The same of a GET, which only a stream answers. */
export function checkStreamAccept({ accept }: Pick<RequestHead, 'accept'>): void {
  if (accept?.includes(EVENT_STREAM) === true) return;
  throw new HttpRefusal(406, 'Not Acceptable: the client must accept text/event-stream');
}

/** Same spec page, Protocol Version Header: what is unsupported is answered with 400. */
export function revisionFault({ revision }: Pick<RequestHead, 'revision'>): HttpRefusal | undefined {
  if (revision === null || REVISIONS_2025.includes(revision)) return undefined;
  const supported = REVISIONS_2025.join(', ');
  const given = JSON.stringify(revision.slice(0, 40));
  return new HttpRefusal(400, `Unsupported protocol version ${given}; supported are ${supported}`);
}

/** What the guards found of a head. The faults count for some of the messages that it may come with. */
export interface CheckedHead {
  readonly head: RequestHead;
  readonly url: URL;
  /** The revision that it names, where that is one since 2026-07-28. */
  readonly revisionOf2026: string | undefined;
  /** Of the page that sent it. */
  readonly allowedOrigin: string | undefined;
  readonly contentFault: HttpRefusal | undefined;
  readonly acceptFault: HttpRefusal | undefined;
  readonly revisionFault: HttpRefusal | undefined;
}

/** What the other guards find. Its source and its target were let pass. */
export function checkedHead(
  given: RequestHead & { readonly url: URL; readonly allowedOrigin: string | undefined },
): CheckedHead {
  const { method, target, path, host, origin, accept } = given;
  const { contentType, contentEncoding, transferEncoding, revision, isDecoded, url, allowedOrigin } = given;
  // A copy: what is known of a head outlives the request that it came with.
  const head: RequestHead = {
    method,
    target,
    path,
    host,
    origin,
    accept,
    contentType,
    contentEncoding,
    transferEncoding,
    revision,
    isDecoded,
  };
  return {
    head,
    url,
    revisionOf2026: revision !== null && isRevisionOf2026(revision) ? revision : undefined,
    allowedOrigin,
    contentFault: contentFault(head),
    acceptFault: acceptFault(head),
    revisionFault: revisionFault(head),
  };
}

function checkHost(host: string | null, allowed: readonly string[] | undefined): void {
  if (allowed === undefined) return;
  const given = (host ?? '').toLowerCase();
  const name = given.replace(/:\d+$/, '');
  const isAllowed = allowed.some((entry) => [given, name].includes(entry.toLowerCase()));
  if (!isAllowed)
    throw new HttpRefusal(403, `Host ${quote(host)} is not allowed; see the option allowedHosts`);
}

/** Only what a browser sends: an origin in any other spelling comes from something else. */
function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return (
    ['http:', 'https:'].includes(url.protocol) &&
    url.origin === origin &&
    LOOPBACK_NAMES.includes(url.hostname)
  );
}

export function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '');
}

function quote(value: string | null): string {
  return value === null ? '(none)' : JSON.stringify(value.slice(0, 100));
}
