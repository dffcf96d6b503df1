import { randomUUID } from 'node:crypto';
import type { SlotRequest, SlotStore } from '../../index.ts';
import { pause, unref } from '../../shared/platform.ts';
import { hashed } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { NOW, writingScript } from './redis-script.ts';
import type { RedisSubscriber } from './redis-subscriber.ts';

/** Milliseconds for which a slot is held if its process says nothing more. */
const LEASE = 30_000;
/** Milliseconds for which a call keeps its place in a queue if its process says nothing more. */
const PATIENCE = 3000;
/** Milliseconds between two looks of a call that waits; it also looks when a slot is given back. */
const LOOK_INTERVAL = 500;

/**
 * Of each limit three sorted sets: who holds a slot and until when, who waits by the time of coming, and until when.
 * A call waits in the queues of the limits that are full, so it is in nobody's way elsewhere.
 */
const TAKE = writingScript(`${NOW}
local token, lease, patience, waits = ARGV[1], ARGV[2], ARGV[3], ARGV[4] == 'true'
local is_full, full, has_room = {}, {}, true
for i = 1, #KEYS, 3 do
  local held, queue, alive = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local place = (i + 2) / 3
  local limit, size = tonumber(ARGV[3 + place * 2]), tonumber(ARGV[4 + place * 2])
  redis.call('ZREMRANGEBYSCORE', held, 0, now)
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', alive, 0, now)) do
    redis.call('ZREM', queue, gone)
    redis.call('ZREM', alive, gone)
  end
  local waiting = redis.call('ZCARD', queue)
  local before = redis.call('ZRANK', queue, token) or waiting
  if before >= limit - redis.call('ZCARD', held) then
    is_full[i] = true
    full[#full + 1] = place
    if waiting >= size then has_room = false end
  end
end
if #full > 0 and not waits and not has_room then return false end
for i = 1, #KEYS, 3 do
  local held, queue, alive = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  if is_full[i] then
    redis.call('ZADD', queue, 'NX', string.format('%.0f', time[1] * 1000000 + time[2]), token)
    redis.call('ZADD', alive, now + patience, token)
    redis.call('PEXPIRE', queue, patience)
    redis.call('PEXPIRE', alive, patience)
  else
    redis.call('ZREM', queue, token)
    redis.call('ZREM', alive, token)
    if #full == 0 then
      redis.call('ZADD', held, now + lease, token)
      redis.call('PEXPIRE', held, lease)
    end
  end
end
return full
`);

const GIVE_BACK = writingScript(`
local waiting = 0
for i = 1, #KEYS, 3 do
  for place = i, i + 2 do redis.call('ZREM', KEYS[place], ARGV[1]) end
  waiting = waiting + redis.call('ZCARD', KEYS[i + 1])
end
if waiting > 0 then redis.call(ARGV[2], ARGV[3], '') end
`);

const RENEW = writingScript(`${NOW}
for i, token in ipairs(ARGV) do
  if i > 1 then
    redis.call('ZADD', KEYS[i - 1], now + ARGV[1], token)
    redis.call('PEXPIRE', KEYS[i - 1], ARGV[1])
  end
end
`);

interface Waiting {
  /** How many slots had been given back when the call looked. */
  readonly seen: number;
  readonly signal: AbortSignal | undefined;
}

/** Slots as leases by the clock of Redis: those of a process that is gone are free again after half a minute. */
export class RedisSlotStore implements SlotStore {
  readonly #link: RedisLink;
  readonly #subscriber: RedisSubscriber;
  readonly #freed: string;
  /** The limits whose slots are held, by token. */
  readonly #held = new Map<string, readonly SlotRequest[]>();
  readonly #sleepers = new Set<AbortController>();
  #isListening = false;
  /** How many slots were given back, as far as this instance knows. */
  #given = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(link: RedisLink, subscriber: RedisSubscriber) {
    this.#link = link;
    this.#subscriber = subscriber;
    this.#freed = link.keys.among('slots', 'freed');
    this.#timer = setInterval(() => this.#renew(), LEASE / 3);
    unref(this.#timer);
  }

