import { createHash } from 'node:crypto';
import type { EventStore, StoredMessage } from './event-store.ts';

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

/** What marks a place in a stream and is never replayed. */
const PLACE: StoredMessage = Object.freeze({});

/**
 * An event store as one session sees it: under names that no other session has, and with nothing of theirs.
 * The ids that clients see begin with the channel, so a channel that still runs is found without the store.
 */
export class SessionEvents {
  readonly #store: EventStore;
  readonly #report: (cause: unknown) => void;
  readonly #key: string;
  #isEnded = false;

  /**
   * @param sessionId every instance derives the same stream names from it
   * @param report called for every failure of the store
   */
  constructor(sessionId: string, store: EventStore, report: (cause: unknown) => void) {
    // Not the id itself, which opens the session to everybody who can read the store.
    this.#key = createHash('sha256').update(sessionId).digest('base64url');
    this.#store = store;
    this.#report = report;
  }

  /**
   * @param message left out, it marks the place where the stream is
   * @returns the id to send with the message; undefined when it could not be stored
   */
  async store(channel: string, message: object = PLACE): Promise<string | undefined> {
    if (this.#isEnded) return undefined;
    try {
      const stream = this.#streamOf(channel);
      const id: unknown = await this.#store.storeEvent(stream, message as StoredMessage, this.#key);
      if (isEventId(id)) return wireId(channel, id);
      throw new Error('storeEvent must give an id of printable ASCII without spaces');
    } catch (cause) {
      this.#report(cause);
      return undefined;
    }
  }

  /** What came after; `unknown` is what is not stored any more, and `foreign` what belongs elsewhere. */
  async after({ channel, event }: Cursor): Promise<readonly MissedEvent[] | 'unknown' | 'foreign'> {
    const owner = await this.#store.getStreamIdForEventId?.(event);
    // Said at once: a replay of what belongs to somebody else may be long.
    if (owner !== undefined && owner !== '' && owner !== this.#streamOf(channel)) return 'foreign';
    // Nothing is handed on before the store has said whose events they are.
    const missed: MissedEvent[] = [];
    const stream = await this.#store.replayEventsAfter(event, {
      send: async (id, message) => {
        if (Object.keys(message).length > 0) missed.push({ id: wireId(channel, id), message });
      },
    });
    if (stream === undefined || stream === '') return 'unknown';
    return stream === this.#streamOf(channel) ? missed : 'foreign';
  }

  /** The session has ended: nothing is kept for it any more. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    try {
      await this.#store.forgetSession?.(this.#key);
    } catch (cause) {
      this.#report(cause);
    }
  }

  #streamOf(channel: string): string {
    return `${this.#key}:${channel}`;
  }
}

/** Undefined for what was never sent as an id. */
export function readCursor(lastEventId: string): Cursor | undefined {
  const [, channel, event] = /^([^-]+)-([\x21-\x7e]+)$/.exec(lastEventId) ?? [];
  return channel === undefined || event === undefined ? undefined : { channel, event };
}

function wireId(channel: string, event: string): string {
  return `${channel}-${event}`;
}

/** It becomes a line of an event stream, and comes back as a header. */
function isEventId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
