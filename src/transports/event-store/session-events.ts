import { createHash } from 'node:crypto';
import type { EventStore, StoredMessage } from './event-store.ts';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import { ownedKey, splitKey } from '../../shared/owners/owned-key.ts';

/** An event that a client missed. */
export interface MissedEvent {
  readonly id: string;
  readonly message: StoredMessage;
}

/** Where a client lost a stream: the channel of its session, and the store's id of the last event it got. */
export interface Cursor {
  readonly channel: string;
  readonly event: string;
}

/** Milliseconds for which a client may come back that has read everything, as far as the server knows. */
const AFTER_READING = 30_000;
/** What marks a place in a stream and is never replayed. */
const PLACE: StoredMessage = Object.freeze({});

/**
 * An event store as one session sees it: its stream names are unique, and it reads only its own streams. The ids that
 * clients see begin with the channel, so that a running channel is found without the store.
 */
export class SessionEvents {
  readonly port: EventStore;
  readonly #report: (cause: unknown) => void;
  readonly #key: string;
  #isEnded = false;

  /**
   * @param sessionId every instance derives the same stream names from it
   * @param report called for every failure of the store
   */
  constructor(sessionId: string, store: EventStore, report: (cause: unknown) => void) {
    // Not the id itself: it would give the session to everybody who can read the store.
    const digest = createHash('sha256').update(sessionId).digest('base64url');
    this.#key = ownedKey(splitKey(sessionId)[0], digest);
    this.port = store;
    this.#report = report;
  }

  /**
   * @param message without one, the event only marks a position in the stream
   * @returns the id to send with the message; undefined when it could not be stored
   */
  async store(channel: string, message: object = PLACE): Promise<string | undefined> {
    if (this.#isEnded) return undefined;
    try {
      const stream = this.#streamOf(channel);
      const id: unknown = await this.port.storeEvent(stream, message as StoredMessage, this.#key);
      if (isEventId(id)) return wireId(channel, id);
      throw new Error('storeEvent must give an id of printable ASCII without spaces');
    } catch (cause) {
      this.#report(cause);
      return undefined;
    }
  }

  /** The later events; `unknown` for an event that is not stored any more, `foreign` for one of another session. */
  async after({ channel, event }: Cursor): Promise<readonly MissedEvent[] | 'unknown' | 'foreign'> {
    const owner = await this.port.getStreamIdForEventId?.(event);
    // Checked first: replaying a stream of another session could take long.
    if (owner !== undefined && owner !== '' && owner !== this.#streamOf(channel)) return 'foreign';
    // No event is passed on before the store has named the stream.
    const missed: MissedEvent[] = [];
    const stream = await this.port.replayEventsAfter(event, {
      send: async (id, message) => {
        if (Object.keys(message).length > 0) missed.push({ id: wireId(channel, id), message });
      },
    });
    if (stream === undefined || stream === '') return 'unknown';
    return stream === this.#streamOf(channel) ? missed : 'foreign';
  }

  /** Its client has read the answer that ends the channel, unless what carried it broke at the very end. */
  async read(channel: string): Promise<void> {
    if (this.#isEnded) return;
    try {
      await this.port.endStream?.(this.#streamOf(channel), AFTER_READING, this.#key);
    } catch (cause) {
      this.#report(cause);
    }
  }

  /** Forgets the events of an ended session. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    try {
      await this.port.forgetSession?.(this.#key);
    } catch (cause) {
      this.#report(cause);
    }
  }

  #streamOf(channel: string): string {
    return `${this.#key}:${channel}`;
  }
}

/** Undefined for an id that was never sent. */
export function readCursor(lastEventId: string): Cursor | undefined {
  const [, channel, event] = /^([^-]+)-([\x21-\x7e]+)$/.exec(lastEventId) ?? [];
  return channel === undefined || event === undefined ? undefined : { channel, event };
}

/** What {@link readCursor} reads. */
export function wireId(channel: string, event: string): string {
  return `${channel}-${event}`;
}

/** It becomes a line of an event stream, and comes back as a header. */
function isEventId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

/** Logs what a failing store could not keep. */
export function storeReporter(logger: Logger): (cause: unknown) => void {
  const repeats = new DedupingLogger(logger);
  return (cause) => {
    const message = 'The event store failed; what it should have kept cannot be resumed.';
    repeats.log({ level: 'warning', event: 'http.event-store', message, cause });
  };
}
