import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ToolError } from '../index.ts';
import type { Logger } from '../index.ts';
import type { Upstream } from '../call/upstream.ts';
import { ownerName } from '../call/subject.ts';
import type { SignedInPerson, SignIn, SignInOptions, SignInTarget } from '../features/sign-in/options.ts';
import { splitKey } from '../shared/owners/owned-key.ts';
import type { PlainObject } from '../shared/json.ts';
import { PersonRefused, readPerson } from './person.ts';
import { StoreUnavailable, type Records, type StoredRecord } from './records.ts';
import type { SignInStep } from '../features/sign-in/step.ts';
import { clientName } from './registrations.ts';
import {
  UpstreamRefused,
  UpstreamUnavailable,
  type UpstreamProvider,
  type UpstreamTokens,
} from './upstream-provider.ts';

const UPSTREAM = 'upstream';
const INDEX = 'index';
/** The list of sign-ins without a browser. */
const ASSERTED = 'asserted';
/** Milliseconds: longer than any of them counts. */
const ASSERTED_TTL = 600_000;
const LOCK = 'lock';
const STEP = 'step';
/** Milliseconds within which a client that was asked for more refreshes. */
const STEP_TTL = 30_000;
const EXCHANGED = 'exchanged';
const LOCK_TTL = 10_000;
const POLL = 25;
const MAX_CHANGES = 20;
/** Of a person: with one more, the oldest ends, since nobody could find it to end it. */
const MAX_LISTED = 200;
/** Milliseconds before its end that a token is not given out any more. */
const EARLY = 60_000;
/** A provider whose tokens do not end is asked for the person this often, in milliseconds. */
const ASK_AGAIN = 3_600_000;
const RETRY_AFTER = 5;

/** What is kept of a sign-in: who it is, and what the provider gave. */
interface Kept {
  readonly provider: string;
  readonly person: SignedInPerson;
  readonly client: string;
  readonly name?: string | undefined;
  readonly scopes: readonly string[];
  readonly since: number;
  readonly until: number;
  readonly refreshedAt: number;
  /** Undefined where the provider has only said who it is. */
  readonly tokens?: UpstreamTokens;
}

/** A sign-in without a browser, for which the provider gave no tokens. */
export interface AssertedGrant {
  readonly provider: UpstreamProvider;
  readonly person: SignedInPerson;
  readonly client: string;
  /** What the client calls itself. */
  readonly name?: string | undefined;
  readonly scopes: readonly string[];
}

export interface NewGrant extends AssertedGrant {
  readonly tokens: UpstreamTokens;
}

export interface GrantsPlace {
  readonly issuer: string;
  readonly records: Records;
  readonly providers: ReadonlyMap<string, UpstreamProvider>;
  readonly options: SignInOptions;
  readonly signInTtl: number;
  readonly accessTokenTtl: number;
  readonly logger: Logger;
  /** Told of each grant that is over. */
  onEnded(id: string): void;
  tell(step: SignInStep): void;
}

/** What people have granted to clients, and what their providers have granted to us. */
export class Grants {
  readonly #place: GrantsPlace;

  constructor(place: GrantsPlace) {
    this.#place = place;
  }

  /** Keeps a new one. Its id begins with the owner, so that all that belongs to a person is found. */
  add(grant: NewGrant): Promise<string> {
    return this.#add(INDEX, grant, this.#place.signInTtl);
  }

  /** Keeps one for as long as its one token counts. They are listed apart, and push no sign-in of the person out. */
  addAsserted(grant: AssertedGrant, ttl: number): Promise<string> {
    return this.#add(ASSERTED, grant, ttl);
  }

