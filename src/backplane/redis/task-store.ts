import type { TaskLimits, TaskPage, TaskRecord, TaskStore } from '../../index.ts';
import { hashedName } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { NOW, readingScript, wholeTime, writingScript } from './redis-script.ts';
import type { RedisSubscriber } from './redis-subscriber.ts';

/**
 * A task is a hash. All tasks are in a sorted set by their end; those of an owner by their age, and those of it that are
 * done by when they were. How many each owner has is in another one, and once more for owners with tasks that are done.
 */
const TASKS = `${NOW}
local base = KEYS[1]
local function key_of(id) return base .. ':task:' .. redis.sha1hex(id) end
local function age_of(owner) return base .. ':age:' .. owner end
local function journal_of(id) return base .. ':journal:' .. redis.sha1hex(id) end
local function done_of(owner) return base .. ':done:' .. owner end
local function live(key, lifetime)
  if redis.call('PTTL', key) < lifetime then redis.call('PEXPIRE', key, lifetime) end
end
local function recount(owner, by)
  local count = redis.call('ZINCRBY', base .. ':counts', by, owner)
  if tonumber(count) <= 0 then redis.call('ZREM', base .. ':counts', owner) end
  if redis.call('EXISTS', done_of(owner)) == 1 then redis.call('ZADD', base .. ':spare', count, owner)
  else redis.call('ZREM', base .. ':spare', owner) end
end
local function drop(owner, id, publish)
  if redis.call('ZREM', base .. ':all', owner .. ' ' .. id) == 0 then return end
  redis.call('DEL', key_of(id), journal_of(id))
  redis.call('ZREM', age_of(owner), id)
  redis.call('ZREM', done_of(owner), id)
  recount(owner, -1)
  redis.call(publish, base .. ':changed:' .. id, '')
end
`;

const CREATE = writingScript(`${TASKS}
local id, owner, record, created = ARGV[1], ARGV[2], ARGV[3], ARGV[5]
local ttl, total, per_owner = tonumber(ARGV[4]), tonumber(ARGV[6]), tonumber(ARGV[7])
local publish = ARGV[8]
-- A few at a time: Redis does nothing else in the meantime
local function drop_expired()
  local expired = redis.call('ZRANGEBYSCORE', base .. ':all', 0, now, 'LIMIT', 0, 100)
  for _, each in ipairs(expired) do
    local its_owner, its_id = string.match(each, '^(%S+) (.*)$')
    drop(its_owner, its_id, publish)
  end
  return #expired
end
drop_expired()
while true do
  local wanted = (redis.call('ZSCORE', base .. ':counts', owner) or 0) + 1
  local is_beyond = wanted > per_owner
  if not is_beyond and redis.call('ZCARD', base .. ':all') < total then break end
  if drop_expired() == 0 then
    local largest = redis.call('ZREVRANGE', base .. ':spare', 0, 0, 'WITHSCORES')
    local giver = not is_beyond and largest[1] and tonumber(largest[2]) >= wanted and largest[1] or owner
    local spare = redis.call('ZRANGE', done_of(giver), 0, 0)[1]
    if not spare then return 0 end
    drop(giver, spare, publish)
  end
end
redis.call('HSET', key_of(id), 'version', ARGV[9], 'owner', owner, 'record', record)
redis.call('PEXPIRE', key_of(id), ttl)
redis.call('ZADD', base .. ':all', now + ttl, owner .. ' ' .. id)
redis.call('ZADD', age_of(owner), created, id)
recount(owner, 1)
for _, key in ipairs({ base .. ':all', age_of(owner), base .. ':counts', base .. ':spare' }) do live(key, ttl) end
return 1
`);

const UPDATE = writingScript(`${TASKS}
local id, version = ARGV[1], ARGV[2]
local found = redis.call('HMGET', key_of(id), 'version', 'owner')
local owner = found[2]
if not owner or tonumber(found[1]) ~= version - 1 then return 0 end
redis.call('HSET', key_of(id), 'version', version, 'record', ARGV[3])
local lifetime = redis.call('PTTL', key_of(id))
if #ARGV > 5 then
  redis.call('RPUSH', journal_of(id), unpack(ARGV, 6))
  redis.call('PEXPIRE', journal_of(id), lifetime)
end
if ARGV[4] == 'true' then
  redis.call('DEL', journal_of(id))
  redis.call('ZADD', done_of(owner), string.format('%.0f', time[1] * 1000000 + time[2]), id)
  recount(owner, 0)
  live(done_of(owner), lifetime)
end
for _, key in ipairs({ base .. ':all', age_of(owner), base .. ':counts', base .. ':spare' }) do
  live(key, lifetime)
end
redis.call(ARGV[5], base .. ':changed:' .. id, '')
return 1
`);

