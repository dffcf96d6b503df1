import type { Logger } from '../call/logger.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import { isListMethod, listPage, type ListMethod } from '../runtime/methods/list-page.ts';
import type { FixedList } from '../runtime/mcp-service.ts';
import type { McpService } from '../runtime/service.ts';
import type { ServiceSettings } from '../runtime/service-settings.ts';
import type { WireForm } from './wire-form.ts';
import type { RpcRequest } from './rpc-request.ts';
import { KnownReply } from './json-rpc/message.ts';

/** By method and cursor; the first page has none. */
type Pages = Map<string, KnownReply>;

interface WantedPage {
  readonly method: ListMethod;
  readonly list: readonly object[];
  readonly cursor: string | undefined;
}

/**
 * The pages of lists, each made and written once for as long as its list is served: another list is another array.
 * What lists are worked out for each request are not kept.
 */
export class ListReplies {
  readonly #lists: Readonly<Record<ListMethod, () => readonly object[] | undefined>>;
  readonly #settings: ServiceSettings;
  readonly #logger: Logger;
  readonly #told = new WeakSet<readonly object[]>();
  readonly #pages = new WeakMap<readonly object[], WeakMap<WireForm, Pages>>();

  constructor({ tools, prompts, resources, settings }: McpService, logger: Logger) {
    this.#logger = logger;
    this.#settings = settings;
    this.#lists = {
      'tools/list': () => tools?.list(),
      'prompts/list': () => allOf(prompts?.fixed()),
      'resources/templates/list': () => resources?.templates(),
      'resources/list': () => allOf(resources?.fixed()),
    };
  }

  /** Undefined for what is no list, and for a page that has to be worked out. */
  find(era: WireForm, { method, params }: RpcRequest): KnownReply | undefined {
    if (!isListMethod(method)) return undefined;
    const list = this.#lists[method]();
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

  #make(era: WireForm, wanted: WantedPage): KnownReply | undefined {
    const { method, list, cursor } = wanted;
    try {
      const page = listPage(this.#settings, method, list, cursor, era.exchange);
      return new KnownReply(Object.freeze(era.encode(method, page)));
    } catch (cause) {
      // A wrong cursor, of which whoever answers the request says so, or what JSON cannot carry
      if (!ProtocolError.is(cause)) this.#tell(wanted, cause);
      return undefined;
    }
  }

  /** Once for a list, which is then worked out for each request. */
  #tell({ method, list }: WantedPage, cause: unknown): void {
    if (this.#told.has(list)) return;
    this.#told.add(list);
    const message = `${method} cannot be kept: ${thrownMessage(cause)}`;
    this.#logger.log({ level: 'debug', event: 'list.unkept', message, cause });
  }

  #pagesOf(list: readonly object[], era: WireForm): Pages {
    const eras = this.#pages.get(list) ?? new WeakMap<WireForm, Pages>();
    const pages = eras.get(era) ?? (new Map() as Pages);
    this.#pages.set(list, eras.set(era, pages));
    return pages;
  }
}

function allOf<Entry>(fixed: FixedList<Entry> | undefined): readonly Entry[] | undefined {
  return fixed?.isAll === true ? fixed.list : undefined;
}
