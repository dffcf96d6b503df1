import type { Store, StoreEntry, StoreWrite, StoreWritten } from '../../index.ts';
import { boundOwner, conditionOf, isClaim, MAX_OWNER_BYTES, ownerLimit } from '../shared/store-write.ts';
import { splitKey } from '../../shared/owners/owned-key.ts';
import { forgetKeys } from './forget-owner.ts';
import type { RedisKeys } from './redis-keys.ts';
import { isRefusal, type RedisLink } from './redis-link.ts';
import { NOW, readingScript, wholeTime, writingScript } from './redis-script.ts';

const GET = readingScript(`${NOW}
local entry = redis.call('HMGET', KEYS[1], 'version', 'value', 'held')
if not entry[2] then return false end
if ARGV[1] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  if KEYS[2] and redis.call('ZSCORE', KEYS[2], KEYS[1]) then
    -- A Redis that is full refuses this, and still gives the entry
    redis.pcall('ZADD', KEYS[2], now + ARGV[1], KEYS[1])
    for _, key in ipairs({ KEYS[2], KEYS[3] }) do
      if redis.call('PTTL', key) < tonumber(ARGV[1]) then redis.call('PEXPIRE', key, ARGV[1]) end
    end
  end
end
return { entry[1], entry[2], math.max(0, (entry[3] or 0) - now) }
`);

/** An entry takes no more of the bytes of its owner. */
const RELEASE = `
local function release(ends, sizes, name)
  local size = redis.call('HGET', sizes, name)
  if not size then return end
  redis.call('HINCRBY', sizes, '', -size)
  redis.call('HDEL', sizes, name)
  redis.call('ZREM', ends, name)
end
`;

/**
 * Versions are the time in microseconds: they grow even when all that Redis knew is lost. That of a forgotten value is kept
 * for an hour, so that the next is greater whatever the clock does. The bytes of an owner are counted where a write bounds
 * them: a sorted set has the keys by their end, and a hash their sizes, with their sum under the empty name.
 */
const PUT = writingScript(`${NOW}${RELEASE}
local ttl, hold, condition, wanted, stays = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6] == '1'
local entry = redis.call('HMGET', KEYS[1], 'version', 'value', 'held')
local is_there, held = entry[2], tonumber(entry[3] or 0)
local is_met = condition == 'any' or (condition == 'absent' and not is_there)
if is_there and entry[1] == wanted then is_met = condition == 'version' or (condition == 'held' and held > now) end
if not is_met then
  return is_there and { entry[1], entry[2], math.max(0, held - now) } or {}
end
local is_bound = ARGV[8] ~= ''
if KEYS[2] and (is_bound or redis.call('HEXISTS', KEYS[3], KEYS[1]) == 1) then
  local ends, sizes, name = KEYS[2], KEYS[3], KEYS[1]
  for _, over in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now)) do release(ends, sizes, over) end
  local size = ttl > 0 and tonumber(ARGV[7]) or 0
  local more = size - (redis.call('HGET', sizes, name) or 0)
  if is_bound and more > 0 and more + (redis.call('HGET', sizes, '') or 0) > tonumber(ARGV[8]) then return 0 end
  release(ends, sizes, name)
  if size > 0 then
    redis.call('HSET', sizes, name, size)
    redis.call('HINCRBY', sizes, '', size)
    redis.call('ZADD', ends, now + ttl, name)
    for _, key in ipairs({ ends, sizes }) do
      if redis.call('PTTL', key) < ttl then redis.call('PEXPIRE', key, ttl) end
    end
  end
end
local version = entry[1]
if not (stays and is_there) then
  local number = time[1] * 1000000 + time[2]
  if version then number = math.max(number, version + 1) end
  version = string.format('%.0f', number)
end
redis.call('HSET', KEYS[1], 'version', version)
if ttl == 0 then
  redis.call('HDEL', KEYS[1], 'value', 'held')
  redis.call('PEXPIRE', KEYS[1], 3600000)
else
  redis.call('HSET', KEYS[1], 'value', ARGV[1])
  if hold > 0 then redis.call('HSET', KEYS[1], 'held', string.format('%.0f', now + hold))
  else redis.call('HDEL', KEYS[1], 'held') end
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return version
`);

