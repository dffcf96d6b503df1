import type { Logger } from '../call/logger.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import { isListMethod, listPage, type ListMethod } from '../runtime/lists.ts';
import type { FixedList } from '../runtime/service-parts.ts';
import type { McpService } from '../runtime/service.ts';
import type { ServiceSettings } from '../runtime/route.ts';
import type { Revision, RpcRequest } from './revision.ts';
import { KnownReply, type Members } from './json-rpc/message.ts';

/** By method and cursor; the first page has none. */
type Pages = Map<string, KnownReply>;

interface WantedPage {
  readonly method: ListMethod;
  readonly list: readonly object[];
  readonly cursor: string | undefined;
}

/**
 * The pages of lists, each serialized once as long as its list is the same array. Lists that are computed per request
 * are not kept.
 */
export class ListReplies {
  readonly #lists: Readonly<Record<ListMethod, () => readonly object[] | undefined>>;
  readonly #settings: ServiceSettings;
  readonly #logger: Logger;
  readonly #reported = new WeakSet<readonly object[]>();
  readonly #pages = new WeakMap<readonly object[], WeakMap<Revision, Pages>>();

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

  /** Undefined for other methods, and for pages that are computed per request. */
  find(revision: Revision, request: RpcRequest): KnownReply | undefined {
    const { method, params } = request;
    if (!isListMethod(method)) return undefined;
    const list = this.#lists[method]();
    const cursor = params?.['cursor'];
    if (list === undefined || !Object.isFrozen(list)) return undefined;
    if (cursor !== undefined && typeof cursor !== 'string') return undefined;
    const pages = this.#pagesOf(list, revision);
    const key = cursor === undefined ? method : `${method} ${cursor}`;
    const known = pages.get(key);
    if (known !== undefined) return known;
    const reply = this.#make(revision, request, { method, list, cursor });
    // A client may send any cursor; only valid ones are kept.
    if (reply !== undefined) pages.set(key, reply);
    return reply;
  }

  #make(revision: Revision, request: RpcRequest, wanted: WantedPage): KnownReply | undefined {
    const { method, list, cursor } = wanted;
    try {
      const context = { retry: revision.retryOf?.(request) };
      const page = listPage(this.#settings, method, list, cursor, context);
      return new KnownReply(Object.freeze(revision.encode?.(method, page as Members) ?? page));
    } catch (cause) {
      // The service answers a wrong cursor; anything else is a list that JSON cannot carry
      if (!ProtocolError.is(cause)) this.#report(wanted, cause);
      return undefined;
    }
  }

  /** Once for a list, of which each page is then made for each request. */
  #report({ method, list }: WantedPage, cause: unknown): void {
    if (this.#reported.has(list)) return;
    this.#reported.add(list);
    const message = `${method} cannot be kept: ${thrownMessage(cause)}`;
    this.#logger.log({ level: 'debug', event: 'list.unkept', message, cause });
  }

  #pagesOf(list: readonly object[], revision: Revision): Pages {
    const written = this.#pages.get(list) ?? new WeakMap<Revision, Pages>();
    const pages = written.get(revision) ?? (new Map() as Pages);
    this.#pages.set(list, written.set(revision, pages));
    return pages;
  }
}

function allOf<Entry>(fixed: FixedList<Entry> | undefined): readonly Entry[] | undefined {
  return fixed?.isAll === true ? fixed.list : undefined;
}
