import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { DedupingLogger, type Logger } from '../../../call/logger.ts';
import { ProtocolError } from '../../../call/protocol-error.ts';
import { FailureLog } from '../../../shared/failure-log.ts';
import { JSON_RPC_CODES } from '../../../shared/protocol.ts';
import { ownedKey, splitKey } from '../../../shared/owners/owned-key.ts';
import { createKeyring, type Keyring, type Secrets } from '../../../shared/sealed-text.ts';
import { jsonRpcCodes } from '../../json-rpc/json-rpc-error.ts';
import type { Store, StoreEntry, StoreWrite } from '../../../runtime/store/store.ts';
import type { SessionRecord } from './session-record.ts';
import { SharedReplies, type SessionWritten } from './shared-replies.ts';

/** The collection of the store. */
export const SESSIONS = 'sessions';

/** A record as its store has it; version 0 is not stored yet. */
export interface HeldRecord {
  readonly record: SessionRecord;
  readonly version: number;
}

export interface SharedRecordsOptions {
  /** The application's. */
  readonly server: string;
  readonly secrets: Secrets | undefined;
  readonly logger: Logger;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds for which sessions that are known here go on while their store fails. */
const GRACE = 5_000;
/** Milliseconds for which a session is kept whose client has not come back after `initialize`. */
const UNUSED = 60_000;
/** A change that loses against others as often as this is given up. */
const MAX_ATTEMPTS = 10;
/** The sessions of one owner grow up to here. A new one is refused at the bound of the store. */
const MAX_OWNER_BYTES = 64 * 1024 * 1024;
const NO_ROOM = 'There is no room for more sessions of this caller; end some of them, or try again later';

/** The records of sessions, as all instances of an application share them. */
export class SharedRecords {
  /** What clients reply to questions in these sessions, where the instance that asked cannot be reached. */
  readonly replies: SharedReplies;
  readonly #store: Store;
  readonly #server: string;
  readonly #keyring: Keyring;
  readonly #logger: Logger;
  readonly #unreadable: Logger;
  readonly #now: () => number;
  readonly #failures: FailureLog<'session.store-failed'>;
  #isProbed = false;

  constructor(store: Store, options: SharedRecordsOptions) {
    const { server, secrets, logger, now = performance.now.bind(performance) } = options;
    this.#store = store;
    this.#server = server;
    this.#keyring = createKeyring(secrets, `session:${server}`);
    this.#logger = logger;
    this.#unreadable = new DedupingLogger(logger);
    this.#now = now;
    this.#failures = new FailureLog(
      {
        event: 'session.store-failed',
        fails: 'The session store fails. Until it answers, requests of sessions are refused with 503.',
        works: 'The session store answers again.',
      },
      { now },
    );
    this.replies = new SharedReplies({
      server,
      secrets,
      ask: (question) => this.#ask(() => question(store)),
      put: (key, write) => this.#put(key, write),
    });
  }

  /**
   * The record, which is kept for the lifetime once more; undefined for a session that is not known, or not any more.
   * @param held what is known of it here: it stands in for a short time while the store fails
   * @throws SessionsUnavailable
   */
  async load(id: string, lifetime: number, held?: HeldRecord): Promise<HeldRecord | undefined> {
    try {
      const stored = await this.#ask(() => this.#store.get(SESSIONS, this.#keyOf(id), { keep: lifetime }));
      // Most requests change nothing, and opening costs more than all else here
      return stored && (stored.version === held?.version ? held : this.#open(stored));
    } catch (thrown) {
      if (held !== undefined && this.#failsBriefly) return held;
      throw thrown;
    }
  }

  /**
   * Changes it. Where another instance did so first, the change is applied to what that one has stored.
   * @throws SessionsUnavailable
   * @throws ProtocolError when the session has ended
   */
  async change(
    held: HeldRecord,
    lifetime: number,
    update: (record: SessionRecord) => SessionRecord,
  ): Promise<HeldRecord> {
    const key = this.#keyOf(held.record.id);
    let known = held;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { version } = known;
      const record = update(known.record);
      if (record === known.record) return known;
      const value = this.#keyring.seal(Buffer.from(JSON.stringify({ v: 1, ...record })));
      const write =
        version === 0
          ? ({ value, ttl: Math.min(lifetime, UNUSED), if: 'absent' } as const)
          : { value, ttl: lifetime, if: version };
      const grows = version > 0 && record.subscriptions.length > known.record.subscriptions.length;
      const share = { owner: splitKey(key)[0], ...(grows && { bytes: MAX_OWNER_BYTES }) };
      const written = await this.#put(key, { ...write, share });
      if ('version' in written) return { record, version: written.version };
      const latest = written.refused && this.#open(written.refused);
      if (latest === undefined) {
        throw new ProtocolError(jsonRpcCodes.sessionNotFound, 'Session not found; initialize a new one');
      }
      known = latest;
    }
    throw new SessionsUnavailable('The session is changed by too many requests at the same time; try again');
  }

  /** @throws SessionsUnavailable */
  async remove(id: string): Promise<void> {
    await this.#ask(() => this.#store.delete(SESSIONS, this.#keyOf(id)));
  }

  /** An owner with too much is refused, and not for that the sessions of others. @throws SessionsUnavailable */
  async #put(key: string, write: StoreWrite): Promise<SessionWritten> {
    const written = await this.#ask(async () => {
      const put = await this.#store.put(SESSIONS, key, write);
      if ('full' in put && put.full === 'store') throw new Error('The store has no room');
      return put;
    });
    if ('full' in written) throw new SessionsUnavailable(NO_ROOM);
    return written;
  }

  get #failsBriefly(): boolean {
    return this.#now() - (this.#failures.since ?? this.#now()) < GRACE;
  }

  /** While the store fails, one request at a time finds out whether it still does. */
  async #ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const isProbe = this.#failures.isFailing;
    if (isProbe && this.#isProbed) throw new SessionsUnavailable();
    this.#isProbed = isProbe;
    try {
      const answer = await question();
      this.#failures.worked(this.#logger);
      return answer;
    } catch (cause) {
      this.#failures.failed(cause, this.#logger);
      throw new SessionsUnavailable(undefined, cause);
    } finally {
      if (isProbe) this.#isProbed = false;
    }
  }

  /** With the owner of the id, and neither the id, which is all that a client shows, nor the name of the application. */
  #keyOf(id: string): string {
    const digest = createHash('sha256').update(`${this.#server}\n${id}`).digest('base64url');
    return ownedKey(splitKey(id)[0], digest);
  }

  #open({ value, version }: StoreEntry): HeldRecord | undefined {
    const content = this.#keyring.open(value);
    const { v, ...record } = (
      content === undefined ? {} : JSON.parse(Buffer.from(content).toString())
    ) as SessionRecord & { readonly v?: number };
    if (v === 1) return { record: Object.freeze(record), version };
    const message =
      'A session was stored with other secrets, or by another release; its client has to begin a new one.';
    this.#unreadable.log({ level: 'error', event: 'session.store-failed', message });
    return undefined;
  }
}

/** The store cannot say whether there is such a session: a client must not take that for the end of its session. */
export class SessionsUnavailable extends ProtocolError {
  constructor(message = 'The sessions cannot be read at the moment; try again', cause?: unknown) {
    super(JSON_RPC_CODES.serverError, message, { code: 'TRY_AGAIN_LATER', retryAfter: RETRY_AFTER });
    this.cause = cause;
  }
}

/** Seconds. */
export const RETRY_AFTER = 1;
