import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { OpenedProxy, ProxyHost } from '../features/proxy/proxy-definition.ts';
import type { Call } from '../kernel/call/call.ts';
import { resultOf, type Outcome } from '../kernel/call/outcome.ts';
import { withCacheHint } from '../runtime/lists/lists.ts';
import type { RemoteEntry, RemoteList } from '../runtime/runtime-facet.ts';
import type { ScannedRequirements } from '../scanner/requirements/scanned-requirements.ts';
import { ENVELOPE } from '../engine/protocol.ts';
import { FailureLog } from '../shared/failure-log.ts';
import { isPlainObject, membersOf, type PlainObject } from '../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../shared/maybe-promise.ts';
import { visibleLine } from '../shared/visible-text.ts';
import { createCatalogue, readLists, type ProxiedCatalogue, type ProxiedThing } from './catalogue.ts';
import { failedOutcome, RefusedByProxy } from './failures.ts';
import { ProxyHeaders } from './headers.ts';
import { KeptLists } from './kept-lists.ts';
import { ProxyNames } from './names.ts';
import type { ProxyOptions } from './options.ts';
import { ParkedCalls } from './parked-calls.ts';
import { HOPS, MAX_HOPS, readHops, relay, type RelayedRequest, type RelayPeer } from './relay.ts';
import { RelayedStates } from './relayed-state.ts';
import { rewriteResult } from './rewrite.ts';
import { UpstreamChanges } from './upstream-changes.ts';
import { Upstream } from './upstream.ts';
import { readCommand, type UpstreamClient } from './upstream-client.ts';

const TTL = 300_000;
const TIMEOUT = 60_000;
interface Target {
  readonly target: string;
  readonly params: PlainObject;
}

const READ_ONLY = Object.freeze({ isReadOnly: true, isDestructive: false });

/** Another server, as an application offers it. */
export class ProxiedServer implements OpenedProxy {
  readonly requirements: ScannedRequirements | undefined;
  readonly #name: string;
  readonly #ttl: number;
  readonly #host: ProxyHost;
  readonly #names: ProxyNames;
  readonly #headers: ProxyHeaders;
  readonly #upstream: Upstream;
  readonly #lists: KeptLists;
  readonly #states: RelayedStates;
  readonly #changes: UpstreamChanges;
  readonly #parked: ParkedCalls;
  readonly #reach: FailureLog<'proxy.upstream'>;
  readonly #entries = new WeakMap<ProxiedThing, RemoteEntry>();
  readonly #completers = new WeakMap<ProxiedThing, RemoteEntry>();
  /** Why the lists could not be read last. */
  #failure: Error | undefined;
  /** What is read, or whether it is there is not known: it has no name of its own in records. */
  readonly #others: RemoteEntry;

