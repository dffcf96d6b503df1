import { REVISIONS_2025 } from '../../../engine/protocol.ts';
import { isLoopbackUrl } from '../../../shared/loopback.ts';
import { isRevisionOf2026 } from '../../../shared/protocol.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { HttpSettings } from '../http-options.ts';
import { accepts } from './accepts.ts';

/**
 * The part of a request that guards see before authentication, and before the body is read. Equal heads get equal
 * answers (`KnownHeads`); a guard that needs another header adds it here. A header that was sent more than once has all
 * of its values.
 */
export interface RequestHead {
  readonly method: string;
  /** The request target, as it was sent. */
  readonly target: string;
  /**
   * The path of the target, without the query. Not from a URL, which resolves dots and reads backslashes as slashes.
   */
  readonly path: string;
  /** The host that the client has addressed. */
  readonly host: string | null;
  /** The header Host, which a target that names all of it outweighs. */
  readonly sentHost: string | null;
  readonly origin: string | null;
  readonly accept: string | null;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly transferEncoding: string | null;
  /** Of the protocol. */
  readonly revision: string | null;
  /** True where other code has read the body before, and decoded it. */
  readonly isDecoded: boolean;
}

/**
 * Refuses what must never reach a session. Host and Origin come first: a page that a browser loaded from
 * elsewhere must learn nothing at all (spec: basic/transports, Security Warning; DNS rebinding).
 * @returns the origin of the page that sent the request, if one did
 */
export function guardSource(
  { host, origin }: Pick<RequestHead, 'host' | 'origin'>,
  { allowedHosts, allowedOrigins, localOrigins }: SourceSettings,
): string | undefined {
  checkHost(host, allowedHosts);
  if (origin === null) return undefined;
  const isOpen =
    localOrigins !== 'own' || portIn(origin) === portIn(origin.replace(/\/\/.*/s, `//${host ?? ''}`));
  if ((isLoopbackOrigin(origin) && isOpen) || allowedOrigins.includes(origin)) return origin;
  throw new HttpRefusal(403, `Origin ${quote(origin)} is not allowed; see the option allowedOrigins`);
}

type SourceSettings = Pick<HttpSettings, 'allowedHosts' | 'allowedOrigins' | 'localOrigins'>;

/** Empty for the port that a scheme has by default; undefined for what is not a URL. */
function portIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).port : undefined;
}

export function guardTarget(
  { path: given, method }: Pick<RequestHead, 'path' | 'method'>,
  path: string | undefined,
  methods: readonly string[],
): void {
  if (path !== undefined && withoutSlash(given) !== withoutSlash(path)) {
    throw notServed(path);
  }
  if (!methods.includes(method)) {
    const isStateless = !methods.includes('GET');
    const why = isStateless ? 'There is no session and no standalone stream here' : 'Method not allowed';
    throw new HttpRefusal(405, `${why}; use ${methods.join(', ')}`, {
      headers: { allow: methods.join(', ') },
    });
  }
}

export function notServed(endpoint: string): HttpRefusal {
  return new HttpRefusal(404, `Nothing is served at this path; the endpoint is ${endpoint}`);
}

const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;

/** What is wrong with the media type or encoding of a body. */
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

/**
 * What is wrong with the Accept header of a POST (spec 2025-11-25: basic/transports, Sending Messages).
 * @param isPlain whether no answer is a stream
 */
export function acceptFault(
  { accept }: Pick<RequestHead, 'accept'>,
  isPlain = false,
): HttpRefusal | undefined {
  if (accepts(accept, JSON_TYPE) && (isPlain || accepts(accept, EVENT_STREAM))) return undefined;
  const needed = isPlain ? 'application/json' : 'both application/json and text/event-stream';
  return new HttpRefusal(406, `Not Acceptable: the client must accept ${needed}`);
}

/** The same for a GET, which is answered with a stream. */
export function checkStreamAccept({ accept }: Pick<RequestHead, 'accept'>): void {
  if (accepts(accept, EVENT_STREAM)) return;
  throw new HttpRefusal(406, 'Not Acceptable: the client must accept text/event-stream');
}

/** Same spec page, Protocol Version Header: an unsupported version is answered with 400. */
export function revisionFault({ revision }: Pick<RequestHead, 'revision'>): HttpRefusal | undefined {
  if (revision === null || REVISIONS_2025.includes(revision)) return undefined;
  const supported = REVISIONS_2025.join(', ');
  const given = JSON.stringify(revision.slice(0, 40));
  return new HttpRefusal(400, `Unsupported protocol version ${given}; supported are ${supported}`);
}

/** The result of the guards for a head. Some faults apply to some messages only. */
export interface CheckedHead {
  readonly head: RequestHead;
  readonly url: URL;
  /** The path without the name of a surface. */
  readonly place: string;
  /** The surface that the path chose, or else the query. */
  readonly surface: string | undefined;
  /** The end of the path that chose it: `/flat`; empty where the path chose none. */
  readonly surfacePath: string;
  /** The revision in the header, if it is one since 2026-07-28. */
  readonly revisionOf2026: string | undefined;
  /** Of the page that sent it. */
  readonly allowedOrigin: string | undefined;
  readonly contentFault: HttpRefusal | undefined;
  readonly acceptFault: HttpRefusal | undefined;
  readonly revisionFault: HttpRefusal | undefined;
}

/** Runs the other guards; host, origin and path have passed. */
export function checkedHead(
  given: RequestHead & { readonly url: URL; readonly allowedOrigin: string | undefined },
  { json }: Pick<HttpSettings, 'json'>,
  { place, surface, surfacePath }: Pick<CheckedHead, 'place' | 'surface' | 'surfacePath'>,
): CheckedHead {
  const { method, target, path, host, sentHost, origin, accept } = given;
  const { contentType, contentEncoding, transferEncoding, revision, isDecoded, url, allowedOrigin } = given;
  // A copy, because the cached head outlives its request.
  const head: RequestHead = {
    method,
    target,
    path,
    host,
    sentHost,
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
    place,
    surface,
    surfacePath,
    revisionOf2026: revision !== null && isRevisionOf2026(revision) ? revision : undefined,
    allowedOrigin,
    contentFault: contentFault(head),
    acceptFault: acceptFault(head, json),
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

/** Only the spelling of browsers; any other is not an origin. */
function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return ['http:', 'https:'].includes(url.protocol) && url.origin === origin && isLoopbackUrl(url);
}

export function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '');
}

function quote(value: string | null): string {
  return value === null ? '(none)' : JSON.stringify(value.slice(0, 100));
}
