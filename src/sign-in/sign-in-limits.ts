import { InMemoryLimitStore } from '../index.ts';
import type { SignInLimits } from '../features/sign-in/options.ts';
import { networkOf } from '../shared/ip-address.ts';

const DEFAULTS: Required<SignInLimits> = {
  register: 20,
  authorize: 30,
  token: 60,
  backChannel: 600,
  metadata: 10,
  allMetadata: 60,
};
const MINUTE = 60_000;

/** Counts what unknown clients ask for, in this process: a refusal must not cost a store anything. */
export class RequestCounts {
  readonly #counts = new InMemoryLimitStore({ maxKeys: 10_000 });
  readonly #limits: Required<SignInLimits>;

  constructor(limits: SignInLimits = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** Seconds to wait; undefined where the request may go on. */
  refusal(kind: keyof SignInLimits, address: string | undefined): number | undefined {
    const charges = [this.#charge(kind, address)];
    if (kind === 'metadata') charges.push(this.#charge('allMetadata', 'all'));
    const refused = this.#counts.charge(charges);
    return refused && Math.ceil(refused.retryAfter / 1000);
  }

  #charge(kind: keyof SignInLimits, address: string | undefined) {
    const from = address === undefined ? 'unknown' : networkOf(address);
    const limit = this.#limits[kind];
    return { key: `${kind} ${from}`, cost: 1, limit, per: MINUTE, burst: limit };
  }
}