  constructor(options: ProxyOptions, host: ProxyHost) {
    const { name, namespace = name, ttl = TTL, auth, scopes } = options;
    this.#name = name;
    this.#ttl = ttl;
    this.#host = host;
    this.requirements = requirementsFor(scopes);
    this.#names = new ProxyNames(namespace, options);
    this.#headers = new ProxyHeaders(auth);
    this.#states = new RelayedStates(host.secrets, host.server, name);
    this.#parked = new ParkedCalls(this.#states);
    this.#reach = reachLog(name);
    this.#others = { name, marks: READ_ONLY, answer: (call) => this.#answer(call, undefined) };
    this.#upstream = this.#createUpstream(options);
    this.#lists = new KeptLists({
      isPerCaller: this.#headers.isPerCaller,
      wait: () => this.#upstream.wait,
      read: (call, hops) => this.#readLists(call, hops),
      failed: (error) => {
        this.#failure = error instanceof Error ? error : undefined;
        this.#reach.failed(error, host.logger);
      },
      worked: () => {
        const isBack = this.#reach.isFailing;
        this.#reach.worked(host.logger);
        return isBack;
      },
      notify: host.notify,
    });
    this.#changes = new UpstreamChanges({
      changed: (kinds) => this.#lists.changed(kinds),
      updated: (uri) => host.notify({ kind: 'resource', uri: this.#names.uri(uri) }),
      client: () => this.#upstream.shared(this.#headers.fixed),
      headers: this.#headers.fixed,
    });
  }

  list(method: RemoteList, call: Call): MaybePromise<readonly object[]> {
    const hops = readHops(call.meta);
    if (hops >= MAX_HOPS) return [];
    return thenMaybe(this.#lists.get(call, hops), (catalogue) => catalogue?.lists[method] ?? []);
  }

  find(call: Call): MaybePromise<RemoteEntry | undefined> {
    const { params, origin } = call;
    switch (origin.method) {
      case 'tools/call':
        return this.#findNamed('tools/list', params['name'], call);
      case 'prompts/get':
        return this.#findNamed('prompts/list', params['name'], call);
      case 'resources/read':
        return this.#findUri(params['uri'], call);
      default:
        return this.#findReference(membersOf(params['ref']), call);
    }
  }

  inputSchema(tool: string): unknown {
    return this.#lists.last?.things['tools/list'].get(tool)?.definition['inputSchema'];
  }

  owns(uri: string): boolean {
    const theirs = this.#names.theirUri(uri);
    if (theirs === undefined || !this.#names.mayRead(theirs)) return false;
    const { last } = this.#lists;
    return this.#names.namespace !== '' || (last !== undefined && isServed(uri, last));
  }

  watch(uri: string): void {
    const theirs = this.#names.theirUri(uri);
    if (theirs !== undefined && !this.#headers.isPerCaller) this.#changes.watch(theirs);
  }

  async close(): Promise<void> {
    this.#lists.close();
    this.#changes.close();
    this.#parked.close();
    await this.#upstream.close();
  }

  #createUpstream(options: ProxyOptions): Upstream {
    const { url, command, client, timeout = TIMEOUT, era = 'auto' } = options;
    const { server: name, version, logger } = this.#host;
    const printed = (text: string): void => {
      const message = `${this.#name}: ${text.trimEnd()}`;
      logger.log({ level: 'debug', event: 'proxy.upstream', message });
    };
    const address = { url, command, timeout, era, info: { name, version }, printed } as const;
    return new Upstream({
      address,
      client: client && { ...given(client), close: () => Promise.resolve() },
      isShared: readCommand(command).shared === true,
      isPerCaller: this.#headers.isPerCaller,
      onNotification: (method, params) => this.#changes.receive(method, params),
    });
  }

  async #readLists(
    call: Call | undefined,
    hops: number,
  ): Promise<{ catalogue: ProxiedCatalogue; ttl: number }> {
    const headers = call === undefined ? this.#headers.fixed : await this.#headers.forCall(call, undefined);
    const lease = await this.#upstream.leaseLists(headers);
    const { client } = lease;
    const options = { ownHeaders: headers };
    let failure: unknown;
    try {
      const lists = await readLists(client, this.#name, (method, params) =>
        client.request(method, { ...params, _meta: { [HOPS]: hops + 1 } }, options),
      );
      this.#upstream.worked();
      if (!this.#headers.isPerCaller) this.#changes.follow(client);
      const catalogue = createCatalogue(lists, this.#names, (name, isTaken) => this.#leftOut(name, isTaken));
      return { catalogue, ttl: lists.ttl ?? this.#ttl };
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      lease.release(failure);
    }
  }

  #findNamed(
    method: 'tools/list' | 'prompts/list',
    name: unknown,
    call: Call,
  ): MaybePromise<RemoteEntry | undefined> {
    if (!this.#names.mayHave(name)) return undefined;
    if (readHops(call.meta) >= MAX_HOPS) return this.#others;
    return thenMaybe(this.#lists.known(call, readHops(call.meta)), (catalogue) => {
      // Whether it has such a name is not known
      if (catalogue === undefined) return this.#names.namespace === '' ? undefined : this.#others;
      const thing = catalogue.things[method].get(name);
      return thing && this.#entryFor(thing, name);
    });
  }

  #findUri(uri: unknown, call: Call): MaybePromise<RemoteEntry | undefined> {
    if (typeof uri !== 'string') return undefined;
    if (this.#names.namespace !== '') return this.owns(uri) ? this.#others : undefined;
    return thenMaybe(this.#lists.known(call, readHops(call.meta)), (catalogue) =>
      catalogue !== undefined && this.#names.mayRead(uri) && isServed(uri, catalogue)
        ? this.#others
        : undefined,
    );
  }

  #findReference({ type, name, uri }: PlainObject, call: Call): MaybePromise<RemoteEntry | undefined> {
    const [method, key] =
      type === 'ref/prompt'
        ? (['prompts/list', name] as const)
        : (['resources/templates/list', uri] as const);
    if (typeof key !== 'string') return undefined;
    return thenMaybe(this.#lists.known(call, readHops(call.meta)), (catalogue) => {
      const thing = catalogue?.things[method].get(key);
      return thing && this.#completerFor(thing);
    });
  }

  #completerFor(thing: ProxiedThing): RemoteEntry {
    const known = this.#completers.get(thing);
    if (known !== undefined) return known;
    const { name, marks } = this.#others;
    const entry = { name, marks, answer: (call: Call) => this.#answer(call, thing) };
    this.#completers.set(thing, entry);
    return entry;
  }

  #entryFor(thing: ProxiedThing, name: string): RemoteEntry {
    const known = this.#entries.get(thing);
    if (known !== undefined) return known;
    const answer = (call: Call): Promise<Outcome> => this.#answer(call, thing);
    const entry = { name, marks: readMarks(thing.definition['annotations']), answer };
    this.#entries.set(thing, entry);
    return entry;
  }

  async #answer(call: Call, thing: ProxiedThing | undefined): Promise<Outcome> {
    try {
      if (readHops(call.meta) >= MAX_HOPS) throw inRing();
      const result = rewriteResult(withoutServer(await this.#send(call, thing)), this.#names);
      return resultOf(call.origin.method === 'resources/read' ? withCaching(result, call) : result);
    } catch (thrown) {
      const isTold = ToolwrightError.is(thrown) && !call.isCancelled;
      if (isTold)
        this.#host.logger.log({
          level: 'debug',
          event: 'proxy.upstream',
          message: `A call of ${this.#name} failed`,
          error: thrown,
        });
      return failedOutcome(thrown, call, this.#name);
    }
  }

  async #send(call: Call, thing: ProxiedThing | undefined): Promise<PlainObject> {
    const { target, params } = this.#renameTarget(call, thing);
    const headers = await this.#headers.forCall(call, target);
    const send = (peer?: RelayPeer): Promise<PlainObject> =>
      this.#relay(call, { target, params, headers, inputSchema: thing?.definition['inputSchema'] }, peer);
    const isParked = await this.#upstream.parks(call, headers);
    return isParked ? this.#parked.run(call, target, send) : send();
  }

  async #relay(call: Call, request: RelayedRequest, peer: RelayPeer | undefined): Promise<PlainObject> {
    const { headers } = request;
    const lease = await this.#upstream.lease(call, headers);
    let failure: unknown;
    try {
      return await relay(lease.client, lease.isOwn, request, call, this.#states, peer);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      lease.release(failure);
    }
  }

  /** What a call names, under the names of the server. */
  #renameTarget({ params, origin }: Call, thing: ProxiedThing | undefined): Target {
    const { uri, ref: given } = params;
    if (thing !== undefined && origin.method === 'completion/complete') {
      const ref = membersOf(given);
      const key = ref['type'] === 'ref/prompt' ? 'name' : 'uri';
      return { target: thing.theirs, params: { ...params, ref: { ...ref, [key]: thing.theirs } } };
    }
    if (thing !== undefined) return { target: thing.theirs, params: { ...params, name: thing.theirs } };
    const isRead = origin.method === 'resources/read' && typeof uri === 'string';
    const theirs = isRead ? this.#names.theirUri(uri) : undefined;
    // The name is one that the server may have, and its list could not be read
    if (theirs === undefined) throw this.#failure ?? unavailable(this.#name);
    return { target: theirs, params: { ...params, uri: theirs } };
  }

  #leftOut(name: unknown, isTaken: boolean): void {
    const shown = visibleLine(typeof name === 'string' ? name.slice(0, 100) : typeof name);
    this.#host.logger.log({
      level: 'warning',
      event: 'proxy.upstream',
      ...(isTaken && { code: 'TW_PROXY_NAME_TAKEN' }),
      message: isTaken
        ? `${this.#name} has more than one ${shown}; the first is offered.`
        : `${this.#name} has an entry that is not offered, because its name cannot be shown: ${shown}`,
    });
  }
}

