import { Buffer } from 'node:buffer';
import { refuseOptions } from '../../errors/option-errors.ts';
import { positiveNumber, type OptionRules } from '../../shared/option-rules.ts';
import { isOwnedBy } from '../../shared/owners/owned-key.ts';
import { OwnerShares, type Owner } from '../../shared/owners/owner-shares.ts';
import type { EventStore, ReplayTarget, StoredMessage } from './event-store.ts';

/** How much an {@link InMemoryEventStore} keeps. */
export interface InMemoryEventStoreOptions {
  /** Events of one stream. Default 1000. */
  readonly maxEvents?: number;
  /** Estimated memory of all streams: the JSON of each event and 512 bytes. Default 16 MiB. */
  readonly maxBytes?: number;
  /** The same of one session. Default: half of `maxBytes`. */
  readonly maxBytesPerSession?: number;
  /** Milliseconds. Default 5 minutes. */
  readonly ttl?: number;
}

interface StoredEvent {
  readonly stream: StoredStream;
  readonly position: number;
  readonly text: string;
  readonly size: number;
  readonly storedAt: number;
}

interface StoredStream {
  readonly id: string;
  readonly session: Owner;
  /** Stands for the stream in the ids of its events. */
  readonly number: number;
  /** Oldest first. */
  readonly events: StoredEvent[];
  last: number;
}

/** The memory of an event without its text: objects, the stream's name, and entries in collections. */
const OVERHEAD = 512;

const RULES: OptionRules<InMemoryEventStoreOptions> = {
  maxEvents: positiveNumber,
  maxBytes: positiveNumber,
  maxBytesPerSession: positiveNumber,
  ttl: positiveNumber,
};

/**
 * The {@link EventStore} of a single process. Beyond its bounds the oldest events are given up, and a replay
 * then begins with what is left; the newest event is always kept. Age is looked at whenever the store is used.
 *
 * @throws ToolwrightError `TW_SERVER_OPTION` for a bound that is not a number above 0
 * @example
 * const eventStore = new InMemoryEventStore({ maxBytes: 64 * 1024 * 1024 });
 * await app.listen({ port: 3000, sessions: { eventStore } });
 */
export class InMemoryEventStore implements EventStore {
  readonly #bounds: Readonly<Required<InMemoryEventStoreOptions>>;
  readonly #now: () => number;
  readonly #streams = new Map<string, StoredStream>();
  readonly #numbered = new Map<number, StoredStream>();
  /** Of all streams, oldest first. */
  readonly #events = new Set<StoredEvent>();
  /** Of their bytes; each session offers its events, oldest first. */
  readonly #shares = new OwnerShares<StoredEvent>();
  /** Streams that were read to their end, with the time until which they are kept. */
  readonly #read = new Map<StoredStream, number>();
  #streamCount = 0;

  /** @param now the clock, in milliseconds */
  constructor(options: InMemoryEventStoreOptions = {}, now = (): number => performance.now()) {
    refuseOptions('TW_SERVER_OPTION', 'new InMemoryEventStore()', options, RULES);
    const { maxEvents = 1000, maxBytes = 16 * 1024 * 1024, ttl = 5 * 60_000 } = options;
    const { maxBytesPerSession = maxBytes / 2 } = options;
    this.#bounds = { maxEvents, maxBytes, maxBytesPerSession, ttl };
    this.#now = now;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.size;
  }

  /** Their estimated memory, which `maxBytes` bounds. */
  get bytes(): number {
    return this.#shares.total;
  }

  async storeEvent(streamId: string, message: StoredMessage, session?: string): Promise<string> {
    const stream = this.#streams.get(streamId) ?? this.#addStream(streamId, session);
    // As text, because a handler may change the message later.
    const text = JSON.stringify(message);
    stream.last += 1;
    const event = {
      stream,
      position: stream.last,
      text,
      size: Buffer.byteLength(text) + OVERHEAD,
      storedAt: this.#now(),
    };
    stream.events.push(event);
    this.#events.add(event);
    this.#shares.add(stream.session, event.size);
    this.#keepBounds(event);
    // After eviction: the newest event is always kept, whatever its size.
    if (this.#events.has(event)) this.#shares.offer(stream.session, event, -Infinity);
    return `${String(stream.number)}.${String(event.position)}`;
  }

  async replayEventsAfter(lastEventId: string, { send }: ReplayTarget): Promise<string | undefined> {
    this.#dropAged();
    const [stream, after] = this.#find(lastEventId);
    // A copy: others may store while this waits.
    for (const { position, text } of stream?.events.slice() ?? []) {
      if (position <= after) continue;
      await send(`${String(stream?.number)}.${String(position)}`, JSON.parse(text) as StoredMessage);
    }
    return stream?.id;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    this.#dropAged();
    return this.#find(eventId)[0]?.id;
  }

  async endStream(streamId: string, milliseconds: number): Promise<void> {
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) this.#read.set(stream, this.#now() + milliseconds);
    this.#dropAged();
  }

  /** All of its streams. */
  async forgetSession(session: string): Promise<void> {
    for (const event of [...this.#shares.offeredBy(session)]) this.#drop(event);
  }

  /** Of all of its sessions. */
  async forget(owner: string): Promise<number> {
    this.#dropAged();
    const owned = [...this.#events].filter(({ stream }) => isOwnedBy(stream.session, owner));
    for (const event of owned) this.#drop(event);
    return owned.length;
  }

  #addStream(id: string, session: Owner): StoredStream {
    this.#streamCount += 1;
    const stream = { id, session, number: this.#streamCount, events: [], last: 0 };
    this.#streams.set(id, stream);
    this.#numbered.set(stream.number, stream);
    return stream;
  }

  /** The event itself may be gone, as long as its stream has events. */
  #find(eventId: string): [StoredStream | undefined, number] {
    const [, number, position] = /^(\d+)\.(\d+)$/.exec(eventId) ?? [];
    const stream = this.#numbered.get(Number(number));
    const isIssued = Number(position) >= 1 && Number(position) <= (stream?.last ?? 0);
    return [isIssued ? stream : undefined, Number(position)];
  }

  #keepBounds(newest: StoredEvent): void {
    const { events } = newest.stream;
    const [oldest] = events;
    if (oldest !== undefined && events.length > this.#bounds.maxEvents) this.#drop(oldest);
    this.#dropAged();
    const { maxBytes, maxBytesPerSession } = this.#bounds;
    const { session } = newest.stream;
    const giveUp = (event: StoredEvent): void => {
      this.#drop(event);
    };
    // Who stores for no session in particular is the only one that does.
    const perOwner = session === undefined ? Infinity : maxBytesPerSession;
    this.#shares.makeRoom(session, 0, { total: Infinity, perOwner }, giveUp);
    this.#shares.makeRoom(session, 0, { total: maxBytes, perOwner: Infinity }, giveUp);
  }

  #dropAged(): void {
    for (const [stream, until] of this.#read) {
      // All are kept equally long
      if (until > this.#now()) break;
      for (const event of stream.events.slice()) this.#drop(event);
    }
    const latest = this.#now() - this.#bounds.ttl;
    for (const event of this.#events) {
      if (event.storedAt > latest) return;
      this.#drop(event);
    }
  }

  /** Only the oldest of its stream. */
  #drop(event: StoredEvent): void {
    const { stream } = event;
    this.#events.delete(event);
    this.#shares.withdraw(stream.session, event);
    this.#shares.remove(stream.session, event.size);
    stream.events.shift();
    if (stream.events.length > 0) return;
    this.#streams.delete(stream.id);
    this.#numbered.delete(stream.number);
    this.#read.delete(stream);
  }
}
