import type { CallExchange } from '../../call/call-exchange.ts';
import type { CacheOptions } from '../../metadata/options.ts';

/**
 * Adds how long a result may be kept. Clients of 2026-07-28 need it on every list and every resource; by default
 * nothing may be kept (spec 2026-07-28: server/utilities/caching). The eras before know nothing of it.
 */
export function withCacheHint<Result extends object>(
  result: Result,
  { retry }: Pick<CallExchange, 'retry'>,
  { ttl = 0, scope = 'private' }: CacheOptions = {},
): Result {
  return retry === undefined ? result : { ...result, ttlMs: ttl, cacheScope: scope };
}

/** An answer to questions belongs to whoever answered them, and a question is none that could be kept. */
export function withReadHint<Result extends object>(
  result: Result,
  exchange: CallExchange,
  cache: CacheOptions | undefined,
): Result {
  const { requestState, inputResponses = {} } = exchange.retry ?? {};
  if ('resultType' in result && result.resultType !== 'complete') return result;
  const isAnswer = requestState !== undefined || Object.keys(inputResponses).length > 0;
  return withCacheHint(result, exchange, isAnswer ? {} : cache);
}