const DELETE = writingScript(`${RELEASE}
local entry = redis.call('HMGET', KEYS[1], 'version', 'value')
if not entry[2] or (ARGV[1] ~= '' and entry[1] ~= ARGV[1]) then return 0 end
if KEYS[2] then release(KEYS[2], KEYS[3], KEYS[1]) end
return redis.call('DEL', KEYS[1])
`);

/** Entries as hashes; times are by the clock of Redis. What it has no room for is refused. */
export class RedisStore implements Store {
  readonly #link: RedisLink;
  readonly #maxBytes: number;

  constructor(link: RedisLink, maxBytesPerOwner = MAX_OWNER_BYTES) {
    this.#link = link;
    this.#maxBytes = maxBytesPerOwner;
  }

  async get(
    collection: string,
    key: string,
    { keep }: { readonly keep?: number } = {},
  ): Promise<StoreEntry | undefined> {
    const found =
      keep === undefined
        ? await this.#link.run(GET, [this.#keyOf(collection, key)], [''])
        : await this.#link.run(GET, this.#keysOf(collection, key), [wholeTime(keep)]);
    return found === null ? undefined : entryOf(found);
  }

  async put(collection: string, key: string, write: StoreWrite): Promise<StoreWritten> {
    // Its caller was refused, and may come again
    const late = (reply: unknown): void => {
      if (typeof reply === 'string') this.delete(collection, key, Number(reply)).catch(() => undefined);
    };
    try {
      return writtenOf(
        await this.#link.run(
          PUT,
          this.#keysOf(collection, key),
          argumentsOf(key, write, this.#maxBytes),
          isClaim(write) ? late : undefined,
        ),
      );
    } catch (error) {
      if (isRefusal(error, 'OOM')) return { full: 'store' };
      throw error;
    }
  }

  async delete(collection: string, key: string, version?: number): Promise<boolean> {
    return (await this.#link.run(DELETE, this.#keysOf(collection, key), [version ?? ''])) === 1;
  }

  async forget(collection: string, owner: string): Promise<number> {
    const shares = sharesOf(this.#link.keys, collection, owner);
    await this.#link.send(['DEL', ...shares], { key: shares[0] });
    return forgetKeys(this.#link, this.#link.keys.tagged(collection, owner));
  }

  now(): Promise<number> {
    return this.#link.now(this.#keyOf('now', 'now'));
  }

  #keyOf(collection: string, key: string): string {
    return this.#link.keys.of(collection, key);
  }

  /** With where the bytes of its owner are counted, on the same node. */
  #keysOf(collection: string, key: string): readonly string[] {
    const [owner] = splitKey(key);
    const shares = owner === undefined ? [] : sharesOf(this.#link.keys, collection, owner);
    return [this.#keyOf(collection, key), ...shares];
  }
}

function sharesOf(keys: RedisKeys, collection: string, owner: string): readonly string[] {
  return ['ends', 'sizes'].map((part) => keys.tagged(`${collection}-${part}`, owner));
}

function argumentsOf(key: string, write: StoreWrite, maxBytes: number): readonly (string | number)[] {
  const { value, ttl, hold = 0, renumber } = write;
  const [kind, wanted] = conditionOf(write);
  const limit = ownerLimit(key, write) ?? (boundOwner(key, write) === undefined ? '' : maxBytes);
  const times = [ttl <= 0 ? 0 : wholeTime(ttl), Math.ceil(hold)];
  const size = Buffer.byteLength(key) + Buffer.byteLength(value);
  return [value, ...times, kind, wanted, renumber === false ? 1 : 0, size, limit];
}

function writtenOf(reply: unknown): StoreWritten {
  if (typeof reply === 'string') return { version: Number(reply) };
  if (!Array.isArray(reply)) return { full: 'owner' };
  return { refused: reply.length === 0 ? undefined : entryOf(reply) };
}

function entryOf(found: unknown): StoreEntry {
  const [version, value, holdLeft] = found as readonly [string, string, number];
  return { value, version: Number(version), holdLeft };
}
