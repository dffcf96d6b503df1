import type { Call } from '../kernel/call/call.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { PlainObject } from '../shared/json.ts';
import { unref } from '../shared/platform.ts';
import { Backoff } from './backoff.ts';
import { connectUpstream, type UpstreamAddress, type UpstreamClient } from './upstream-client.ts';

type Headers = Readonly<Record<string, string>>;

/** A connection while a request uses it. */
export interface Lease {
  readonly client: UpstreamClient;
  /** Whether it belongs to the client of the call alone, which can be asked by it. */
  readonly isOwn: boolean;
  /** @param error what the request failed with */
  release(error?: unknown): void;
}

interface Session {
  readonly opening: Promise<UpstreamClient>;
  users: number;
  ending: NodeJS.Timeout | undefined;
}

/** Milliseconds. */
const SESSION_IDLE = 10 * 60_000;
const MAX_SESSIONS = 1000;
const NOTHING: PlainObject = Object.freeze({});

export interface UpstreamSettings {
  readonly address: UpstreamAddress;
  /** A client of somebody else, which serves everything. */
  readonly client: UpstreamClient | undefined;
  /** Whether one connection serves all callers of a server of 2025, too. */
  readonly isShared: boolean;
  /** Whether callers may be different ones to the server. */
  readonly isPerCaller: boolean;
  readonly onNotification: (method: string, params: PlainObject) => void;
}

/**
 * The connections to one server. A server of 2026-07-28 has one: it keeps nothing of its clients. A server of 2025 has one
 * for lists, one for each session of a caller, and one for each call of a caller without a session.
 */
export class Upstream {
  readonly #settings: UpstreamSettings;
  readonly #sessions = new Map<object, Session>();
  readonly #backoff = new Backoff();
  #shared: Promise<UpstreamClient> | undefined;
  #isClosed = false;

  constructor(settings: UpstreamSettings) {
    this.#settings = settings;
  }