  async #add(
    index: string,
    { provider, person, client, name, scopes, tokens }: AssertedGrant & Partial<NewGrant>,
    ttl: number,
  ): Promise<string> {
    const { issuer, records } = this.#place;
    const owner = ownerName({ issuer, sub: person.sub, tenant: person.tenant });
    const id = `${owner}.${randomBytes(16).toString('base64url')}`;
    const since = Date.now();
    const kept: Kept = {
      ...{ provider: provider.name, person, client: clientName(client), name, scopes },
      ...{ since, until: since + ttl, refreshedAt: since, ...(tokens !== undefined && { tokens }) },
    };
    const dropped = await this.#list(index, owner, id);
    await records.put(UPSTREAM, id, kept, { ttl });
    for (const old of dropped) await this.#endOne(old, { revokes: false });
    return id;
  }

  /** The claims of tokens; undefined for a grant that is over. */
  async claimsOf(id: string): Promise<PlainObject | undefined> {
    const kept = (await this.#place.records.get<Kept>(UPSTREAM, id))?.value;
    if (kept === undefined) return undefined;
    const { tenant, roles, name, email, more } = kept.person;
    // Further facts must not pass for what tokens say of themselves
    return { ...more, grant: id, roles, tenant, name, email, cnf: undefined, scp: undefined };
  }

  /**
   * Asks the provider whether the person may still sign in, unless it has said so lately.
   * @returns false for one who may not: the grant is over
   * @throws UpstreamUnavailable
   */
  async renew(id: string): Promise<boolean> {
    const kept = (await this.#place.records.get<Kept>(UPSTREAM, id))?.value;
    if (kept === undefined || (await this.#place.records.get(STEP, id)) !== undefined) return false;
    // Repetitions of one refresh come within seconds
    if (Date.now() - kept.refreshedAt < this.#renewalAge(kept)) return true;
    return (await this.#refresh(id, kept)) !== undefined;
  }

  /** Ends grants, here and at the provider. @returns how many there were */
  async end(target: SignInTarget): Promise<number> {
    if ('grant' in target) return (await this.#endOne(target.grant)) ? 1 : 0;
    const { issuer } = this.#place;
    const owner = ownerName({ issuer, sub: target.sub, tenant: target.tenant });
    const listed = await this.#listed(owner);
    const ended = await Promise.all(listed.map((id) => this.#endOne(id)));
    return ended.filter(Boolean).length;
  }

  async list({
    sub,
    tenant,
  }: {
    readonly sub: string;
    readonly tenant?: string | undefined;
  }): Promise<SignIn[]> {
    const { issuer, records } = this.#place;
    const ids = await this.#listed(ownerName({ issuer, sub, tenant }));
    const found = await Promise.all(ids.map((id) => records.get<Kept>(UPSTREAM, id)));
    return found.flatMap((record, index) => {
      const grant = ids[index];
      if (record === undefined || grant === undefined) return [];
      const { client, name, scopes, since } = record.value;
      return [{ grant, client, ...(name !== undefined && { name }), scopes, since }];
    });
  }

  /** Whether a grant is over: ended, forgotten, or too old. */
  async isEnded(id: string): Promise<boolean> {
    return (await this.#place.records.get(UPSTREAM, id)) === undefined;
  }

  /** Takes a grant away that is over, whatever ended it, and gives up what the provider granted. */
  async ended(id: string): Promise<void> {
    await this.#endOne(id);
  }

  /** The next refreshes fail, and the grant stays. A store that cannot be reached costs the client a try. */
  async stepUp(id: string): Promise<void> {
    await this.#place.records.put(STEP, id, 1, { ttl: STEP_TTL }).catch(() => undefined);
  }

  upstreamOf(id: string): Upstream {
    const token: Upstream['token'] = async ({ scopes = [], fresh = EARLY / 1000 } = {}) =>
      (await this.#fresh(id, scopes, fresh * 1000)).access;
    return Object.freeze({
      token,
      exchange: (wanted) => this.#exchange(id, wanted),
      fetch: async (url, init = {}) => {
        const origins = (await this.#providerOf(id)).definition.options.origins ?? [];
        const allowed = origins.map((each) => new URL(each).origin);
        if (!URL.canParse(url) || !allowed.includes(new URL(url).origin))
          throw new ToolError('UPSTREAM_SCOPE', 'The token of the person is not sent to this origin');
        const headers = new Headers(init.headers);
        headers.set('authorization', `Bearer ${await token()}`);
        return fetch(url, { ...init, headers, redirect: 'manual' });
      },
    } satisfies Upstream);
  }

  async #providerOf(id: string): Promise<UpstreamProvider> {
    const kept = (await this.#place.records.get<Kept>(UPSTREAM, id))?.value;
    const provider = kept && this.#place.providers.get(kept.provider);
    if (provider === undefined) throw needsSignIn();
    return provider;
  }

  async #fresh(id: string, scopes: readonly string[], fresh: number): Promise<UpstreamTokens> {
    const kept = await this.#kept(id);
    const { tokens } = kept;
    if (tokens === undefined) throw needsSignIn();
    const missing = scopes.filter((scope) => tokens.scope?.split(' ').includes(scope) === false);
    if (missing.length > 0)
      throw new ToolError('UPSTREAM_SCOPE', `The provider has not granted ${missing.join(', ')}`);
    if ((tokens.expiresAt ?? Infinity) - Date.now() >= fresh) return tokens;
    if (tokens.refresh === undefined && (tokens.expiresAt ?? Infinity) <= Date.now()) {
      await this.#endOne(id);
      throw needsSignIn();
    }
    try {
      const refreshed = await this.#refresh(id, kept);
      if (refreshed?.tokens === undefined) throw needsSignIn();
      return refreshed.tokens;
    } catch (error) {
      if (!(error instanceof UpstreamUnavailable)) throw error;
      throw isUnavailable(error);
    }
  }

  async #exchange(id: string, wanted: Parameters<Upstream['exchange']>[0]): Promise<string> {
    const { records } = this.#place;
    const provider = await this.#providerOf(id);
    const name = `${id} ${JSON.stringify([wanted.audience, wanted.scopes ?? [], wanted.resource ?? ''])}`;
    const known = await records.get<UpstreamTokens>(EXCHANGED, name);
    if (known !== undefined) return known.value.access;
    const { access } = await this.#fresh(id, [], EARLY);
    try {
      const tokens = await provider.exchange(access, wanted);
      const ttl = (tokens.expiresAt ?? 0) - Date.now() - EARLY;
      if (ttl > 0) await records.put(EXCHANGED, name, tokens, { ttl, isSpare: true });
      return tokens.access;
    } catch (error) {
      if (error instanceof UpstreamUnavailable) throw isUnavailable(error);
      if (error instanceof UpstreamRefused)
        throw new ToolError('UPSTREAM_SCOPE', 'The provider does not give a token for this service');
      throw error;
    }
  }

  async #kept(id: string): Promise<Kept> {
    const kept = (await this.#place.records.get<Kept>(UPSTREAM, id))?.value;
    if (kept === undefined) throw needsSignIn();
    return kept;
  }

  /** Milliseconds for which what the provider has said of a person counts. */
  #renewalAge({ tokens }: Kept): number {
    if (tokens?.refresh === undefined && tokens?.expiresAt === undefined) return ASK_AGAIN;
    return Math.min(this.#place.accessTokenTtl / 2, 60_000);
  }

  /**
   * Refreshes at the provider: of all instances one does, and the others wait for what it got.
   * @returns undefined where the provider refuses: the grant is over
   * @throws UpstreamUnavailable
   */
  async #refresh(id: string, before: Kept): Promise<Kept | undefined> {
    const { records } = this.#place;
    const isFirst = await records.put(LOCK, id, 1, { ttl: LOCK_TTL, if: 'absent' });
    if (!isFirst) return this.#awaitRefresh(id, before);
    try {
      // Another one may have been faster
      const found = await records.get<Kept>(UPSTREAM, id);
      if (found?.value.refreshedAt !== before.refreshedAt) return found?.value;
      return await this.#askProvider(id, found);
    } catch (error) {
      if (!(error instanceof UpstreamRefused) && !(error instanceof PersonRefused)) throw error;
      const { client, provider, person } = before;
      this.#place.tell({
        outcome: 'provider-refused',
        client,
        provider,
        tenant: person.tenant,
        owner: splitKey(id)[0],
      });
      this.#log('The provider no longer lets a person sign in, so the sign-in was ended.', error.message);
      await this.#endOne(id);
      return undefined;
    } finally {
      await records.remove(LOCK, id).catch(() => undefined);
    }
  }

  /** @returns undefined for a grant that was ended in the meantime: what the provider gave for it is given back */
  async #askProvider(id: string, { value: kept, version }: StoredRecord<Kept>): Promise<Kept | undefined> {
    const { records, providers } = this.#place;
    const provider = providers.get(kept.provider);
    if (provider === undefined || kept.tokens === undefined)
      throw new UpstreamRefused('the provider is gone');
    const { tokens, claims } = await provider.refresh(kept.tokens);
    const prefix = providers.size > 1 ? `${provider.name}:` : '';
    const person = claims === undefined ? kept.person : await readPerson(claims, provider.definition, prefix);
    if (person.sub !== kept.person.sub) throw new PersonRefused('the provider names another person');
    // `until` is a time of the wall, as all of its ends are
    const next: Kept = { ...kept, tokens, person, refreshedAt: Math.max(Date.now(), kept.refreshedAt + 1) };
    if (await records.put(UPSTREAM, id, next, { ttl: kept.until - Date.now(), if: version })) return next;
    void provider.revoke(tokens).catch(() => undefined);
    return undefined;
  }

  async #awaitRefresh(id: string, before: Kept): Promise<Kept | undefined> {
    const { records } = this.#place;
    for (const end = Date.now() + LOCK_TTL; Date.now() < end; await pause(POLL)) {
      const kept = (await records.get<Kept>(UPSTREAM, id))?.value;
      if (kept === undefined || kept.refreshedAt !== before.refreshedAt) return kept;
      if ((await records.get(LOCK, id)) === undefined) break;
    }
    throw new UpstreamUnavailable('the provider does not answer another refresh');
  }

  async #endOne(id: string, { revokes = true } = {}): Promise<boolean> {
    const { records, providers, options } = this.#place;
    const kept = await this.#takeAway(id);
    this.#place.onEnded(id);
    await records.remove('Grant', id);
    await this.#unlist(id);
    if (kept === undefined) return false;
    const { client, person, scopes } = kept;
    this.#place.tell({
      ...{ outcome: 'ended', client, provider: kept.provider, owner: splitKey(id)[0] },
      ...{ tenant: person.tenant, scopes },
    });
    const provider = revokes ? providers.get(kept.provider) : undefined;
    // Whether or not the provider can be reached
    if (kept.tokens !== undefined) void provider?.revoke(kept.tokens).catch(() => undefined);
    options.onSignOut?.({ sub: kept.person.sub });
    return true;
  }

  async #listed(owner: string): Promise<readonly string[]> {
    const { records } = this.#place;
    const read = (index: string) => records.get<readonly string[]>(index, `${owner}.`);
    const found = await Promise.all([INDEX, ASSERTED].map(read));
    return found.flatMap((each) => each?.value ?? []);
  }

  /** Of all who end one at once, one gets it; a refresh in between does not keep it. */
  async #takeAway(id: string): Promise<Kept | undefined> {
    const { records } = this.#place;
    for (let n = 0; n < MAX_CHANGES; n += 1) {
      const found = await records.get<Kept>(UPSTREAM, id);
      if (found === undefined) return undefined;
      if (await records.remove(UPSTREAM, id, found.version)) return found.value;
    }
    throw new StoreUnavailable('The store changes too often');
  }

  /** @returns those that have no room beside the new one */
  async #list(index: string, owner: string, id: string): Promise<readonly string[]> {
    let dropped: readonly string[] = [];
    const isWritten = await this.#index(index, owner, (listed) => {
      dropped = listed.slice(0, -(MAX_LISTED - 1));
      return [...listed.slice(-(MAX_LISTED - 1)), id];
    });
    // One that is in no list could not be ended by its person
    if (!isWritten) throw new StoreUnavailable('The store changes too often');
    return dropped;
  }

  async #unlist(id: string): Promise<void> {
    const [owner] = splitKey(id);
    if (owner === undefined) return;
    for (const index of [INDEX, ASSERTED])
      await this.#index(index, owner, (listed) => listed.filter((each) => each !== id));
  }

  async #index(
    index: string,
    owner: string,
    change: (listed: readonly string[]) => readonly string[],
  ): Promise<boolean> {
    const { records, signInTtl } = this.#place;
    for (let n = 0; n < MAX_CHANGES; n += 1) {
      const found = await records.get<readonly string[]>(index, `${owner}.`);
      const next = change(found?.value ?? []);
      if (String(next) === String(found?.value ?? [])) return true;
      const ttl = index === ASSERTED ? ASSERTED_TTL : signInTtl;
      const write = { ttl, if: found?.version ?? ('absent' as const) };
      if (await records.put(index, `${owner}.`, next, write)) return true;
    }
    return false;
  }

  #log(message: string, reason: string): void {
    this.#place.logger.log({ level: 'notice', event: 'sign-in.ended', message, reason });
  }
}

function needsSignIn(): ToolError {
  return new ToolError(
    'UPSTREAM_SIGN_IN_NEEDED',
    'The person has to sign in again: the provider takes their token no more',
  );
}

function isUnavailable(cause: unknown): ToolError {
  return new ToolError('UPSTREAM_UNAVAILABLE', 'The provider of the person cannot be reached now', {
    retryAfter: RETRY_AFTER,
    cause,
  });
}
