import { LOG_LEVELS, type LogLevel } from '../../../call/request-context.ts';
import { checkSubscription } from '../../../runtime/clients/changes.ts';

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
  /** The instance that the session began at, which counts it. */
  readonly opener?: string | undefined;
}

/** A session as one of its requests sees it. */
export interface ClientSession {
  readonly record: SessionRecord;
  /** False where requests to the client would be lost. */
  readonly canAsk: boolean;
}

export function newSession(id: string, owner?: string, opener?: string): SessionRecord {
  return Object.freeze({
    id,
    owner,
    opener,
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
