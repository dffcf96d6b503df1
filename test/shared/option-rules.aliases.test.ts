import { expect, test } from '@jest/globals';
import { resolveAliases } from '../../src/shared/option-rules.ts';

interface Options {
  readonly ttl?: number;
  readonly ttlMs?: number;
  readonly key?: string;
}

const resolve = (options: Options) => resolveAliases(options, { ttlMs: 'ttl' });

test('an option counts by its other name', () => {
  expect(resolve({ ttlMs: 5, key: 'k' })).toMatchObject({ ttl: 5, key: 'k' });
  expect(resolve({ ttlMs: 0 })).toMatchObject({ ttl: 0 });
});

test('its own name wins, and options without other names are left as they are', () => {
  expect(resolve({ ttl: 1, ttlMs: 5 }).ttl).toBe(1);
  const options = { ttl: 1 };
  expect(resolve(options)).toBe(options);
  expect(resolve({ ttlMs: undefined } as never)).not.toHaveProperty('ttl');
});
