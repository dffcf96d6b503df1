import { LRUCache } from 'lru-cache';
import type { Logger } from '../../call/logger.ts';
import type { AuthInfo, Caller, Subject } from '../../call/request-context.ts';
import type { PolicyObject } from '../../call/requirements.ts';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import type { ImpliedScopes } from '../../metadata/token-verifier.ts';
import type {
  ScannedPolicy,
  ScannedRequirement,
  ScannedRequirements,
} from '../../scanner/requirements/scanned-requirements.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Authority, CallerFacts } from '../../kernel/call/authority.ts';
import type { Telemetry } from '../../kernel/call/telemetry.ts';
import { Callers, ScopeHierarchy } from './caller.ts';
import { Policies, type LoadCaller } from './policies.ts';
import { RequirementTable, Verdicts, type SortedRequirements } from './verdicts.ts';

export interface AuthorizationSettings {
  readonly logger: Logger;
  /** Undefined where nobody verifies tokens. */
  readonly resourceServer: TokenChallenger | undefined;
  /** Gives the instances of policies; undefined where there are only functions and objects. */
  readonly resolver: Pick<InstanceResolver, 'get'> | undefined;
  /** Who may use what has no requirement of its own. */
  readonly byDefault: 'authenticated' | 'public';
  /** Which callers without a token may do everything; `local` are those of this machine. */
  readonly trusts: 'nobody' | 'local' | 'everybody';
  readonly implies?: ImpliedScopes | undefined;
  readonly load?: LoadCaller | undefined;
  /** How many sets of verdicts are kept with their views. Default 256. */
  readonly maxViews?: number | undefined;
  /** Milliseconds that a policy may take. Default 5,000. */
  readonly policyTimeout?: number | undefined;
  /** Milliseconds that the answers of policies for lists are kept. Default 60,000. */
  readonly policyTtl?: number | undefined;
  readonly telemetry?: Pick<Telemetry, 'add'> | undefined;
}

/** Says to callers which token they need: the resource server of the application. */
export interface TokenChallenger {
  readonly options: { readonly challenges?: 'http' | 'result' };
  /** Undefined where nothing issues tokens. */
  readonly metadataUrl: string | undefined;
  /** The scopes that a client without a token asks for. */
  readonly firstScope: string | undefined;
  /** Whether requests without a token are served. */
  allowsAnonymous: boolean;
  /** The same for callers of one tenant. */
  ofTenant(tenant: string | undefined): TokenChallenger;
  /** A caller was refused for a lack of scopes; undefined where that changes nothing. */
  insufficientScope(caller: AuthInfo): MaybePromise<void>;
  /** The `WWW-Authenticate` header of a refusal. */
  challenge(challenge: {
    readonly error?: string | undefined;
    readonly description?: string | undefined;
    readonly scope?: string | undefined;
  }): string;
}

/** Of a client that has sent no request yet. */
export const ANONYMOUS: CallerFacts = Object.freeze({ authInfo: undefined, isLocal: false });

const MOST_VIEWS = 256;
const POLICY_TIMEOUT = 5_000;
const POLICY_TTL = 60_000;

/** Decides what the callers of an application may see and do. */
export class Authorization {
  readonly resourceServer: TokenChallenger | undefined;
  readonly scopes: ScopeHierarchy;
  readonly policies: Policies;
  readonly #settings: AuthorizationSettings;
  readonly #callers = new Callers();
  readonly #table: RequirementTable;
  /** Made for the first caller who may not see everything. */
  #known: LRUCache<string, Verdicts> | undefined;
  /** False where nothing requires anything: then no request is checked. */
  isNeeded: boolean;

