import type { LimitCharge, LimitRefusal, LimitStore } from '../../index.ts';
import { splitKey } from '../../shared/owners/owned-key.ts';
import { forgetKeys } from './forget-owner.ts';
import { hashed } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { NOW, writingScript } from './redis-script.ts';

/** When the present window of the calendar began, and when it ends (days to civil date: Howard Hinnant, chrono). */
const WINDOW = `
local DAY = 86400000
local function window(per)
  if per ~= 'month' then
    local length = per == 'hour' and 3600000 or DAY
    return now - now % length, now - now % length + length
  end
  local days = math.floor(now / DAY) + 719468
  local era = math.floor(days / 146097)
  local of_era = days - era * 146097
  local year = math.floor((of_era - math.floor(of_era / 1460) + math.floor(of_era / 36524)
    - math.floor(of_era / 146096)) / 365)
  local of_year = of_era - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local from_march = math.floor((5 * of_year + 2) / 153)
  local day = of_year - math.floor((153 * from_march + 2) / 5)
  local month = (from_march + 2) % 12 + 1
  if month <= 2 then year = year + 1 end
  local length = ({ 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 })[month]
  if month == 2 and year % 4 == 0 and (year % 100 ~= 0 or (era * 400 + year) % 400 == 0) then length = 29 end
  local begin = now - now % DAY - day * DAY
  return begin, begin + length * DAY
end
`;

/** As `InMemoryLimitStore` counts: all charges or none. A key expires when it is as if nothing had been counted. */
const CHARGE = writingScript(`${NOW}${WINDOW}
local counts, index, longest = {}, 0, 0
for i, key in ipairs(KEYS) do
  local cost, limit, per, burst = unpack(ARGV, i * 4 - 3, i * 4)
  local used, at, fresh, wait = 0, now, 0, 0
  local known = redis.call('GET', key)
  if known then
    local texts = { string.match(known, '(%S+) (%S+)') }
    used, at = tonumber(texts[1]), tonumber(texts[2])
  end
  if tonumber(per) then
    local before = math.max(0, used - (now - math.min(at, now)) * limit)
    used, at = before + cost * per, now
    fresh = now + math.ceil(used / limit)
    wait = math.max(0, math.ceil((used - burst * per) / limit))
  else
    local begin, finish = window(per)
    used = ((known and at == begin) and used or 0) + cost
    at, fresh = begin, finish
    if used > tonumber(limit) then wait = finish - now end
  end
  if wait > longest then index, longest = i, wait end
  counts[i] = { used, at, fresh }
end
if longest > 0 then return { index, longest } end
for i, key in ipairs(KEYS) do
  local used, at, fresh = unpack(counts[i])
  local lifetime = fresh - now
  if lifetime > 0 then
    redis.call('SET', key, string.format('%.17g %.0f', used, at), 'PX', string.format('%.0f', lifetime))
  end
end
return false
`);

/** Counts by the clock of Redis, in one script for all charges of a call. */
export class RedisLimitStore implements LimitStore {
  readonly #link: Pick<RedisLink, 'run' | 'keys'>;

  constructor(link: Pick<RedisLink, 'run' | 'keys'>) {
    this.#link = link;
  }

  async charge(charges: readonly LimitCharge[]): Promise<LimitRefusal | undefined> {
    if (charges.length === 0) return undefined;
    const keys = charges.map(({ key }) => this.#link.keys.among('limits', ...partsOf(key)));
    const args = charges.flatMap(({ cost, limit, per, burst }) => [cost, limit, per, burst]);
    const refused = await this.#link.run(CHARGE, keys, args);
    if (refused === null) return undefined;
    const [place, retryAfter] = refused as readonly [number, number];
    return { index: place - 1, retryAfter };
  }

  forget(owner: string): Promise<number> {
    return forgetKeys(this.#link, this.#link.keys.among('limits', owner));
  }
}

/** What belongs to one owner begins alike. */
function partsOf(key: string): readonly string[] {
  const [owner, rest] = splitKey(key);
  return owner === undefined ? [hashed(key)] : [owner, hashed(rest)];
}
