import { ownedName, subjectOf } from '../../call/subject.ts';
import type { LimitBy, LimitedCall } from '../../metadata/rate-options.ts';
import {
  defaultLimits,
  limitsOf,
  type ScannedConcurrency,
  type ScannedLimit,
  type ScannedQuota,
  type ScannedRate,
} from './scanned-limits.ts';
import { ownedKey, splitKey } from '../../shared/owners/owned-key.ts';
import { networkOf } from '../../shared/ip-address.ts';
import type { LimitCharge, LimitStore } from '../../runtime/store/limit-store.ts';
import type { Telemetry } from '../../kernel/call/telemetry.ts';
import { GuardedStores } from './store-failures.ts';
import type { SlotRequest, SlotStore } from '../../runtime/store/slot-store.ts';
import type { CountingOptions } from './counted-limits.ts';

/** Where calls are counted, and what observes it. */
interface LimitPorts {
  readonly counter?: LimitStore | undefined;
  readonly slots?: SlotStore | undefined;
  readonly telemetry?: Telemetry | undefined;
}

/** The limits of an application or registry, and where calls are counted. */
export class LimitState {
  readonly stores: GuardedStores;
  /** The limits of every call. */
  readonly ofCalls: readonly ScannedLimit[];
  /** The limits of polls for tasks. */
  readonly ofPolls: readonly ScannedLimit[];
  readonly #telemetry: Telemetry | undefined;

  constructor(
    { onStoreFailure, polls, ...limits }: CountingOptions = {},
    { counter, slots, telemetry }: LimitPorts = {},
  ) {
    this.#telemetry = telemetry;
    this.stores = new GuardedStores(counter, slots, onStoreFailure);
    this.ofCalls = Object.freeze(defaultLimits(limits));
    this.ofPolls = Object.freeze(polls === undefined ? [] : limitsOf({ rate: polls }, 'polls'));
    Object.freeze(this);
  }

  /** A call was refused by one of them. */
  countRefusal(rule: string): void {
    this.#telemetry?.add('toolwright.limits.rejections', 1, { rule });
  }
}

type NamedCallers = Extract<LimitBy, string>;

/** A limit of calls that are counted when they come. */
export type CountedLimit = ScannedRate | ScannedQuota;

/** What a limit counts of a call; undefined where it does not count the call. @throws what its functions throw */
export function countedCharge(limit: CountedLimit, call: LimitedCall): LimitCharge | undefined {
  const key = keyOf(limit, call);
  if (key === undefined) return undefined;
  const most = limit.kind === 'rate' ? limit.burst : limit.limit;
  return { key, cost: Math.min(costOf(limit, call), most), limit: limit.limit, per: limit.per, burst: most };
}

/** The place that a call needs in a limit; undefined where it needs none. */
export function slotOf(limit: ScannedConcurrency, call: LimitedCall): SlotRequest | undefined {
  const key = keyOf(limit, call);
  if (key === undefined) return undefined;
  const { size = 0, timeout = 0 } = limit.queue ?? {};
  return { key, limit: limit.limit, queueSize: size, queueTimeout: timeout };
}

function costOf({ cost, id }: CountedLimit, call: LimitedCall): number {
  if (typeof cost === 'number') return cost;
  const given: unknown = cost(viewOf(call));
  if (Number.isFinite(given) && (given as number) >= 0) return Math.ceil(given as number);
  throw new TypeError(`The cost of ${id} is a number, 0 or more`);
}

function keyOf({ id, by }: ScannedLimit, call: LimitedCall): string | undefined {
  const { authInfo } = call;
  if (by === 'subject' && authInfo !== undefined) {
    const [owner, client] = splitKey(ownedName(authInfo));
    return ownedKey(owner, `${id} ${client}`);
  }
  const caller = typeof by === 'function' ? givenText(by(viewOf(call)), id) : callerOf(by, call);
  return caller === undefined ? undefined : `${id} ${caller}`;
}

/** Functions may take it apart, and see no more of the call. */
function viewOf(call: LimitedCall): LimitedCall {
  const { authInfo, address, args } = call;
  return Object.freeze({ authInfo, address, args, header: (name: string) => call.header(name) });
}

function givenText(given: unknown, id: string): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  throw new TypeError(`The function \`by\` of ${id} gives a text, or undefined`);
}

/** The text that callers have in common who are counted together. Those of different kinds begin differently. */
function callerOf(by: NamedCallers, call: LimitedCall): string {
  if (by === 'all') return 'all';
  const subject = by === 'address' ? undefined : subjectOf(call.authInfo);
  if (subject === undefined) {
    // It is read from headers only where it counts
    const { address } = call;
    return address === undefined ? 'anybody' : `address ${networkOf(address)}`;
  }
  const { issuer, clientId, tenant } = subject;
  if (by === 'client') return `client ${JSON.stringify([issuer ?? null, clientId])}`;
  // Without tenants, those whom one issuer names belong together
  return tenant === undefined ? `issuer ${issuer ?? ''}` : `tenant ${tenant}`;
}