function reachLog(name: string): FailureLog<'proxy.upstream'> {
  return new FailureLog({
    event: 'proxy.upstream',
    level: 'warning',
    fails: `The server "${name}" cannot be reached; what it listed last is listed on.`,
    works: `The server "${name}" can be reached again.`,
    facts: (error) => ({ code: 'TW_PROXY_UNREACHABLE', error }),
  });
}

function requirementsFor(scopes: readonly string[] = []): ScannedRequirements | undefined {
  if (scopes.length === 0) return undefined;
  const all = scopes.map((scope) => ({ kind: 'scopes', allOf: [[scope]], denied: 'hide' }) as const);
  return Object.freeze({ isPublic: false, all: Object.freeze(all) });
}

/** What a tool says that it does; the protocol takes one that says nothing for destructive. */
function readMarks(annotations: unknown): RemoteEntry['marks'] {
  const { readOnlyHint, destructiveHint } = membersOf(annotations);
  const isReadOnly = readOnlyHint === true;
  return { isReadOnly, isDestructive: !isReadOnly && destructiveHint !== false };
}

/** A resource says how long it may be kept since 2026-07-28; what was read for one caller is for no other. */
function withCaching({ ttlMs, cacheScope: _scope, ...result }: PlainObject, call: Call): PlainObject {
  const ttl = typeof ttlMs === 'number' ? ttlMs : 0;
  return withCacheHint(result, call, { ttl, scope: 'private' });
}

