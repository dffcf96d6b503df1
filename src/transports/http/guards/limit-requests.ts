import { timeOf, type RateLimitOptions } from '../../../metadata/rate-options.ts';
import { networkOf } from '../../../shared/ip-address.ts';
import { InMemoryLimitStore, type LimitCharge } from '../../../runtime/store/limit-store.ts';
import { HttpRefusal } from '../http-answer.ts';

/** So many requests in a time. */
export type RequestRate = Pick<RateLimitOptions, 'limit' | 'per' | 'burst'>;

/** How often requests may come, from known and unknown callers. */
export interface RequestRates {
  /** From one address; of IPv6 from one /64. Default: as often as they like. */
  readonly perAddress?: RequestRate;
  /** From all addresses together. Default: as often as they like. */
  readonly total?: RequestRate;
}

/**
 * Refuses requests that come too often, before anybody is authenticated and anything is read. It counts in this process
 * only: a request that is refused must not cost another one to a store.
 */
export class RequestLimits {
  readonly #store: InMemoryLimitStore;
  readonly #total: LimitCharge | undefined;
  readonly #perAddress: LimitCharge | undefined;

  constructor({ total, perAddress }: RequestRates, now?: () => number) {
    this.#store = new InMemoryLimitStore(now === undefined ? {} : { now });
    this.#total = total && chargeOf('all', total);
    this.#perAddress = perAddress && chargeOf('', perAddress);
  }

  /** Undefined where nothing is limited. */
  static of(rates: RequestRates | undefined): RequestLimits | undefined {
    return rates === undefined ? undefined : new RequestLimits(rates);
  }

  /** @throws HttpRefusal with status 429 */
  check(request: { readonly address: string | undefined }): void {
    const charges: LimitCharge[] = [];
    const rules: string[] = [];
    if (this.#total !== undefined) {
      charges.push(this.#total);
      rules.push('requestRates.total');
    }
    if (this.#perAddress !== undefined) {
      const { address } = request;
      const key = address === undefined ? 'unknown' : `address ${networkOf(address)}`;
      charges.push({ ...this.#perAddress, key });
      rules.push('requestRates.perAddress');
    }
    const refusal = this.#store.charge(charges);
    if (refusal !== undefined) {
      throw tooMany(Math.ceil(refusal.retryAfter / 1000), rules[refusal.index] ?? '');
    }
  }
}

function chargeOf(key: string, { limit, per, burst = limit }: RequestRate): LimitCharge {
  return Object.freeze({ key, cost: 1, limit, per: timeOf(per), burst });
}

function tooMany(retryAfter: number, rule: string): HttpRefusal {
  return new HttpRefusal(429, `Too many requests; try again in ${String(retryAfter)} s`, {
    headers: { 'retry-after': String(retryAfter) },
    data: { code: 'RATE_LIMITED', retryAfter },
    counted: ['toolwright.limits.rejections', { rule }],
  });
}

/** Refuses a request while as many run as may. */
export function overloaded(): HttpRefusal {
  const headers = { 'retry-after': '1' };
  return new HttpRefusal(503, 'The server runs as many requests as it can; try again in 1 s', {
    headers,
    counted: ['toolwright.limits.rejections', { rule: 'maxRequests' }],
  });
}
