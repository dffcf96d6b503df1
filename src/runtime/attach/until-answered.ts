import type { CallExchange } from '../../call/call-exchange.ts';
import type { Cancellation } from '../../call/cancellation.ts';
import { deriveExchange } from '../../call/derive-exchange.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';

/**
 * Drops notifications that are sent after the response: what belongs to a request ends with it
 * (spec: basic/utilities/progress, Behavior Requirements).
 */
export async function untilAnswered<Result>(
  exchange: CallExchange,
  { signal }: Cancellation,
  answer: (exchange: CallExchange) => MaybePromise<Result>,
): Promise<Result> {
  let isAnswered = false;
  try {
    const silenced = deriveExchange(exchange, {
      signal,
      notify: async (method, params) => {
        const sendable = isAnswered ? undefined : sendableParams(method, params);
        if (sendable !== undefined) await exchange.notify(method, sendable);
      },
      log: async (level, data, logger) => {
        if (!isAnswered) await exchange.log(level, data, logger);
      },
    });
    return await answer(silenced);
  } finally {
    isAnswered = true;
  }
}

type Params = Readonly<Record<string, unknown>>;

/** JSON writes NaN as null, for which a client would refuse the whole notification. */
export function sendableParams(method: string, params: Params): Params | undefined {
  if (method !== 'notifications/progress') return params;
  const { total, ...others } = params;
  if (!Number.isFinite(params['progress'])) return undefined;
  return Number.isFinite(total) ? params : others;
}