const GET = readingScript(`${TASKS}
return redis.call('HGET', key_of(ARGV[1]), 'record')
`);

const JOURNAL = readingScript(`${TASKS}
return redis.call('LRANGE', journal_of(ARGV[1]), 0, -1)
`);

const LIST = readingScript(`${TASKS}
local age, after, limit = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local found, offset = {}, 0
while #found < limit do
  local some = redis.call('ZRANGEBYSCORE', age_of(ARGV[1]), ARGV[2], '+inf', 'WITHSCORES', 'LIMIT', offset, 100)
  if #some == 0 then break end
  for i = 1, #some, 2 do
    local is_later = tonumber(some[i + 1]) > age or some[i] > after
    local record = is_later and #found < limit and redis.call('HGET', key_of(some[i]), 'record')
    if record then found[#found + 1] = record end
  end
  offset = offset + 100
end
return found
`);

const DELETE = writingScript(`${TASKS}
local owner = redis.call('HGET', key_of(ARGV[1]), 'owner')
if owner then drop(owner, ARGV[1], ARGV[2]) end
`);

const FORGET = writingScript(`${TASKS}
local removed, first = 0, ARGV[1]
for _, each in ipairs(redis.call('ZRANGE', base .. ':all', 0, -1)) do
  if string.sub(each, 1, #first) == first then
    local owner, id = string.match(each, '^(%S+) (.*)$')
    if redis.call('EXISTS', key_of(id)) == 1 then removed = removed + 1 end
    drop(owner, id, ARGV[2])
  end
end
return removed
`);

const DONE: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Tasks with their limits, changed by version; each change is published on the channel of its task. */
export class RedisTaskStore implements TaskStore {
  readonly #link: RedisLink;
  readonly #subscriber: RedisSubscriber;
  readonly #keys: readonly [string];

  constructor(link: RedisLink, subscriber: RedisSubscriber) {
    this.#link = link;
    this.#subscriber = subscriber;
    this.#keys = [link.keys.among('tasks')];
  }

  async create(task: TaskRecord, { total, perSubject, withoutSubject }: TaskLimits): Promise<boolean> {
    const { taskId, subject, ttl, createdAt, version } = task;
    const bounds = [total, subject === undefined ? withoutSubject : perSubject].map(bound);
    const facts = [taskId, ownerOf(subject), JSON.stringify(task), wholeTime(ttl), createdAt];
    const args = [...facts, ...bounds, this.#link.publishing, version];
    return (await this.#link.run(CREATE, this.#keys, args)) === 1;
  }

  async get(taskId: string): Promise<TaskRecord | undefined> {
    const record = await this.#link.run(GET, this.#keys, [taskId]);
    return typeof record === 'string' ? recordOf(record) : undefined;
  }

  now(): Promise<number> {
    return this.#link.now(this.#keys[0]);
  }

  async update(task: TaskRecord, entries: readonly string[] = []): Promise<boolean> {
    const { taskId, version, status } = task;
    const isDone = String(DONE.includes(status));
    const args = [taskId, version, JSON.stringify(task), isDone, this.#link.publishing, ...entries];
    return (await this.#link.run(UPDATE, this.#keys, args)) === 1;
  }

  async journal(taskId: string): Promise<readonly string[]> {
    return (await this.#link.run(JOURNAL, this.#keys, [taskId])) as readonly string[];
  }

  async list(subject: string, { after, limit }: TaskPage): Promise<readonly TaskRecord[]> {
    const args = [ownerOf(subject), after?.createdAt ?? '-inf', after?.taskId ?? '', limit];
    const records = (await this.#link.run(LIST, this.#keys, args)) as readonly string[];
    return records.map(recordOf);
  }

  async delete(taskId: string): Promise<void> {
    await this.#link.run(DELETE, this.#keys, [taskId, this.#link.publishing]);
  }

  async forget(owner: string): Promise<number> {
    return Number(await this.#link.run(FORGET, this.#keys, [`of-${owner}.`, this.#link.publishing]));
  }

  watch(taskId: string, listener: () => void): Promise<() => void> {
    return this.#subscriber.keep(this.#link.keys.among('tasks', 'changed', taskId), listener);
  }
}

/** All who are not known are one. */
function ownerOf(subject: string | undefined): string {
  return subject === undefined ? 'nobody' : `of-${hashedName(subject)}`;
}

function bound(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}

function recordOf(text: string): TaskRecord {
  return JSON.parse(text) as TaskRecord;
}
