import { subjectOf, type AuthInfo, type RevocationList } from '../index.ts';
import type { PlainObject } from '../shared/json.ts';

/** What is revoked: one token by its `jti`, all of a grant (`grant_id` or `sid`), or all of a person up to now. */
export type Revoked =
  | { readonly issuer: string; readonly jti: string }
  | { readonly issuer: string; readonly grant: string }
  | { readonly issuer: string; readonly sub: string };

/**
 * A revocation list in memory. It forgets an entry after the given time, when the tokens have expired by themselves.
 *
 * @example
 * const revocation = new InMemoryRevocationList({ ttl: 3_600_000 });
 * revocation.revoke({ issuer: 'https://id.example', sub: 'ann' });
 */
export class InMemoryRevocationList implements RevocationList {
  readonly #ttl: number;
  readonly #now: () => number;
  /** When each was revoked, the oldest first. */
  readonly #revoked = new Map<string, number>();

  /** @param options `ttl`: how long a token counts at most, in milliseconds. Default 24 hours */
  constructor({
    ttl = 24 * 3_600_000,
    now = Date.now,
  }: { readonly ttl?: number; readonly now?: () => number } = {}) {
    this.#ttl = ttl;
    this.#now = now;
  }

  /** Counts from the next request on. */
  revoke(revoked: Revoked): void {
    const now = this.#now();
    for (const [key, at] of this.#revoked) {
      if (now - at <= this.#ttl) break;
      this.#revoked.delete(key);
    }
    const key = keyOf(revoked);
    // So that the oldest stay the first
    this.#revoked.delete(key);
    this.#revoked.set(key, now);
  }

  /** Whether the token, its grant, or its person was revoked since it was issued. */
  isRevoked(authInfo: AuthInfo): boolean {
    if (this.#revoked.size === 0) return false;
    const { issuer = '', sub } = subjectOf(authInfo);
    const { jti, grant_id: grantId, sid, iat } = (authInfo.extra?.['claims'] ?? {}) as PlainObject;
    const named = [
      { issuer, jti },
      { issuer, grant: grantId },
      { issuer, grant: sid },
    ] as readonly Revoked[];
    if (named.some((each) => this.#revoked.has(keyOf(each)))) return true;
    const at = sub === undefined ? undefined : this.#revoked.get(keyOf({ issuer, sub }));
    // A token of the same second counts as an older one
    return at !== undefined && !(typeof iat === 'number' && iat > at / 1000);
  }
}

function keyOf(revoked: Revoked): string {
  return JSON.stringify(Object.entries(revoked).sort());
}