  /**
   * The connection for lists and changes.
   * @param headers those of the connection, where it is opened for this
   */
  shared(headers: Headers): Promise<UpstreamClient> {
    const { client, onNotification } = this.#settings;
    if (client !== undefined) return Promise.resolve(client);
    const known = this.#shared;
    if (known !== undefined) return known;
    const opening = this.#open({ capabilities: NOTHING, headers, onNotification });
    this.#shared = opening;
    opening.catch(() => {
      if (this.#shared === opening) this.#shared = undefined;
    });
    return opening;
  }

  /** Milliseconds until the server is asked again, after it could not be reached. */
  get wait(): number {
    return this.#backoff.wait;
  }

  /** Something was answered by the shared connection. */
  worked(): void {
    this.#backoff.worked();
  }

  /**
   * A request on the shared connection has failed. Where that ended the connection, the next request opens another one:
   * over HTTP, 2026-07-28 has none that could end, and others still use it.
   */
  failed(error: unknown, { era }: Pick<UpstreamClient, 'era'>): void {
    this.#backoff.failed(error);
    const { url } = this.#settings.address;
    if (!isBroken(error) || this.#shared === undefined || (era === '2026' && url !== undefined)) return;
    end(this.#shared);
    this.#shared = undefined;
  }

  /** The connection for the lists of a caller. @throws ToolwrightError where there is none */
  async leaseLists(headers: Headers): Promise<Lease> {
    const client = await this.shared(headers);
    const { isPerCaller, address } = this.#settings;
    if (!isPerCaller || client.era === '2026' || address.url === undefined)
      return { client, isOwn: false, release: (error) => error !== undefined && this.failed(error, client) };
    // A session of 2025 belongs to who opened it
    const own = await this.#open({ capabilities: NOTHING, headers });
    return { client: own, isOwn: true, release: () => end(Promise.resolve(own)) };
  }

  /** The connection for one call of a caller. @throws ToolwrightError where there is none */
  async lease(call: Call, headers: Headers): Promise<Lease> {
    const shared = await this.shared(headers);
    const { isShared, client, address } = this.#settings;
    if (shared.era === '2026' || isShared || client !== undefined)
      return {
        client: shared,
        // A program has one stream for all callers, and its log messages do not say whose call they are about
        isOwn: shared.era === '2026' && address.url !== undefined,
        release: (error) => this.#releaseShared(error, shared),
      };
    const { served } = call.origin;
    const opening = { capabilities: declaredBy(call), headers };
    // Where a caller has no session, nothing could end one here
    if (served.subscriptions === undefined) {
      const own = await this.#open(opening);
      return { client: own, isOwn: true, release: () => end(Promise.resolve(own)) };
    }
    return this.#leaseSession(served, () => this.#open(opening));
  }

  /** Whether a call has a session of 2025 for itself, although its caller answers by calling again. */
  async parks(call: Call, headers: Headers): Promise<boolean> {
    if (call.retry === undefined || this.#settings.isShared || this.#settings.client !== undefined)
      return false;
    return (await this.shared(headers)).era === '2025';
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#sessions.values()].map(({ opening, ending }) => {
      clearTimeout(ending);
      return opening;
    });
    if (this.#shared !== undefined) open.push(this.#shared);
    this.#sessions.clear();
    this.#shared = undefined;
    await Promise.all(open.map((opening) => opening.then((client) => client.close()).catch(() => undefined)));
  }

  #releaseShared(error: unknown, client: UpstreamClient): void {
    // One answer over HTTP that broke off says nothing of the others
    if (isBroken(error) && this.#settings.address.url === undefined) this.failed(error, client);
  }

  async #leaseSession(key: object, open: () => Promise<UpstreamClient>): Promise<Lease> {
    const known = this.#sessions.get(key);
    const session = known ?? { opening: open(), users: 0, ending: undefined };
    if (known === undefined) this.#add(key, session);
    session.users += 1;
    clearTimeout(session.ending);
    const release = (error?: unknown): void => {
      session.users -= 1;
      if (isBroken(error)) this.#endSession(key, session);
      else if (session.users === 0) this.#endLater(key, session);
    };
    try {
      return { client: await session.opening, isOwn: true, release };
    } catch (error) {
      this.#endSession(key, session);
      throw error;
    }
  }

  #add(key: object, session: Session): void {
    this.#sessions.set(key, session);
    if (this.#sessions.size <= MAX_SESSIONS) return;
    const idle = [...this.#sessions].find(([, { users }]) => users === 0);
    if (idle !== undefined && idle[0] !== key) this.#endSession(...idle);
  }

  #endLater(key: object, session: Session): void {
    session.ending = setTimeout(() => this.#endSession(key, session), SESSION_IDLE);
    unref(session.ending);
  }

  #endSession(key: object, session: Session): void {
    clearTimeout(session.ending);
    if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    end(session.opening);
  }

  async #open(opening: Parameters<typeof connectUpstream>[1]): Promise<UpstreamClient> {
    this.#backoff.check();
    try {
      const client = await connectUpstream(this.#settings.address, opening);
      this.#backoff.worked();
      if (!this.#isClosed) return client;
      await client.close();
    } catch (error) {
      this.#backoff.failed(error);
      throw error;
    }
    throw new Error('The application is closed');
  }
}

/** What the client of a call can do, as far as it can be asked for another server. */
function declaredBy(call: Call): PlainObject {
  return askable(call.client().capabilities);
}

const ASKABLE = ['elicitation', 'sampling', 'roots'] as const;

/** The capabilities by which a client answers questions. Tasks and extensions are not offered through a proxy. */
export function askable(capabilities: PlainObject): PlainObject {
  return Object.fromEntries(
    ASKABLE.flatMap((name) => (capabilities[name] === undefined ? [] : [[name, capabilities[name]]])),
  );
}

/** Whether a connection is of no more use. */
export function isBroken(error: unknown): boolean {
  return ToolwrightError.is(error) && error.code === 'TW_CLIENT_CONNECTION';
}

function end(opening: Promise<UpstreamClient>): void {
  opening.then((client) => client.close()).catch(() => undefined);
}
