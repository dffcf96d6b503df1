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
  /**
   * Bytes of one owner, or of one session where callers are not authenticated, with 512 for an event beside its text; the
   * oldest events are given up first, and the newest is always kept. Default 16 MiB.
   */
  readonly maxBytesPerOwner?: number;
  /** Milliseconds after the last event of a stream. Default 5 minutes. */
  readonly ttl?: number;
}

export const REDIS_EVENT_RULES: OptionRules<RedisEventOptions> = {
  maxEvents: wholeNumber(1),
  maxBytesPerOwner: wholeNumber(1),
  ttl: positiveMilliseconds,
};

/**
 * Of a session, a hash with the names of its streams; each stream as one of Redis; and of an owner, a list of all events with
 * their sizes, oldest first, and the sum of these. What is too old or too much goes, and with the last event its stream.
 */
const STORE = writingScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local id = redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'message', ARGV[3])
local size = #ARGV[3] + 512
redis.call('RPUSH', KEYS[3], KEYS[1] .. ' ' .. ARGV[1] .. ' ' .. id .. ' ' .. size)
local total = redis.call('INCRBY', KEYS[4], size)
local oldest = tonumber(string.match(id, '^%d+')) - tonumber(ARGV[5])
while redis.call('LLEN', KEYS[3]) > 1 do
  local names, stream, event, bytes = string.match(redis.call('LINDEX', KEYS[3], 0), '^(.*) (%S+) (%S+) (%d+)$')
  if total <= tonumber(ARGV[6]) and tonumber(string.match(event, '^%d+')) > oldest then break end
  redis.call('LPOP', KEYS[3])
  total = redis.call('DECRBY', KEYS[4], bytes)
  local key = names .. ':' .. stream
  redis.call('XDEL', key, event)
  if redis.call('XLEN', key) == 0 then
    redis.call('DEL', key)
    redis.call('HDEL', names, stream)
  end
end
for index = 1, 4 do redis.call('PEXPIRE', KEYS[index], ARGV[5]) end
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
local events = redis.call('LRANGE', KEYS[2], 0, -1)
redis.call('DEL', KEYS[2])
local freed = 0
for _, event in ipairs(events) do
  local names, bytes = string.match(event, '^(.*) %S+ %S+ (%d+)$')
  if names == KEYS[1] then freed = freed + bytes else redis.call('RPUSH', KEYS[2], event) end
end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('DEL', KEYS[3]) else
  redis.call('DECRBY', KEYS[3], freed)
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
end
`);

const END = writingScript(`
local left = redis.call('PTTL', KEYS[2])
if tonumber(ARGV[2]) <= 0 then
  redis.call('DEL', KEYS[2])
  redis.call('HDEL', KEYS[1], ARGV[1])
elseif left > tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
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
  readonly #bounds: readonly [maxEvents: number, ttl: number, maxBytes: number];

  constructor(link: RedisLink, options: RedisEventOptions = {}) {
    const { maxEvents = 1000, maxBytesPerOwner = 16 * 1024 * 1024, ttl = 5 * 60_000 } = options;
    this.#link = link;
    this.#bounds = [maxEvents, wholeTime(ttl), maxBytesPerOwner];
  }

  async storeEvent(streamId: string, message: StoredMessage, session = streamId): Promise<string> {
    const stream = hashed(streamId);
    const name = sessionName(session);
    const args = [stream, streamId, JSON.stringify(message), ...this.#bounds];
    const keys = [...this.#keysOf(name, stream), ...this.#totalsOf(name)];
    const event = String(await this.#link.run(STORE, keys, args));
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

  async endStream(streamId: string, milliseconds: number, session = streamId): Promise<void> {
    const stream = hashed(streamId);
    const keys = this.#keysOf(sessionName(session), stream);
    await this.#link.run(END, keys, [stream, Math.ceil(milliseconds)]);
  }

  async forgetSession(session: string): Promise<void> {
    const name = sessionName(session);
    const [, ttl] = this.#bounds;
    await this.#link.run(FORGET, [...this.#keysOf(name), ...this.#totalsOf(name)], [ttl]);
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
    const [owner, own] = ownerOf(session);
    const { keys } = this.#link;
    const names = owner === undefined ? keys.tagged('events', own) : `${keys.tagged('events', owner)}:${own}`;
    return stream === undefined ? [names] : [names, `${names}:${stream}`];
  }

  /** The list of all events of the owner, and their bytes. */
  #totalsOf(session: string): readonly string[] {
    const [owner, own] = ownerOf(session);
    const all = this.#link.keys.tagged('events', owner ?? own);
    return [`${all}:order`, `${all}:bytes`];
  }
}

function ownerOf(session: string): readonly [owner: string | undefined, own: string] {
  const [, owner, own = session] = /^(.+)~(.+)$/.exec(session) ?? [];
  return [owner, own];
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
