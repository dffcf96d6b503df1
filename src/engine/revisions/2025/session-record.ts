import { LOG_LEVELS, type LogLevel } from '../../../call/request-context.ts';
import { checkSubscription } from '../../../runtime/changes.ts';
import { isOwnedBy } from '../../../shared/owners/owned-key.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a client sent with `initialize` (spec 2025-11-25: basic/lifecycle, Initialization). */
export interface IntroducedClient {
  readonly info: Members;
  readonly capabilities: Members;
}

/**
 * The state of one session up to 2025-11-25. It is plain JSON, so that it can be stored elsewhere; sockets and running
 * requests belong to the connection.
 */
export interface SessionRecord {
  readonly id: string;
  /** The owner, where clients are authenticated. */
  readonly owner: string | undefined;
  /** Undefined until `initialize`. */
  readonly revision: string | undefined;
  readonly client: IntroducedClient | undefined;
  /** The lowest level of log messages that the client wants; undefined sends all. */
  readonly logLevel: LogLevel | undefined;
  /** URIs of resources. */
  readonly subscriptions: readonly string[];
  /** The instance that has, or had last, the stream of what belongs to no request. */
  readonly stream?: string | undefined;
}

/** A session as a store keeps it. */
export interface StoredSession {
  /** An opaque text. With `secrets` it is sealed. */
  readonly value: string;
  /** 1 for a new session; each change adds 1. */
  readonly version: number;
}

/**
 * Keeps the sessions of all instances of an application, so that any of them can go on with any session. Keys and values
 * are opaque texts of well-formed Unicode without U+0000. Every method is atomic, gives up by itself when the store cannot
 * be reached, and rejects then. `sessionRecordStoreConformance` of `toolwright/testing` checks a store of your own.
 */
export interface SessionRecordStore {
  /**
   * The session, which is kept for the lifetime once more; undefined for one that is not known, or not any more.
   * @param lifetime milliseconds
   */
  load(key: string, lifetime: number): Promise<StoredSession | undefined>;
  /**
   * Puts a value in place of the one that has the version; 0 where there is none yet. The new version is the next one.
   * @param lifetime milliseconds
   * @returns false when the version is another one, or the session has ended
   */
  save(key: string, value: string, version: number, lifetime: number): Promise<boolean>;
  /** The session has ended. */
  remove(key: string): Promise<void>;
  /**
   * Removes every entry of an owner: those whose keys begin with its name and a dot. Names have 22 letters, digits, `-` and
   * `_`. Without this method, `app.forget` reports that the store kept what it has.
   * @returns how many there were
   */
  forget?(owner: string): Promise<number>;
}

/** The {@link SessionRecordStore} of one process; applications in it may share one. */
export class InMemorySessionRecordStore implements SessionRecordStore {
  /** The session that was used last stands last. */
  readonly #sessions = new Map<string, StoredSession & { readonly until: number }>();
  readonly #now: () => number;

  /**
   * Creates an empty store.
   * @param now a monotonic clock, in milliseconds
   */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** How many sessions are kept. */
  get size(): number {
    return this.#sessions.size;
  }

  async load(key: string, lifetime: number): Promise<StoredSession | undefined> {
    const found = this.#find(key);
    if (found === undefined) return undefined;
    const { value, version } = found;
    this.#put(key, { value, version }, lifetime);
    return { value, version };
  }

  async save(key: string, value: string, version: number, lifetime: number): Promise<boolean> {
    if ((this.#find(key)?.version ?? 0) !== version) return false;
    this.#put(key, { value, version: version + 1 }, lifetime);
    return true;
  }

  async remove(key: string): Promise<void> {
    this.#sessions.delete(key);
  }

  async forget(owner: string): Promise<number> {
    const owned = [...this.#sessions].filter(([key]) => isOwnedBy(key, owner));
    for (const [key] of owned) this.#sessions.delete(key);
    return owned.filter(([, { until }]) => until > this.#now()).length;
  }

  #find(key: string): StoredSession | undefined {
    const found = this.#sessions.get(key);
    return found !== undefined && found.until > this.#now() ? found : undefined;
  }

  #put(key: string, session: StoredSession, lifetime: number): void {
    this.#sessions.delete(key);
    this.#dropOldest();
    this.#dropOldest();
    this.#sessions.set(key, { ...session, until: this.#now() + lifetime });
  }

  /** Twice for each use, so that what is over goes away although nobody asks for it again. */
  #dropOldest(): void {
    const [oldest] = this.#sessions;
    if (oldest !== undefined && oldest[1].until <= this.#now()) this.#sessions.delete(oldest[0]);
  }
}

/** A session as one of its requests sees it. */
export interface ClientSession {
  readonly record: SessionRecord;
  /** False where requests to the client would be lost. */
  readonly canAsk: boolean;
}

export function newSession(id: string, owner?: string): SessionRecord {
  return Object.freeze({
    id,
    owner,
    revision: undefined,
    client: undefined,
    logLevel: undefined,
    subscriptions: Object.freeze([]),
  });
}

/** @throws ProtocolError when the client has too many subscriptions */
export function subscribe(record: SessionRecord, uri: string): SessionRecord {
  const { subscriptions } = record;
  if (subscriptions.includes(uri)) return record;
  checkSubscription(uri, subscriptions);
  return Object.freeze({ ...record, subscriptions: [...subscriptions, uri] });
}

export function unsubscribe(record: SessionRecord, uri: string): SessionRecord {
  return Object.freeze({ ...record, subscriptions: record.subscriptions.filter((each) => each !== uri) });
}

/** Whether the client wants messages of the level. */
export function wantsLevel({ logLevel }: SessionRecord, level: LogLevel): boolean {
  return logLevel === undefined || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(logLevel);
}
