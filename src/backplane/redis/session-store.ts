import type { SessionRecordStore, StoredSession } from '../../index.ts';
import { forgetKeys } from './forget-owner.ts';
import type { RedisLink } from './redis-link.ts';
import { readingScript, wholeTime, writingScript } from './redis-script.ts';

const LOAD = readingScript(`
local found = redis.call('HMGET', KEYS[1], 'version', 'value')
if found[1] then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return found
`);

const SAVE = writingScript(`
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, 'value', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

/** Sessions as hashes. Each use lets them live for their lifetime once more. */
export class RedisSessionStore implements SessionRecordStore {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  async load(key: string, lifetime: number): Promise<StoredSession | undefined> {
    const found = await this.#link.run(LOAD, [this.#keyOf(key)], [wholeTime(lifetime)]);
    const [version, value] = found as readonly (string | null)[];
    return typeof value === 'string' ? { value, version: Number(version) } : undefined;
  }

  async save(key: string, value: string, version: number, lifetime: number): Promise<boolean> {
    const args = [version, value, wholeTime(lifetime)];
    return (await this.#link.run(SAVE, [this.#keyOf(key)], args)) === 1;
  }

  async remove(key: string): Promise<void> {
    const name = this.#keyOf(key);
    await this.#link.send(['DEL', name], { key: name });
  }

  async forget(owner: string): Promise<number> {
    return forgetKeys(this.#link, this.#link.keys.tagged('session', owner));
  }

  #keyOf(key: string): string {
    return this.#link.keys.of('session', key);
  }
}
