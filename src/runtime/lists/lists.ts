import type { RequestContext } from '../../call/request-context.ts';
import type { Logger } from '../../call/logger.ts';
import { thrownMessage } from '../../call/thrown-message.ts';
import type { CacheOptions } from '../../metadata/options.ts';
import type { PlainObject } from '../../shared/json.ts';
import { titleFromName } from '../../shared/names.ts';
import type { Call } from '../../kernel/call/call.ts';
import {
  EncodedResult,
  resultOf,
  type ResultEncoder,
  type ResultOutcome,
} from '../../kernel/call/outcome.ts';
import { pageOf, type Pagination } from './pagination.ts';

/** For each list method: the member of the result with the entries, and the name of its cursors. */
const LISTS = {
  'tools/list': { member: 'tools', cursors: 'tools' },
  'prompts/list': { member: 'prompts', cursors: 'prompts' },
  'resources/list': { member: 'resources', cursors: 'resources' },
  'resources/templates/list': {
    member: 'resourceTemplates',
    cursors: 'templates',
  },
} as const;

export type ListMethod = keyof typeof LISTS;

export function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(LISTS, method);
}

export interface ListSettings {
  /** How lists are paged; undefined lists everything at once. */
  readonly pagination: Pagination | undefined;
  /** How long clients may cache lists; undefined forbids it. */
  readonly cache: CacheOptions | undefined;
}

/** How a list is answered. */
export interface ListForm {
  /** The list with what its client is listed beside it. */
  readonly list?: readonly object[];
  /** All at once, for clients that read the first page and no other. */
  readonly isWhole?: boolean;
  /** The `_meta` of the answer, the same for the same list. */
  readonly meta?: PlainObject | undefined;
}

const PAGED: ListForm = Object.freeze({});

/** The pages of a list as outcomes, by method and cursor. */
type Pages = Map<string, ResultOutcome>;

/** Answers the methods that list. */
export class Lists {
  readonly #settings: ListSettings;
  readonly #logger: Logger;
  readonly #reported = new WeakSet<readonly object[]>();
  readonly #pages = new WeakMap<readonly object[], WeakMap<ResultEncoder, Pages>>();

  constructor(settings: ListSettings, logger: Logger) {
    this.#settings = settings;
    this.#logger = logger;
  }

  /**
   * A page of a list. Where the list is frozen and somebody writes it, the page is made and written once for each
   * revision and cursor: after a change, the list is another array.
   * @throws ProtocolError for a cursor that was not given out for the list
   */
  page(method: ListMethod, list: readonly object[], call: Call, form: ListForm = PAGED): ResultOutcome {
    const { cursor } = call.params;
    const { encoder } = call.origin.context;
    const isKept = Object.isFrozen(list) && (cursor === undefined || typeof cursor === 'string');
    if (encoder === undefined || !isKept) return resultOf(this.#make(method, list, call, form));
    const pages = this.#pagesOf(list, encoder);
    const name = form.isWhole === true ? `${method} whole` : method;
    const key = cursor === undefined ? name : `${name} ${cursor}`;
    const known = pages.get(key);
    if (known !== undefined) return known;
    const page = this.#make(method, list, call, form);
    const encoded = this.#encode(method, list, page, encoder);
    const outcome = Object.freeze(resultOf(page, encoded));
    // A client may send any cursor, but only those that lead to a page are kept
    if (encoded !== undefined) pages.set(key, outcome);
    return outcome;
  }

  /** A page of what a method of an extension lists, under the name of the member. @throws ProtocolError for a wrong cursor */
  pageExtension(member: string, all: readonly object[], call: Call): ResultOutcome {
    const { pagination, cache } = this.#settings;
    const { entries, nextCursor } = pageOf(pagination, member, all, call.params['cursor']);
    const page = nextCursor === undefined ? { [member]: entries } : { [member]: entries, nextCursor };
    return resultOf(withCacheHint(page, call, cache));
  }

  #make(method: ListMethod, list: readonly object[], call: Call, { isWhole, meta }: ListForm): PlainObject {
    const { pagination, cache } = this.#settings;
    const settings = { pagination: isWhole === true ? undefined : pagination, cache };
    const page = listPage(settings, method, list, call.params['cursor'], call);
    return meta === undefined ? page : { ...page, _meta: meta };
  }

