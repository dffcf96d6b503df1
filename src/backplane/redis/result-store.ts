import type { ResultEntry, ResultStore } from '../../index.ts';
import { forgetKeys } from './forget-owner.ts';
import type { RedisLink } from './redis-link.ts';
import { wholeTime } from './redis-script.ts';

/** Results that were too large to be sent, each a text of its own. */
export class RedisResultStore implements ResultStore {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  async put(key: string, { value, lifetime }: ResultEntry): Promise<void> {
    const name = this.#link.keys.of('result', key);
    await this.#link.send(['SET', name, value, 'PX', String(wholeTime(lifetime))], { key: name });
  }

  async get(key: string): Promise<string | undefined> {
    const name = this.#link.keys.of('result', key);
    const value = await this.#link.send(['GET', name], { key: name });
    return typeof value === 'string' ? value : undefined;
  }

  async forget(owner: string): Promise<number> {
    return forgetKeys(this.#link, this.#link.keys.tagged('result', owner));
  }
}
