import { METHOD_NOT_FOUND, ProtocolError } from '../call/protocol-error.ts';
import { unusableAnswer, tooLarge } from '../client/client-errors.ts';
import { untouched } from '../runtime/lists/lists.ts';
import type { RemoteList } from '../runtime/runtime-facet.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { isPlainName, type ProxyNames } from './names.ts';
import { LIST_MEMBERS, rewriteDefinition } from './rewrite.ts';
import { MAX_ANSWER_BYTES, type UpstreamClient } from './upstream-client.ts';

/** An entry of a list of the server. */
export interface ProxiedThing {
  /** Its name or URI at the server. */
  readonly theirs: string;
  /** As the server describes it. */
  readonly definition: PlainObject;
  /** As it is listed here. */
  readonly listed: PlainObject;
}

type ByKey = ReadonlyMap<string, ProxiedThing>;

/** All that a server offers here, at one time. */
export interface ProxiedCatalogue {
  /** By the names, URIs and templates of here. */
  readonly things: Readonly<Record<RemoteList, ByKey>>;
  readonly lists: Readonly<Record<RemoteList, readonly object[]>>;
}

/** What a server has listed. */
export interface ServerLists {
  readonly entries: Readonly<Record<RemoteList, readonly PlainObject[]>>;
  /** Milliseconds that it lets its clients keep the lists; undefined where it does not say it. */
  readonly ttl: number | undefined;
}

const MAX_ENTRIES = 10_000;
const MAX_PAGES = 1000;
const TOO_MANY = `it has more than ${String(MAX_ENTRIES)} entries.`;
const METHODS = Object.keys(LIST_MEMBERS) as readonly RemoteList[];
const PARTS: Readonly<Record<RemoteList, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
};

/** Sends one request for a page of a list. */
export type AskForList = (method: RemoteList, params: PlainObject) => Promise<PlainObject>;

/**
 * Reads all lists that a server says it has.
 * @throws ToolwrightError TW_CLIENT_ANSWER for what is not a list and for more than 10,000 entries, TW_CLIENT_LIMIT for more than 16 MiB
 */
export async function readLists(
  { server }: Pick<UpstreamClient, 'server'>,
  place: string,
  ask: AskForList,
): Promise<ServerLists> {
  const read = await Promise.all(
    METHODS.map(async (method) => {
      const isServed = server.capabilities[PARTS[method]] !== undefined;
      return [method, isServed ? await readList(method, place, ask) : NO_LIST] as const;
    }),
  );
  const times = read.flatMap(([, { ttl }]) => (ttl === undefined ? [] : [ttl]));
  return {
    entries: Object.fromEntries(
      read.map(([method, { entries }]) => [method, entries]),
    ) as ServerLists['entries'],
    ttl: times.length === 0 ? undefined : Math.min(...times),
  };
}

interface ReadList {
  readonly entries: readonly PlainObject[];
  readonly ttl: number | undefined;
}

const NO_LIST: ReadList = Object.freeze({ entries: Object.freeze([]), ttl: undefined });

async function readList(method: RemoteList, place: string, ask: AskForList): Promise<ReadList> {
  const { member } = LIST_MEMBERS[method];
  const entries: PlainObject[] = [];
  let size = 0;
  let ttl: number | undefined;
  for await (const page of readPages(method, place, ask)) {
    const { [member]: list, ttlMs } = page;
    if (!Array.isArray(list)) throw unusableAnswer(place, method, `it has no ${member}.`);
    size += JSON.stringify(page).length;
    if (size > MAX_ANSWER_BYTES) throw tooLarge(place, `all pages of ${method}`, MAX_ANSWER_BYTES);
    entries.push(...(list as readonly unknown[]).filter(isPlainObject));
    if (entries.length > MAX_ENTRIES) throw unusableAnswer(place, method, TOO_MANY);
    if (typeof ttlMs === 'number' && ttlMs > 0) ttl = Math.min(ttl ?? Infinity, ttlMs);
  }
  return { entries, ttl };
}

async function* readPages(method: RemoteList, place: string, ask: AskForList): AsyncGenerator<PlainObject> {
  let cursor: unknown;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await ask(method, cursor === undefined ? {} : { cursor }).catch(nothingToList);
    yield page;
    const { nextCursor } = page;
    if (nextCursor === undefined || nextCursor === null) return;
    if (nextCursor === cursor) break;
    cursor = nextCursor;
  }
  throw unusableAnswer(place, method, 'its pages have no end.');
}

/** Some servers declare resources and know no templates. */
function nothingToList(error: unknown): PlainObject {
  if (!ProtocolError.is(error) || error.code !== METHOD_NOT_FOUND) throw error;
  return Object.fromEntries(METHODS.map((method) => [LIST_MEMBERS[method].member, []]));
}

/**
 * What of the lists of a server is offered here.
 * @param leftOut gets what cannot be offered: a name that hides what it is, or one that another entry has
 */
export function createCatalogue(
  { entries }: Pick<ServerLists, 'entries'>,
  names: ProxyNames,
  leftOut: (name: unknown, isTaken: boolean) => void,
): ProxiedCatalogue {
  const things = Object.fromEntries(
    METHODS.map((method) => [method, offered(method, entries[method], names, leftOut)]),
  ) as ProxiedCatalogue['things'];
  const lists = Object.fromEntries(
    METHODS.map((method) => [
      method,
      Object.freeze([...things[method].values()].map(({ listed }) => listed)),
    ]),
  ) as ProxiedCatalogue['lists'];
  return Object.freeze({ things, lists });
}

export const NO_CATALOGUE: ProxiedCatalogue = createCatalogue(
  { entries: { 'tools/list': [], 'prompts/list': [], 'resources/list': [], 'resources/templates/list': [] } },
  undefined as never,
  () => undefined,
);

function offered(
  method: RemoteList,
  entries: readonly PlainObject[],
  names: ProxyNames,
  leftOut: (name: unknown, isTaken: boolean) => void,
): ByKey {
  const { key } = LIST_MEMBERS[method];
  const found = new Map<string, ProxiedThing>();
  for (const definition of entries) {
    const theirs = definition[key];
    if (!isPlainName(theirs)) {
      leftOut(theirs, false);
      continue;
    }
    if (!names.isOffered(theirs) || (method === 'tools/list' && names.isHidden(theirs))) continue;
    const listed = untouched(rewriteDefinition(method, definition, names));
    const ours = String(listed[key]);
    if (found.has(ours)) leftOut(ours, true);
    else found.set(ours, { theirs, definition, listed });
  }
  return found;
}
