import type { AuthInfo, Caller } from '../../call/request-context.ts';
import { subjectKey, subjectOf } from '../../call/subject.ts';
import type { ImpliedScopes } from '../../metadata/token-verifier.ts';
import type { ScannedRequirement } from '../../scanner/requirements/scanned-requirements.ts';
import { isDeeplyFrozen } from '../../shared/deep-freeze.ts';
import { isPlainObject } from '../../shared/json.ts';

/** What was found out about a caller, for as long as its token is remembered. */
interface KnownCaller {
  readonly caller: Caller;
  /** See {@link Callers.keyOf}. */
  key?: string | undefined;
  /** Its verdicts, where they depend on nothing else. */
  bits?: string;
}

/** The callers that transports have authenticated, as requirements see them. */
export class Callers {
  /** Those that cannot change: a verifier that remembers its tokens gives the same object again. */
  readonly #known = new WeakMap<AuthInfo, KnownCaller>();

  of(authInfo: AuthInfo): KnownCaller {
    const known = this.#known.get(authInfo);
    if (known !== undefined) return known;
    const made = { caller: callerOf(authInfo) };
    const { scopes, extra } = authInfo;
    if (Object.isFrozen(authInfo) && isDeeplyFrozen(scopes) && isDeeplyFrozen(extra)) {
      this.#known.set(authInfo, made);
    }
    return made;
  }

  /**
   * Equal for callers whom a policy cannot tell apart: the subject with all that its token says. Undefined where that is
   * more than JSON can carry.
   */
  keyOf({ authInfo }: Caller): string | undefined {
    const known = this.of(authInfo);
    return (known.key ??= keyOf(known.caller));
  }
}

function callerOf(authInfo: AuthInfo): Caller {
  const { scopes, extra } = authInfo;
  // Hooks of applications are not checked for more than they need
  const granted: readonly string[] = Array.isArray(scopes) ? scopes : [];
  return Object.freeze({
    ...subjectOf(authInfo),
    authInfo,
    scopes: Object.freeze([...granted]),
    roles: Object.freeze(textsOf(extra?.['roles'])),
    loaded: undefined,
  });
}

function keyOf(caller: Caller): string | undefined {
  const { scopes, authInfo } = caller;
  // What a hook of an application adds is there for its policies; each token has another text and time
  const { token: _, expiresAt: _until, clientId: _id, extra = null, ...others } = authInfo;
  try {
    const said = { ...others, scopes, extra };
    return isCarried(said) ? `${subjectKey(caller)} ${JSON.stringify(said)}` : undefined;
  } catch {
    return undefined;
  }
}

/** Whether JSON has all of a value. It says nothing of what is in a set, a map, or an instance with private members. */
function isCarried(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return !['function', 'symbol', 'bigint'].includes(typeof value);
  if (value instanceof Date || value instanceof URL) return true;
  return (Array.isArray(value) || isPlainObject(value)) && Object.values(value).every(isCarried);
}

/** Whether a person can sign in for more (RFC 9068, 2.2: a client that acts for itself is its own subject). */
export function hasPerson({ sub, clientId }: Caller): boolean {
  // The other form is that of our own tokens
  return sub !== undefined && sub !== clientId && sub !== `client:${clientId}`;
}

/** Checks scopes by what is granted, directly or by a scope that implies it. */
export class ScopeHierarchy {
  /** The scopes that the application knows. */
  readonly known = new Set<string>();
  readonly #implies: ImpliedScopes;
  readonly #grantedBy = new Map<string, ReadonlySet<string>>();

  constructor(implies: ImpliedScopes = {}) {
    this.#implies = implies;
    for (const [scope, implied] of Object.entries(implies)) {
      for (const each of [scope, ...implied]) this.known.add(each);
    }
  }

  isGranted(scope: string, { scopes }: Pick<Caller, 'scopes'>): boolean {
    const granting = this.#granting(scope);
    return scopes.some((granted) => granting.has(granted));
  }

  /** The scopes of a call, one of each list: those that the caller has, and else the first. */
  wanted(allOf: readonly (readonly string[])[], caller: Caller): readonly string[] {
    return allOf.map((anyOf) => anyOf.find((scope) => this.isGranted(scope, caller)) ?? anyOf[0] ?? '');
  }

  meets(caller: Caller, allOf: readonly (readonly string[])[]): boolean {
    return allOf.every((anyOf) => anyOf.some((scope) => this.isGranted(scope, caller)));
  }

  /** The scope itself, and all that imply it. */
  #granting(scope: string): ReadonlySet<string> {
    const known = this.#grantedBy.get(scope);
    if (known !== undefined) return known;
    const granting = new Set([scope]);
    // Also what is added on the way is looked at
    for (const each of granting) {
      for (const [outer, implied] of Object.entries(this.#implies)) {
        if (implied.includes(each)) granting.add(outer);
      }
    }
    this.#grantedBy.set(scope, granting);
    return granting;
  }
}

/** What a requirement asks for, in words. */
export function sayRequirement(requirement: ScannedRequirement): string {
  switch (requirement.kind) {
    case 'authenticated':
      return 'a caller who is signed in';
    case 'scopes':
      return `the ${many('scope', requirement.allOf)} ${requirement.allOf.map((anyOf) => anyOf.join(' or ')).join(', ')}`;
    case 'roles':
      return `the role ${requirement.anyOf.join(' or ')}`;
    case 'policy':
      return `the policy ${requirement.policy.name}`;
  }
}

function many(noun: string, list: readonly unknown[]): string {
  return list.length === 1 ? noun : `${noun}s`;
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string');
}
