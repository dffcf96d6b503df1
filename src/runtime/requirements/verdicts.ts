import type { Denied } from '../../call/requirements.ts';
import type {
  ScannedRequirement,
  ScannedRequirements,
} from '../../scanner/requirements/scanned-requirements.ts';
import { policyIdentity } from './policies.ts';

/** A requirement that decides what is listed; equal ones of several actions are one. */
export interface ListRequirement {
  /** Its place in the verdicts of a caller. */
  readonly index: number;
  readonly requirement: ScannedRequirement;
}

/** What an action, prompt or resource requires, sorted by when it is checked. */
export interface SortedRequirements {
  readonly isPublic: boolean;
  /** Callers who do not meet one of them do not see it. */
  readonly toSee: readonly ListRequirement[];
  /** Checked with each call of what is listed all the same. */
  readonly toCall: readonly Exclude<ScannedRequirement, { kind: 'authenticated' }>[];
}

const AUTHENTICATED: ScannedRequirement = Object.freeze({ kind: 'authenticated' });
const OPEN: SortedRequirements = Object.freeze({ isPublic: true, toSee: [], toCall: [] });

/** The requirements of an application by which lists differ, each once. */
export class RequirementTable {
  /** The bits of a caller who meets none of them. */
  none = '';
  /** Whether the answers of policies are among the verdicts. */
  asksPolicies = false;
  readonly #all: ListRequirement[] = [];
  readonly #byIdentity = new Map<unknown, ListRequirement>();
  readonly #sorted = new WeakMap<ScannedRequirements, SortedRequirements>();
  readonly #undecorated: ScannedRequirements | undefined;

  /** @param isAuthenticatedByDefault whether what says nothing requires a caller who is signed in */
  constructor(isAuthenticatedByDefault: boolean) {
    const all = Object.freeze([AUTHENTICATED]);
    this.#undecorated = isAuthenticatedByDefault ? Object.freeze({ isPublic: false, all }) : undefined;
  }

  get all(): readonly ListRequirement[] {
    return this.#all;
  }

  sortedOf(requirements = this.#undecorated): SortedRequirements {
    if (requirements === undefined || requirements.isPublic) return OPEN;
    const known = this.#sorted.get(requirements);
    if (known !== undefined) return known;
    const required = requirements.all.filter((each) => each.kind !== 'authenticated');
    const hiding = required.filter(isHiding);
    const checked = Object.freeze({
      isPublic: false,
      toSee: Object.freeze([AUTHENTICATED, ...hiding].map((each) => this.#enter(each))),
      toCall: Object.freeze(required.filter((each) => !isHiding(each))),
    });
    this.#sorted.set(requirements, checked);
    return checked;
  }

  #enter(requirement: ScannedRequirement): ListRequirement {
    const identity = identityOf(requirement);
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    const entry = Object.freeze({ index: this.#all.length, requirement });
    this.#all.push(entry);
    this.none += '0';
    this.asksPolicies ||= requirement.kind === 'policy';
    this.#byIdentity.set(identity, entry);
    return entry;
  }
}

/** What of all that is offered one caller may see, as everybody else with the same verdicts. */
export class Verdicts {
  /** For each requirement of the table `1` where it is met, and `0`. */
  readonly bits: string;
  readonly #table: RequirementTable;

  constructor(bits: string, table: RequirementTable) {
    this.bits = bits;
    this.#table = table;
    Object.freeze(this);
  }

  /** A requirement that was added later is not met. */
  admits(requirements: ScannedRequirements | undefined): boolean {
    const { toSee } = this.#table.sortedOf(requirements);
    return toSee.every(({ index }) => this.bits[index] === '1');
  }
}

/** What happens to a caller that does not meet it. */
export function deniedOf(requirement: Exclude<ScannedRequirement, { kind: 'authenticated' }>): Denied {
  return requirement.denied ?? (requirement.kind === 'scopes' ? 'challenge' : 'hide');
}

function isHiding(requirement: Exclude<ScannedRequirement, { kind: 'authenticated' }>): boolean {
  // Without list(), a policy says nothing before a call
  if (requirement.kind === 'policy' && !requirement.policy.hasList) return false;
  return deniedOf(requirement) === 'hide';
}

function identityOf(requirement: ScannedRequirement): unknown {
  switch (requirement.kind) {
    case 'authenticated':
      return 'authenticated';
    case 'policy':
      return policyIdentity(requirement.policy);
    case 'roles':
      return `roles ${JSON.stringify([...requirement.anyOf].sort())}`;
    case 'scopes': {
      const lists = requirement.allOf.map((anyOf) => JSON.stringify([...anyOf].sort()));
      return `scopes ${lists.sort().join(' ')}`;
    }
  }
}
