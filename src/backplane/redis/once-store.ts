import type { OnceStore } from '../../index.ts';
import { forgetKeys } from './forget-owner.ts';
import type { RedisLink } from './redis-link.ts';
import { wholeTime, writingScript } from './redis-script.ts';

const ADD = writingScript(`
local present = redis.call('GET', KEYS[1])
if not present then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return present
`);

const REPLACE = writingScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`);

const TAKE_BACK = writingScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`);

/** Answers and consents, each a text of its own. What Redis has no room for is refused. */
export class RedisOnceStore implements OnceStore {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  async add(key: string, value: string, lifetime: number): Promise<string | undefined> {
    const name = this.#keyOf(key);
    // Its caller was refused, and may come again
    const late = (present: unknown): void => {
      if (present === null) this.#link.run(TAKE_BACK, [name], [value]).catch(() => undefined);
    };
    const present = await this.#link.run(ADD, [name], [value, wholeTime(lifetime)], late);
    return typeof present === 'string' ? present : undefined;
  }

  now(): Promise<number> {
    return this.#link.now(this.#keyOf('now'));
  }

  async replace(key: string, current: string, next: string, lifetime: number): Promise<boolean> {
    const args = [current, next, wholeTime(lifetime)];
    return (await this.#link.run(REPLACE, [this.#keyOf(key)], args)) === 1;
  }

  async forget(owner: string): Promise<number> {
    return forgetKeys(this.#link, this.#link.keys.tagged('once', owner));
  }

  #keyOf(key: string): string {
    return this.#link.keys.of('once', key);
  }
}
