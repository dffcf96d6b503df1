import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** What is known of a token, until a time in milliseconds. */
interface Known<Value> {
  readonly value: Value;
  readonly until: number;
}

/** What is known of tokens, by themselves or by their hashes. */
export class TokenCache<Value extends object> {
  readonly #known: LRUCache<string, Known<Value>>;
  readonly #asked = new Map<string, Promise<Value>>();

  constructor(max: number) {
    // Not by `max`, which takes the room of all at once: with a path for each tenant, requests make many caches
    this.#known = new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
  }

  get(key: string, now: number): Value | undefined {
    const known = this.#known.get(key);
    return known !== undefined && now < known.until ? known.value : undefined;
  }

  set(key: string, value: Value, until: number): void {
    this.#known.set(key, { value, until });
  }

  /** Asks once for all that want to know at the same time. */
  ask(key: string, run: () => Promise<Value>): Promise<Value> {
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    const asking = run().finally(() => {
      this.#asked.delete(key);
    });
    this.#asked.set(key, asking);
    return asking;
  }

  clear(): void {
    this.#known.clear();
  }
}

/** The key of a token in caches and stores. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