  constructor(settings: AuthorizationSettings) {
    const { logger, load, implies, byDefault } = settings;
    const { policyTimeout = POLICY_TIMEOUT, policyTtl = POLICY_TTL } = settings;
    this.#settings = settings;
    this.resourceServer = settings.resourceServer;
    this.#table = new RequirementTable(byDefault === 'authenticated');
    this.isNeeded = load !== undefined;
    this.scopes = new ScopeHierarchy(implies);
    const instanceOf = (policy: ScannedPolicy): PolicyObject => this.#instanceOf(policy);
    const times = { timeout: policyTimeout, ttl: policyTtl };
    this.policies = new Policies({ logger, callers: this.#callers, instanceOf, load, ...times });
  }

  /** The sets of verdicts that are kept, the latest first. */
  get kept(): readonly Verdicts[] {
    return [...(this.#known?.values() ?? [])];
  }

  /** The requirements by which lists differ, in the order of the bits of verdicts. */
  get listed(): readonly ScannedRequirement[] {
    return this.#table.all.map(({ requirement }) => requirement);
  }

  /** A caller was refused; what is hidden from callers is not among it. */
  countFailure(reason: 'missing_token' | 'insufficient_scope' | 'forbidden'): void {
    this.#settings.telemetry?.add('toolwright.auth.failures', 1, { reason });
  }

  /** Takes up what something requires. Everything has to be taken up before it is checked. */
  learn(requirements: ScannedRequirements | undefined): SortedRequirements {
    const checked = this.#table.sortedOf(requirements);
    if (!checked.isPublic) this.isNeeded = true;
    else if (this.resourceServer !== undefined) this.resourceServer.allowsAnonymous = true;
    for (const each of requirements?.all ?? []) {
      if (each.kind === 'scopes') for (const scope of each.allOf.flat()) this.scopes.known.add(scope);
    }
    return checked;
  }

  /** Checks one request: what a caller may do changes from one to the next. */
  check({ authInfo, isLocal }: CallerFacts): MaybePromise<Authority> {
    if (authInfo === undefined) {
      const { trusts } = this.#settings;
      const isTrusted = trusts === 'everybody' || (isLocal && trusts === 'local');
      const verdicts = isTrusted ? undefined : this.#verdicts(this.#table.none);
      return { caller: undefined, isTrusted, verdicts, authorization: this };
    }
    const known = this.#callers.of(authInfo);
    const { none, asksPolicies } = this.#table;
    const isFixed = !asksPolicies && this.#settings.load === undefined;
    const { caller, bits } = known;
    if (bits?.length === none.length) return this.#authorityOf(caller, bits);
    return thenMaybe(this.policies.loaded(caller), (loaded = caller) =>
      thenMaybe(this.#bitsOf(loaded), (found) => {
        if (isFixed) known.bits = found;
        return this.#authorityOf(loaded, found);
      }),
    );
  }

  #authorityOf(caller: Caller, bits: string): Authority {
    return { caller, isTrusted: false, verdicts: this.#verdicts(bits), authorization: this };
  }

  /** Whether the caller meets all that can be checked without a call. */
  meetsAll(
    requirements: ScannedRequirements | undefined,
    { isTrusted, caller }: Authority,
  ): MaybePromise<boolean> {
    const { isPublic, toCall } = this.#table.sortedOf(requirements);
    if (isPublic || isTrusted) return true;
    if (caller === undefined) return false;
    const met = settleAll(toCall.map((each) => this.#meets(each, caller)));
    return thenMaybe(met, (all) => !all.includes(false));
  }

  /** Asks the policies again: of one subject, or of all. */
  forget(subject?: Subject): void {
    this.policies.forget(subject);
  }

  #bitsOf(caller: Caller): MaybePromise<string> {
    const bits = settleAll(this.#table.all.map(({ requirement }) => this.#meets(requirement, caller)));
    return thenMaybe(bits, (all) => all.map(bitOf).join(''));
  }

  #meets(requirement: ScannedRequirement, caller: Caller): MaybePromise<boolean> {
    switch (requirement.kind) {
      case 'authenticated':
        return true;
      case 'scopes':
        return this.scopes.meets(caller, requirement.allOf);
      case 'roles':
        return requirement.anyOf.some((role) => caller.roles.includes(role));
      case 'policy':
        return this.policies.mayList(requirement.policy, caller);
    }
  }

  /** Equal verdicts are one object, by which views are kept. Where everything is met, it is undefined. */
  #verdicts(bits: string): Verdicts | undefined {
    if (!bits.includes('0')) return undefined;
    this.#known ??= new LRUCache({ max: this.#settings.maxViews ?? MOST_VIEWS });
    const known = this.#known.get(bits);
    if (known !== undefined) return known;
    const made = new Verdicts(bits, this.#table);
    this.#known.set(bits, made);
    return made;
  }

  #instanceOf(policy: ScannedPolicy): PolicyObject {
    if (policy.kind === 'object') return policy.policy;
    if (this.#settings.resolver === undefined) throw new Error(`No container gives ${policy.name}`);
    return this.#settings.resolver.get(policy.key) as PolicyObject;
  }
}

/** For tools without an application: what they require is checked by what a server knows of its callers. */
export function openAuthorization(logger: Logger): Authorization {
  return new Authorization({
    logger,
    resourceServer: undefined,
    resolver: undefined,
    byDefault: 'public',
    trusts: 'nobody',
  });
}

/** Waits only where one of them has to be waited for. */
function settleAll(met: readonly MaybePromise<boolean>[]): MaybePromise<readonly boolean[]> {
  const isWaiting = met.some((each) => each instanceof Promise);
  return isWaiting ? Promise.all(met.map(async (each) => each)) : (met as readonly boolean[]);
}

function bitOf(isMet: boolean): string {
  return isMet ? '1' : '0';
}
