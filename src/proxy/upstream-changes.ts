import { ProtocolError } from '../call/protocol-error.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { unref } from '../shared/platform.ts';
import type { UpstreamClient } from './upstream-client.ts';

type Kind = 'tools' | 'prompts' | 'resources';

interface ChangeTaker {
  changed(kinds: readonly Kind[]): void;
  /** @param uri as the server has it */
  updated(uri: string): void;
  /** The connection of the moment. */
  client(): Promise<UpstreamClient>;
  /** Headers of its requests over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
}

const LISTS: Readonly<Record<string, Kind>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
};
const FILTERS: Readonly<Record<Kind, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};
const MAX_WATCHED = 1000;
/** Milliseconds: a server that announces change after change is asked once for all of them. */
const QUIET = 100;
/** Milliseconds until a subscription that has ended is asked for again. */
const AGAIN = 500;
const MAX_WAIT = 60_000;

/** The changes that a server announces: of its lists, and of the resources that callers have subscribed to. */
export class UpstreamChanges {
  readonly #taker: ChangeTaker;
  readonly #watched = new Set<string>();
  readonly #ended = new AbortController();
  #announced = new Set<Kind>();
  #endings = 0;
  #waiting: NodeJS.Timeout | undefined;
  #followed: UpstreamClient | undefined;

  constructor(taker: ChangeTaker) {
    this.#taker = taker;
  }

  /** Follows the server on this connection, and no longer on the one before. */
  follow(client: UpstreamClient): void {
    if (this.#followed === client || this.#ended.signal.aborted) return;
    this.#followed = client;
    const kinds = (Object.keys(FILTERS) as Kind[]).filter((kind) => announces(client, kind));
    if (client.era === '2026' && kinds.length > 0)
      this.#listen(client, Object.fromEntries(kinds.map((kind) => [FILTERS[kind], true])));
    for (const uri of this.#watched) this.#subscribe(client, uri);
  }

  watch(uri: string): void {
    if (this.#watched.has(uri) || this.#watched.size >= MAX_WATCHED) return;
    this.#watched.add(uri);
    const subscribe = async (): Promise<void> => {
      const client = await this.#taker.client();
      // A new connection subscribes to all of them
      if (this.#followed === client) this.#subscribe(client, uri);
      else this.follow(client);
    };
    void subscribe().catch(() => undefined);
  }

  /** Takes a notification of the server. */
  receive(method: string, { uri }: PlainObject): void {
    if (method === 'notifications/resources/updated' && typeof uri === 'string') {
      if (this.#watched.has(uri)) this.#taker.updated(uri);
      return;
    }
    const kind = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
    if (kind === undefined || this.#ended.signal.aborted) return;
    this.#announced.add(kind);
    this.#waiting ??= unrefed(
      setTimeout(() => {
        const kinds = [...this.#announced];
        this.#announced = new Set();
        this.#waiting = undefined;
        this.#taker.changed(kinds);
      }, QUIET),
    );
  }

  close(): void {
    clearTimeout(this.#waiting);
    this.#ended.abort(new Error('The application is closed'));
  }

  #subscribe(client: UpstreamClient, uri: string): void {
    if (client.era === '2026') this.#listen(client, { resourceSubscriptions: [uri] });
    else client.request('resources/subscribe', { uri }).catch(() => undefined);
  }

  /** A request of 2026-07-28 that stays open. When the server ends it, the lists may have changed in between. */
  #listen(client: UpstreamClient, notifications: PlainObject): void {
    const { signal } = this.#ended;
    const { headers: ownHeaders } = this.#taker;
    const options = { timeout: Infinity, signal, behalf: { capabilities: {} }, ownHeaders };
    const since = performance.now();
    const again = (): void => {
      if (signal.aborted || this.#followed !== client) return;
      this.#followed = undefined;
      this.#endings = performance.now() - since > MAX_WAIT ? 0 : this.#endings + 1;
      const wait = Math.min(AGAIN * 2 ** this.#endings, MAX_WAIT);
      unrefed(setTimeout(() => this.#taker.changed(['tools', 'prompts', 'resources']), wait));
    };
    client.request('subscriptions/listen', { notifications }, options).then(again, (error: unknown) => {
      // A server that answers with an error would do so again
      if (!ProtocolError.is(error)) again();
    });
  }
}

function announces({ server }: UpstreamClient, kind: Kind): boolean {
  const capability = server.capabilities[kind];
  return isPlainObject(capability) && capability['listChanged'] === true;
}

function unrefed(timer: NodeJS.Timeout): NodeJS.Timeout {
  unref(timer);
  return timer;
}
