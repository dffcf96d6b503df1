const MOST_ENTRIES = 64;

/** Adds an entry to a cache, and drops the oldest one when the cache is full. */
export function keepBounded<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = cache.keys();
  if (cache.size >= MOST_ENTRIES && oldest !== undefined) cache.delete(oldest);
  cache.set(key, value);
}
