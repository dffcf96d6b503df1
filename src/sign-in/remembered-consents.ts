import { createHash, randomBytes } from 'node:crypto';
import { ownedKey, splitKey } from '../shared/owners/owned-key.ts';
import type { Grants } from './grants.ts';
import { cookieIn } from './page-request.ts';
import type { Records } from './records.ts';

const KIND = 'consent';
const TTL = 30 * 24 * 3_600_000;
const ID = /^[\w-]{22}\.[\w-]{32}$/;

/** What a person agrees to on the page. */
export interface WantedConsent {
  readonly client: string;
  readonly redirect: string;
  readonly scopes: readonly string[];
  /** Whether the client wants the page shown (OpenID Connect Core, 3.1.2.1). */
  readonly isAsked: boolean;
}

interface Kept {
  readonly scopes: readonly string[];
  readonly provider: string;
  readonly grant: string;
}

/** Whose consent counts again, and with which provider they signed in. */
export interface Agreed {
  readonly owner: string;
  readonly provider: string;
}

/** Thrown where another person comes back from the provider than the one who had agreed. */
export class ConsentMissing extends Error {}

/** What people agreed to, and what counts again: the browser has a random name, and the store what it stands for. */
export class RememberedConsents {
  readonly #issuer: URL;
  readonly #records: Records;
  readonly #grants: Grants;

  constructor(issuer: string, records: Records, grants: Grants) {
    this.#issuer = new URL(issuer);
    this.#records = records;
    this.#grants = grants;
  }

  /** Only where the person has opened the browser for it, and not where a page sends it; and as long as the sign-in stands. */
  async find(consent: WantedConsent, headers: Readonly<Record<string, string>>): Promise<Agreed | undefined> {
    if (!isRememberable(consent) || consent.isAsked || headers['sec-fetch-site'] !== 'none') return undefined;
    const id = cookieIn(headers['cookie'], nameOf(consent));
    const [owner] = splitKey(id ?? '');
    if (id === undefined || owner === undefined || !ID.test(id)) return undefined;
    const kept = (await this.#records.get<Kept>(KIND, keyOf(id, consent)))?.value;
    if (kept === undefined || !consent.scopes.every((scope) => kept.scopes.includes(scope))) return undefined;
    const stands = (await this.#grants.claimsOf(kept.grant)) !== undefined;
    return stands ? { owner, provider: kept.provider } : undefined;
  }

  /** @returns the header that gives the browser the name of the consent */
  async keep(consent: WantedConsent, grant: string, provider: string): Promise<string | undefined> {
    const [owner] = splitKey(grant);
    if (!isRememberable(consent) || owner === undefined) return undefined;
    const id = ownedKey(owner, randomBytes(24).toString('base64url'));
    const kept: Kept = { scopes: consent.scopes, provider, grant };
    await this.#records.put(KIND, keyOf(id, consent), kept, { ttl: TTL, isSpare: true });
    return this.#cookie(consent, id, TTL / 1000);
  }

  /** The header that takes it from the browser. */
  drop(consent: WantedConsent): string {
    return this.#cookie(consent, '', 0);
  }

  #cookie(consent: WantedConsent, value: string, seconds: number): string {
    const { pathname, protocol } = this.#issuer;
    const path = `${pathname.replace(/\/$/, '')}/sign-in/`;
    const secure = protocol === 'https:' ? '; Secure' : '';
    return `${nameOf(consent)}=${value}; Path=${path}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Lax${secure}`;
  }
}

/** What is led to this computer may be taken by any program of it. */
function isRememberable({ redirect }: WantedConsent): boolean {
  return redirect.startsWith('https:');
}

function nameOf({ client, redirect }: WantedConsent): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([client, redirect]))
    .digest('base64url');
  return `tw_agreed_${hash.slice(0, 16)}`;
}

/** A name that was taken from one client's cookie means nothing in that of another. */
function keyOf(id: string, { client, redirect }: WantedConsent): string {
  const [owner, rest] = splitKey(id);
  return ownedKey(owner, JSON.stringify([rest, client, redirect]));
}