  async take(
    wanted: readonly SlotRequest[],
    signal: () => AbortSignal | undefined,
  ): Promise<(() => void) | undefined> {
    const token = randomUUID();
    const seen = this.#given;
    const full = await this.#try(wanted, token, false);
    if (full === undefined) return undefined;
    return full.length === 0
      ? this.#hold(wanted, token)
      : this.#wait(wanted, token, full, { seen, signal: signal() });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #wait(
    wanted: readonly SlotRequest[],
    token: string,
    full: readonly SlotRequest[],
    { seen, signal }: Waiting,
  ): Promise<(() => void) | undefined> {
    this.#listen();
    let given = seen;
    const end = performance.now() + Math.min(...full.map(({ queueTimeout }) => queueTimeout));
    try {
      for (;;) {
        signal?.throwIfAborted();
        const left = end - performance.now();
        if (left <= 0) break;
        if (given === this.#given) await this.#change(Math.min(left, LOOK_INTERVAL), signal);
        signal?.throwIfAborted();
        given = this.#given;
        if ((await this.#try(wanted, token, true))?.length === 0) return this.#hold(wanted, token);
      }
    } catch (error) {
      this.#giveBack(wanted, token);
      throw error;
    }
    this.#giveBack(wanted, token);
    return undefined;
  }

  /** The limits that are full; undefined where the call may not wait for them. */
  async #try(
    wanted: readonly SlotRequest[],
    token: string,
    waits: boolean,
  ): Promise<readonly SlotRequest[] | undefined> {
    const places = wanted.flatMap(({ limit, queueSize }) => [limit, queueSize]);
    const args = [token, LEASE, PATIENCE, String(waits), ...places];
    // Its caller was refused, and holds nothing
    const late = (): void => {
      this.#giveBack(wanted, token);
    };
    const full = await this.#link.run(TAKE, this.#keysOf(wanted), args, late);
    if (full === null) return undefined;
    return wanted.filter((_, index) => (full as readonly number[]).includes(index + 1));
  }

  #hold(wanted: readonly SlotRequest[], token: string): () => void {
    this.#held.set(token, wanted);
    return () => {
      if (this.#held.delete(token)) this.#giveBack(wanted, token);
    };
  }

  /** What fails here ends with its lease. */
  #giveBack(wanted: readonly SlotRequest[], token: string): void {
    const args = [token, this.#link.publishing, this.#freed];
    this.#link.run(GIVE_BACK, this.#keysOf(wanted), args).catch(() => undefined);
  }

  #renew(): void {
    const held = [...this.#held].flatMap(([token, wanted]) =>
      wanted.map(({ key }) => [this.#link.keys.among('slots', hashed(key)), token] as const),
    );
    if (held.length === 0) return;
    const tokens = held.map(([, token]) => token);
    const keys = held.map(([key]) => key);
    this.#link.run(RENEW, keys, [LEASE, ...tokens]).catch(() => undefined);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    void this.#subscriber.keep(this.#freed, () => {
      this.#given += 1;
      for (const sleeper of [...this.#sleepers]) sleeper.abort();
    });
  }

  async #change(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const sleeper = new AbortController();
    this.#sleepers.add(sleeper);
    const signals = signal === undefined ? [sleeper.signal] : [sleeper.signal, signal];
    await pause(milliseconds, AbortSignal.any(signals));
    this.#sleepers.delete(sleeper);
  }

  #keysOf(wanted: readonly SlotRequest[]): readonly string[] {
    return wanted.flatMap(({ key }) => {
      const held = this.#link.keys.among('slots', hashed(key));
      return [held, `${held}:queue`, `${held}:alive`];
    });
  }
}
