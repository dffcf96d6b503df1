import type { IdempotencyEntry, IdempotencyStore, IdempotencyUpdate } from '../../index.ts';
import { forgetKeys } from './forget-owner.ts';
import type { RedisLink } from './redis-link.ts';
import { NOW, readingScript, wholeTime, writingScript } from './redis-script.ts';

/** The number of a claim that was released is kept for an hour, so that the next is greater whatever the clock does. */
const PUT = `
local function put(fence, value, lease, lifetime)
  redis.call('HSET', KEYS[1], 'fence', fence)
  if lifetime == '0' then
    redis.call('HDEL', KEYS[1], 'value', 'held')
    redis.call('PEXPIRE', KEYS[1], 3600000)
  else
    redis.call('HSET', KEYS[1], 'value', value, 'held', string.format('%.0f', now + lease))
    redis.call('PEXPIRE', KEYS[1], lifetime)
  end
end
`;

const GET = readingScript(`${NOW}
local entry = redis.call('HMGET', KEYS[1], 'fence', 'value', 'held')
if not entry[2] then return false end
return { entry[1], entry[2], math.max(0, entry[3] - now) }
`);

/** Numbers of claims are the time in microseconds: they grow even when all that Redis knew is lost. */
const CLAIM = writingScript(`${NOW}${PUT}
local entry = redis.call('HMGET', KEYS[1], 'fence', 'value')
if (entry[2] and entry[1] or '') ~= ARGV[1] then return false end
local fence = time[1] * 1000000 + time[2]
if entry[1] then fence = math.max(fence, entry[1] + 1) end
put(string.format('%.0f', fence), ARGV[2], ARGV[3], ARGV[4])
return string.format('%.0f', fence)
`);

const REPLACE = writingScript(`${NOW}${PUT}
local entry = redis.call('HMGET', KEYS[1], 'fence', 'value', 'held')
if not entry[2] or entry[1] ~= ARGV[1] then return 0 end
local fence = ARGV[1]
if tonumber(entry[3]) <= now then
  if tonumber(ARGV[3]) > 0 then return 0 end
  fence = string.format('%.0f', math.max(time[1] * 1000000 + time[2], fence + 1))
end
put(fence, ARGV[2], ARGV[3], ARGV[4])
return 1
`);

/** Calls that run once, as hashes; leases are by the clock of Redis. */
export class RedisIdempotencyStore implements IdempotencyStore {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  async get(key: string): Promise<IdempotencyEntry | undefined> {
    const entry = await this.#link.run(GET, [this.#keyOf(key)], []);
    if (entry === null) return undefined;
    const [fence, value, leaseLeft] = entry as readonly [string, string, number];
    return { value, fence: Number(fence), leaseLeft };
  }

  async claim(
    key: string,
    expected: number | undefined,
    update: IdempotencyUpdate,
  ): Promise<number | undefined> {
    // Its caller was refused, and may come again
    const late = (fence: unknown): void => {
      if (fence === null) return;
      this.replace(key, Number(fence), { value: '', lease: 0, lifetime: 0 }).catch(() => undefined);
    };
    const args = [expected ?? '', ...argumentsOf(update)];
    const fence = await this.#link.run(CLAIM, [this.#keyOf(key)], args, late);
    return fence === null ? undefined : Number(fence);
  }

  async replace(key: string, fence: number, update: IdempotencyUpdate): Promise<boolean> {
    const args = [fence, ...argumentsOf(update)];
    return (await this.#link.run(REPLACE, [this.#keyOf(key)], args)) === 1;
  }

  async forget(owner: string): Promise<number> {
    return forgetKeys(this.#link, this.#link.keys.tagged('idempotency', owner));
  }

  #keyOf(key: string): string {
    return this.#link.keys.of('idempotency', key);
  }
}

function argumentsOf({ value, lease, lifetime }: IdempotencyUpdate): readonly (string | number)[] {
  return [value, Math.ceil(lease), lifetime <= 0 ? 0 : wholeTime(lifetime)];
}
