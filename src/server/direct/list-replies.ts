import type { CallExchange } from '../../call/call-exchange.ts';
import type { WirePrompt, WireResource } from '../../converters/wire.ts';
import type { Methods } from '../../runtime/attach/answer-request.ts';
import { promptsPage } from '../../runtime/attach/prompt-methods.ts';
import { resourcesPage } from '../../runtime/attach/resource-methods.ts';
import type { FixedList, McpService } from '../../runtime/mcp-service.ts';
import type { ServiceSettings } from '../../runtime/service-settings.ts';
import type { DirectEra } from './direct-era.ts';
import type { DirectRequest } from './direct-request.ts';
import { KnownReply } from './known-reply.ts';

/** By method and cursor; the first page has none. */
type Pages = Map<string, KnownReply>;

interface WantedPage {
  readonly method: string;
  readonly list: readonly object[];
  readonly cursor: string | undefined;
}

/**
 * The pages of lists, each made and written once for as long as its list is served: another list is another array.
 * What lists are worked out for each request are not kept.
 */
export class ListReplies {
  readonly #lists: ReadonlyMap<string, () => readonly object[] | undefined>;
  readonly #methods: Methods;
  readonly #settings: ServiceSettings;
  readonly #pages = new WeakMap<readonly object[], WeakMap<DirectEra, Pages>>();

  constructor({ tools, prompts, resources, settings }: McpService, methods: Methods) {
    this.#methods = methods;
    this.#settings = settings;
    this.#lists = new Map<string, () => readonly object[] | undefined>([
      ['tools/list', () => tools?.list()],
      ['prompts/list', () => allOf(prompts?.fixed?.())],
      ['resources/templates/list', () => resources?.templates()],
      ['resources/list', () => allOf(resources?.fixed?.())],
    ]);
  }

  /** Undefined for what is no list, and for a page that has to be worked out. */
  find(era: DirectEra, { method, params }: DirectRequest): KnownReply | undefined {
    const list = this.#lists.get(method)?.();
    const cursor = params?.['cursor'];
    if (list === undefined || !Object.isFrozen(list)) return undefined;
    if (cursor !== undefined && typeof cursor !== 'string') return undefined;
    const pages = this.#pagesOf(list, era);
    const key = cursor === undefined ? method : `${method} ${cursor}`;
    const known = pages.get(key);
    if (known !== undefined) return known;
    const reply = this.#make(era, { method, list, cursor });
    // A client may send any cursor, but only those that lead to a page are kept.
    if (reply !== undefined) pages.set(key, reply);
    return reply;
  }

  #make(era: DirectEra, wanted: WantedPage): KnownReply | undefined {
    const exchange = { retry: era.exchange.retry } as CallExchange;
    try {
      return new KnownReply(Object.freeze(era.encode(wanted.method, this.#page(wanted, exchange))));
    } catch {
      // A wrong cursor, or what JSON cannot carry; whoever answers the request says so.
      return undefined;
    }
  }

  /** What may be listed for each request is not awaited here: its list is known. */
  #page({ method, list, cursor }: WantedPage, exchange: CallExchange): object {
    if (method === 'resources/list') {
      return resourcesPage(this.#settings, list as readonly WireResource[], cursor, exchange);
    }
    if (method === 'prompts/list') {
      return promptsPage(this.#settings, list as readonly WirePrompt[], cursor, exchange);
    }
    return this.#methods[method]?.({ cursor }, exchange) as object;
  }

  #pagesOf(list: readonly object[], era: DirectEra): Pages {
    const eras = this.#pages.get(list) ?? new WeakMap<DirectEra, Pages>();
    const pages = eras.get(era) ?? (new Map() as Pages);
    this.#pages.set(list, eras.set(era, pages));
    return pages;
  }
}

function allOf<Entry>(fixed: FixedList<Entry> | undefined): readonly Entry[] | undefined {
  return fixed?.isAll === true ? fixed.list : undefined;
}
