import type { JSONWebKeySet, JWSHeaderParameters, CryptoKey } from 'jose';
import { AuthenticationError, type Logger } from '../index.ts';
import { fetchJson, type Fetch } from './fetch-json.ts';
import { refused } from './claims.ts';
import { discoverKeys } from './discovery.ts';

/** How the keys of issuers are fetched and kept. */
export interface KeyOptions {
  /** Milliseconds for which fetched keys count. Default 10 minutes. */
  readonly ttl?: number;
  /** Milliseconds for which they count on where the issuer cannot be reached. Default 24 hours. */
  readonly staleTtl?: number;
  /** Milliseconds between two requests, whether or not the first one failed. Default 30 seconds. */
  readonly cooldown?: number;
  /** Milliseconds for one request. Default 5 seconds. */
  readonly timeout?: number;
}

const TTL = 10 * 60_000;
const STALE_TTL = 24 * 3_600_000;
const COOLDOWN = 30_000;
const TIMEOUT = 5000;
const MOST_BYTES = 256 * 1024;
const MOST_KEYS = 64;
/** The part of their time after which keys are fetched again while they still count. */
const EARLY = 0.8;

/** A key, and the version of the set that it was found in. */
export interface FoundKey {
  readonly key: CryptoKey;
  readonly version: number;
}

type FindKey = (header: JWSHeaderParameters) => Promise<CryptoKey>;

export interface KeySource {
  readonly issuer: string;
  /** Undefined for the one that the issuer names in its metadata. */
  readonly jwksUri: string | undefined;
  readonly fetch: Fetch | undefined;
}

/** The keys of one issuer. They are fetched on use: an idle server asks nobody. */
export class KeySet {
  /** Changes with the keys. */
  version = 0;
  readonly #source: KeySource;
  readonly #logger: Logger;
  readonly #times: Required<KeyOptions>;
  readonly #now: () => number;
  #find: FindKey | undefined;
  #text = '';
  #fetchedAt = -Infinity;
  #askedAt = -Infinity;
  #hasFailed = false;
  #asking: Promise<void> | undefined;
  #jwksUri: string | undefined;

  constructor(source: KeySource, logger: Logger, options: KeyOptions = {}, now = Date.now) {
    this.#source = source;
    this.#logger = logger;
    const { ttl = TTL, staleTtl = STALE_TTL, cooldown = COOLDOWN, timeout = TIMEOUT } = options;
    this.#times = { ttl, staleTtl, cooldown, timeout };
    this.#now = now;
  }

  /** Whether what was verified with these keys still counts. Asks for new ones in time, and waits for nothing. */
  isCurrent(): boolean {
    const now = this.#now();
    const age = now - this.#fetchedAt;
    const { ttl, staleTtl, cooldown } = this.#times;
    if (age > ttl * EARLY && now - this.#askedAt >= cooldown) void this.#refresh();
    return age <= ttl || (this.#hasFailed && age <= ttl + staleTtl);
  }

  /**
   * The key that a header names. It looks at the algorithm and the key id only: keys and URLs in the header are the
   * sender's.
   * @throws AuthenticationError
   */
  async find({ alg, kid }: JWSHeaderParameters): Promise<FoundKey> {
    if (!this.isCurrent()) await this.#refreshNow();
    const header = { ...(alg === undefined ? {} : { alg }), ...(kid === undefined ? {} : { kid }) };
    const found = await this.#select(header);
    if (found !== undefined) return found;
    await this.#refreshNow();
    const again = await this.#select(header);
    if (again !== undefined) return again;
    // The key may be a new one, which the issuer cannot say now
    throw this.#hasFailed ? this.#unreachable() : refused();
  }

  async #select(header: JWSHeaderParameters): Promise<FoundKey | undefined> {
    if (!this.#isUsable) throw this.#unreachable();
    const { version } = this;
    const key = await this.#find?.(header).catch(() => undefined);
    return key && { key, version };
  }

  get #isUsable(): boolean {
    const { ttl, staleTtl } = this.#times;
    return this.#find !== undefined && this.#now() - this.#fetchedAt <= ttl + staleTtl;
  }

  /** Waits for new keys, unless it is too soon to ask again. */
  async #refreshNow(): Promise<void> {
    const isTooSoon = this.#now() - this.#askedAt < this.#times.cooldown;
    if (this.#asking !== undefined || !isTooSoon) await this.#refresh();
  }

  #refresh(): Promise<void> {
    this.#asking ??= this.#fetch().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Never fails: the keys before count on. */
  async #fetch(): Promise<void> {
    this.#askedAt = this.#now();
    const { issuer, jwksUri, fetch } = this.#source;
    const { timeout } = this.#times;
    try {
      this.#jwksUri ??= jwksUri ?? (await discoverKeys(issuer, { fetch, timeout }));
      const keys = keysOf(await fetchJson(this.#jwksUri, { fetch, timeout, limit: MOST_BYTES }));
      const { createLocalJWKSet } = await import('jose');
      const text = JSON.stringify(keys);
      if (text !== this.#text) {
        this.#find = createLocalJWKSet(keys);
        this.#text = text;
        this.version += 1;
      }
      this.#fetchedAt = this.#now();
      this.#hasFailed = false;
    } catch (cause) {
      this.#hasFailed = true;
      // It may have moved
      this.#jwksUri = undefined;
      const message = `The keys of an issuer could not be fetched: ${reasonOf(cause)}.`;
      this.#logger.log({ level: 'warning', event: 'auth.keys', message, issuer, cause });
    }
  }

  #unreachable(): AuthenticationError {
    const wait = this.#times.cooldown - (this.#now() - this.#askedAt);
    return new AuthenticationError(503, {
      description: `The keys of ${this.#source.issuer} are not known`,
      retryAfter: Math.max(1, Math.ceil(wait / 1000)),
    });
  }
}

/** @throws Error for what cannot be used */
function keysOf(value: unknown): JSONWebKeySet {
  const { keys } = (value ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'object' || key === null)) {
    throw new Error('the provider answered with something other than a set of keys');
  }
  if (keys.length > MOST_KEYS) throw new Error(`the provider has more than ${String(MOST_KEYS)} keys`);
  // A key that both sides know verifies nothing
  const usable = (keys as JSONWebKeySet['keys']).filter(({ kty }) => kty !== 'oct');
  const names = usable.flatMap(({ kid, kty }) => (kid === undefined ? [] : [JSON.stringify([kid, kty])]));
  if (new Set(names).size < names.length) throw new Error('the provider has two keys with one id');
  return { keys: usable };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'unknown';
}