  /** Undefined for a list that JSON cannot carry, which is reported once. */
  #encode(
    method: ListMethod,
    list: readonly object[],
    page: PlainObject,
    encoder: ResultEncoder,
  ): EncodedResult | undefined {
    try {
      return new EncodedResult(Object.freeze(encoder.encode?.(method, page) ?? page));
    } catch (cause) {
      if (this.#reported.has(list)) return undefined;
      this.#reported.add(list);
      const message = `${method} cannot be kept: ${thrownMessage(cause)}`;
      this.#logger.log({
        level: 'debug',
        event: 'list.unkept',
        message,
        cause,
      });
      return undefined;
    }
  }

  #pagesOf(list: readonly object[], encoder: ResultEncoder): Pages {
    const ofList = this.#pages.get(list) ?? new WeakMap<ResultEncoder, Pages>();
    const pages = ofList.get(encoder) ?? (new Map() as Pages);
    this.#pages.set(list, ofList.set(encoder, pages));
    return pages;
  }
}

/** The answer to a list method, from a known list. */
export function listPage(
  { pagination, cache }: ListSettings,
  method: ListMethod,
  all: readonly object[],
  cursor: unknown,
  request: Pick<RequestContext, 'retry'>,
): PlainObject {
  const { member, cursors } = LISTS[method];
  const { entries, nextCursor } = pageOf(pagination, cursors, all, cursor);
  const titled = entries.map((entry) => (UNTOUCHED in entry ? entry : withTitle(entry)));
  const page = nextCursor === undefined ? { [member]: titled } : { [member]: titled, nextCursor };
  return withCacheHint(page, request, cache);
}

/** Marks entries that another server has written: they are listed as they are. JSON does not show the mark. */
const UNTOUCHED = Symbol('untouched');

/** The entry, frozen, so that it is listed as it is. */
export function untouched<Entry extends object>(entry: Entry): Entry {
  return Object.freeze(Object.defineProperty({ ...entry }, UNTOUCHED, { value: true }));
}

/** What is listed: a tool, prompt, resource or template. */
interface Listed {
  readonly name?: string;
  readonly title?: string;
  readonly annotations?: { readonly title?: string };
}

/** Some clients drop a tool without a title, and two directories refuse it; the name has one for all who gave none. */
export function withTitle(entry: object): object {
  const { name, title, annotations, ...others } = entry as Listed;
  if (title !== undefined || typeof name !== 'string') return entry;
  const kept = annotations === undefined ? others : { ...others, annotations };
  return { name, title: annotations?.title ?? titleFromName(name), ...kept };
}

/**
 * Adds how long a result may be kept. Clients of 2026-07-28 need it on every list and every resource; by default
 * nothing may be kept (spec 2026-07-28: server/utilities/caching). The eras before know nothing of it.
 */
export function withCacheHint<Result extends object>(
  result: Result,
  { retry }: Pick<RequestContext, 'retry'>,
  { ttl = 0, scope = 'private' }: CacheOptions = {},
): Result {
  return retry === undefined ? result : { ...result, ttlMs: ttl, cacheScope: scope };
}

/** The answer to questions belongs to the client that gave it, and a question must not be cached. */
export function withReadHint<Result extends object>(
  result: Result,
  request: RequestContext,
  cache: CacheOptions | undefined,
): Result {
  const { requestState, inputResponses = {} } = request.retry ?? {};
  if ('resultType' in result && result.resultType !== 'complete') return result;
  const isAnswer = requestState !== undefined || Object.keys(inputResponses).length > 0;
  return withCacheHint(result, request, isAnswer ? {} : cache);
}
