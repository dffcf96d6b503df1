import { createHash } from 'node:crypto';
import type { DoorRequest, HttpDoor } from '../../call/http-door.ts';
import type { OptionGroups } from '../../runtime/runtime-facet.ts';
import { publishRemotes, type ServerIdentity } from '../../shared/server-identity.ts';
import type { ServerCardOptions } from './card-options.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const CARD_TYPE = 'application/mcp-server-card+json';
const CATALOG_TYPE = 'application/ai-catalog+json';
/** Below the endpoint: reserved for it by the draft. */
const OWN_PATH = '/server-card';
/** An earlier place, which scanners read still. */
const WELL_KNOWN_CARD = '/.well-known/mcp/server-card.json';
const WELL_KNOWN_CATALOG = '/.well-known/ai-catalog.json';
const METHODS = 'GET, HEAD, OPTIONS';

/** Pages of every origin may read it (SEP-2127: CORS Requirements, Caching). */
const SHARED = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'Accept, Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
});

/** A document that never changes while the application runs. */
interface CardDocument {
  readonly type: string;
  readonly text: string;
  readonly etag: string;
}

/** Answers those who ask for the card of a server, before they connect. It names no tool, prompt or resource. */
export class ServerCard implements HttpDoor {
  /** Nothing is sent here. */
  readonly maxBodyBytes = 1024;
  readonly #card: CardDocument;
  readonly #catalog: CardDocument;

  constructor(card: ServerCardOptions, options: OptionGroups) {
    const content = createCard(card, options);
    this.#card = createDocument(CARD_TYPE, content);
    this.#catalog = createDocument(CATALOG_TYPE, createCatalog(content));
  }

  serves(path: string, isEndpoint: (path: string) => boolean): boolean {
    return this.#find(path) === this.#catalog || path === WELL_KNOWN_CARD || isBelow(path, isEndpoint);
  }

  answer({ method, target, headers }: DoorRequest): Promise<Response> {
    const { type, text, etag } = this.#find(target.replace(/\?.*/s, ''));
    if (method === 'OPTIONS') return reply(null, 204, {});
    if (method !== 'GET' && method !== 'HEAD') return reply(null, 405, { allow: METHODS });
    const cached = { etag, 'cache-control': 'public, max-age=3600' };
    if (isKnown(headers['if-none-match'], etag)) return reply(null, 304, cached);
    return reply(method === 'HEAD' ? null : text, 200, { ...cached, 'content-type': type });
  }

  #find(path: string): CardDocument {
    return path === WELL_KNOWN_CATALOG ? this.#catalog : this.#card;
  }
}

function isBelow(path: string, isEndpoint: (path: string) => boolean): boolean {
  return path.endsWith(OWN_PATH) && isEndpoint(path.slice(0, -OWN_PATH.length) || '/');
}

/** What a card says of an application, for the check of its options. */
export function readIdentity(
  card: ServerCardOptions,
  { name, version, title, auth }: OptionGroups,
): ServerIdentity {
  return { ...card, name: card.name ?? name, version, title, remotes: publishRemotes(card.remotes, auth) };
}

function createCard(card: ServerCardOptions, options: OptionGroups): object {
  const { icons } = options;
  const { name, description, version, title, websiteUrl, repository, remotes } = readIdentity(card, options);
  return {
    ...{ $schema: SCHEMA, name, version, description },
    ...(title === undefined ? {} : { title }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(repository === undefined ? {} : { repository }),
    ...(icons === undefined ? {} : { icons }),
    ...(remotes === undefined ? {} : { remotes }),
  };
}

/** A catalogue of this one server, with its card (AI Catalog 1.0). */
function createCatalog(card: object): object {
  const [domain = '', name = ''] = (card as { readonly name: string }).name.split('/');
  const publisher = domain.split('.').reverse().join('.');
  const entry = { identifier: `urn:air:${publisher}:mcp:${name}`, type: CARD_TYPE, data: card };
  return { specVersion: '1.0', entries: [entry] };
}

function createDocument(type: string, content: object): CardDocument {
  const text = JSON.stringify(content);
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { type, text, etag: `"${digest}"` };
}

/** Compares as caches do (RFC 9110, 13.1.2): weak tags count like strong ones. */
function isKnown(sent: string | undefined, etag: string): boolean {
  const known = sent?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return known.includes('*') || known.includes(etag);
}

function reply(body: string | null, status: number, headers: Record<string, string>): Promise<Response> {
  return Promise.resolve(new Response(body, { status, headers: { ...SHARED, ...headers } }));
}