/** Who gives a result is this server. */
function withoutServer({ _meta: meta, ...result }: PlainObject): PlainObject {
  const told = result['resultType'] === 'complete' ? withoutType(result) : result;
  if (meta === undefined) return told;
  if (!isPlainObject(meta)) return { ...told, _meta: meta };
  const { [ENVELOPE.serverInfo]: _server, ...others } = meta;
  return Object.keys(others).length === 0 ? told : { ...told, _meta: others };
}

/** A caller of 2025 knows of no types, and the engine says it to the others. */
function withoutType({ resultType: _type, ...result }: PlainObject): PlainObject {
  return result;
}

function unavailable(name: string): RefusedByProxy {
  return new RefusedByProxy('UPSTREAM_UNAVAILABLE', `The server "${name}" cannot be reached now`);
}

function inRing(): RefusedByProxy {
  return new RefusedByProxy(
    'UPSTREAM_REFUSED',
    `The call has passed ${String(MAX_HOPS)} servers: one of them offers its own tools, or those of a server before it`,
  );
}

/** A template names more URIs than are listed; what stands before its first variable says which. */
function isServed(uri: string, { things }: ProxiedCatalogue): boolean {
  if (things['resources/list'].has(uri)) return true;
  return [...things['resources/templates/list'].keys()].some((template) => {
    const [start = ''] = template.split('{');
    return start !== '' && uri.startsWith(start);
  });
}

/** A client of somebody else, as one that could be opened here. */
function given(client: NonNullable<ProxyOptions['client']>): Omit<UpstreamClient, 'close'> {
  return {
    era: client.era,
    server: client.server,
    request: (method, params, options) => client.request(method, params, options),
  };
}
