import type { EventStore, ReplayTarget, StoredMessage } from '../../index.ts';
import { positiveMilliseconds, wholeNumber, type OptionRules } from '../../shared/option-rules.ts';
import { splitKey } from '../../shared/owners/owned-key.ts';
import { forgetKeys } from './forget-owner.ts';
import { hashed } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { readingScript, wholeTime, writingScript } from './redis-script.ts';

/** How much is kept of the streams of 2025 clients. */
export interface RedisEventOptions {
  /** Events of one stream, about: Redis drops them in blocks. Default 1,000. */
  readonly maxEvents?: number;
  /** Milliseconds after the last event of a stream. Default 5 minutes. */
  readonly ttl?: number;
}

export const REDIS_EVENT_RULES: OptionRules<RedisEventOptions> = {
  maxEvents: wholeNumber(1),
  ttl: positiveMilliseconds,
};

/** Of a session, a hash with the names of its streams; and each stream as one of Redis. */
const STORE = writingScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local id = redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'message', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return id
`);

/** The name of a stream and its last event. */
const FIND = readingScript(`
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
return last and { redis.call('HGET', KEYS[1], ARGV[1]), last[1] }
`);

const FORGET = writingScript(`
for _, stream in ipairs(redis.call('HKEYS', KEYS[1])) do redis.call('DEL', KEYS[1] .. ':' .. stream) end
redis.call('DEL', KEYS[1])
`);

/** Events in one command; a long stream takes several. */
const PAGE = 100;

interface Place {
  readonly session: string;
  readonly stream: string;
  readonly event: string;
}

type Entry = readonly [event: string, fields: readonly string[]];

/** Streams of events. The id of an event names its session and stream, as hashes, so that any instance finds them. */
export class RedisEventStore implements EventStore {
  readonly #link: RedisLink;
  readonly #maxEvents: number;
  readonly #ttl: number;

  constructor(link: RedisLink, { maxEvents = 1000, ttl = 5 * 60_000 }: RedisEventOptions = {}) {
    this.#link = link;
    this.#maxEvents = maxEvents;
    this.#ttl = ttl;
  }

  async storeEvent(streamId: string, message: StoredMessage, session = streamId): Promise<string> {
    const stream = hashed(streamId);
    const name = sessionName(session);
    const args = [stream, streamId, JSON.stringify(message), this.#maxEvents, wholeTime(this.#ttl)];
    const event = String(await this.#link.run(STORE, this.#keysOf(name, stream), args));
    return `${name}.${stream}.${event}`;
  }

  async replayEventsAfter(lastEventId: string, { send }: ReplayTarget): Promise<string | undefined> {
    const place = placeOf(lastEventId);
    const streamId = place && (await this.#find(place));
    if (place === undefined || streamId === undefined) return undefined;
    const { session, stream } = place;
    const [, key = ''] = this.#keysOf(session, stream);
    let after = place.event;
    for (;;) {
      const command = ['XRANGE', key, `(${after}`, '+', 'COUNT', String(PAGE)];
      const entries = (await this.#link.send(command, { key })) as readonly Entry[];
      for (const [event, [, text = '{}']] of entries) {
        await send(`${session}.${stream}.${event}`, JSON.parse(text) as StoredMessage);
        after = event;
      }
      if (entries.length < PAGE) return streamId;
    }
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    const place = placeOf(eventId);
    return place && this.#find(place);
  }

  async forgetSession(session: string): Promise<void> {
    await this.#link.run(FORGET, this.#keysOf(sessionName(session)), []);
  }

  /** Counts sessions and streams, not the events in them. */
  async forget(owner: string): Promise<number> {
    return forgetKeys(this.#link, this.#link.keys.tagged('events', owner));
  }

  /** The event itself may be gone, as long as its stream has events. */
  async #find({ session, stream, event }: Place): Promise<string | undefined> {
    const found = await this.#link.run(FIND, this.#keysOf(session, stream), [stream]);
    if (found === null) return undefined;
    const [streamId, last] = found as readonly [string | null, string];
    return streamId !== null && isIssued(event, last) ? streamId : undefined;
  }

  /** The hash of the session comes from ids that clients send: it is not hashed again. */
  #keysOf(session: string, stream?: string): readonly string[] {
    const [, owner, own = session] = /^(.+)~(.+)$/.exec(session) ?? [];
    const { keys } = this.#link;
    const names = owner === undefined ? keys.tagged('events', own) : `${keys.tagged('events', owner)}:${own}`;
    return stream === undefined ? [names] : [names, `${names}:${stream}`];
  }
}

/** The hash of a session, behind its owner. */
function sessionName(session: string): string {
  const [owner, rest] = splitKey(session);
  return owner === undefined ? hashed(session) : `${owner}~${hashed(rest)}`;
}

function placeOf(eventId: string): Place | undefined {
  const [, session, stream, event] =
    /^((?:[\w-]{22}~)?[\w-]{22})\.([\w-]{22})\.(\d{1,15}-\d{1,15})$/.exec(eventId) ?? [];
  if (session === undefined || stream === undefined || event === undefined) return undefined;
  return { session, stream, event };
}

function isIssued(event: string, last: string): boolean {
  const [time = 0, count = 0] = event.split('-').map(Number);
  const [lastTime = 0, lastCount = 0] = last.split('-').map(Number);
  return time < lastTime || (time === lastTime && count <= lastCount);
}
