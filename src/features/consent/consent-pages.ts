import { createHash, randomUUID } from 'node:crypto';
import { cancelledError } from '../../call/request-client.ts';
import { ownerName } from '../../call/subject.ts';
import { ownedKey, splitKey } from '../../shared/owners/owned-key.ts';
import { aFunction, required, type OptionRules } from '../../shared/option-rules.ts';
import { pause } from '../../shared/platform.ts';
import type { StoreEntry, StoreWrite } from '../../runtime/store/store.ts';
import type { StoreClock } from '../../runtime/store/store-clock.ts';

/** How people are asked on a page where they sign in. */
export interface ConsentOptions {
  /**
   * The URL of the page for a call that waits for its consent. The application serves the page, signs the person in, and
   * says by `app.consent` what they decided.
   */
  readonly url: (request: ConsentRequest) => string | URL | Promise<string | URL>;
}

export const CONSENT_RULES: OptionRules<ConsentOptions> = { url: required(aFunction) };

/** A person, as the tokens of their calls name them; the program that calls for them is not a part of it. */
export interface ConsentPerson {
  /** The person (`extra.sub` of the verified token). */
  readonly sub: string;
  /** The issuer of the token (`extra.issuer`). Default: none is named. */
  readonly issuer?: string | undefined;
  /** The tenant (`extra.tenant`). Default: none is named. */
  readonly tenant?: string | undefined;
}

/** A call that waits until a person agrees to it. */
export interface ConsentRequest {
  /** Names it in the URL of the page, and in `app.consent`. Nobody can guess it. */
  readonly id: string;
  /** The person who may decide: the one that the call is made for. */
  readonly person: ConsentPerson;
  /** The name of the group or the tool. */
  readonly tool: string;
  /** The key of the action. */
  readonly action: string;
  /** What the page has to show: the action, and a line for each argument, without the values of sensitive fields. */
  readonly text: string;
  /** When it is too late to decide, in milliseconds since the epoch. */
  readonly expires: number;
}

/** The calls that wait until a person agrees on a page. The page calls it for the person who has signed in there. */
export interface ConsentPages {
  /** What the page shows; undefined for what is unknown, decided, or another person's. */
  find(id: string, person: ConsentPerson): Promise<ConsentRequest | undefined>;
  /** Lets the call run. @returns whether it was undecided, and this person's */
  grant(id: string, person: ConsentPerson): Promise<boolean>;
  /** Ends the call with `CONSENT_DECLINED`. @returns whether it was undecided, and this person's */
  deny(id: string, person: ConsentPerson): Promise<boolean>;
}

/** The time in which a consent is given and used. */
export const CONSENT_LIFETIME_MS = 5 * 60_000;
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [20, 500];

type Decision = 'granted' | 'denied' | 'used';

interface Entry {
  readonly request: ConsentRequest;
  readonly is: 'open' | Decision;
  /** What the store compares when it is changed. */
  readonly version: number;
}

/** Where consents are kept; it says so where its store fails. */
interface ConsentStore {
  get(key: string): Promise<StoreEntry | undefined>;
  put(key: string, write: StoreWrite): Promise<boolean>;
}

interface PageSettings {
  readonly urlOf: ConsentOptions['url'] | undefined;
  /** The time of the store. */
  readonly clock: StoreClock;
}

/** The consents that a store keeps from the question to the decision, which may come to another instance. */
export class KeptConsents implements ConsentPages {
  readonly #store: ConsentStore;
  readonly #server: string;
  readonly #urlOf: ConsentOptions['url'] | undefined;
  readonly #clock: StoreClock;

  constructor(store: ConsentStore, server: string, { urlOf, clock }: PageSettings) {
    this.#store = store;
    this.#server = server;
    this.#urlOf = urlOf;
    this.#clock = clock;
  }

  get hasPage(): boolean {
    return this.#urlOf !== undefined;
  }

  /** Begins to wait for a decision. @returns where the person makes it */
  async open(
    asked: Omit<ConsentRequest, 'id' | 'expires'>,
  ): Promise<{ readonly id: string; readonly url: string; readonly expires: number }> {
    const owner = ownerName({ issuer: undefined, tenant: undefined, ...asked.person });
    const request = {
      ...asked,
      id: ownedKey(owner, randomUUID()),
      expires: this.#clock.now() + CONSENT_LIFETIME_MS,
    };
    const url = (await this.#urlOf?.(Object.freeze(request))) ?? '';
    const { id, expires } = request;
    const value = textOf({ request, is: 'open' });
    await this.#store.put(this.#keyOf(id), {
      value,
      ttl: CONSENT_LIFETIME_MS,
      if: 'absent',
      share: { owner },
    });
    return { id, url: String(url), expires };
  }

  /** Takes the decision, once. @returns undefined if there is none in time */
  async decision(id: string, until: number, signal: AbortSignal): Promise<Decision | undefined> {
    if (!(await this.isDecided(id, until, signal))) return undefined;
    const entry = await this.#read(id);
    if (entry?.is === 'granted') return (await this.#replace(entry, 'used')) ? 'granted' : 'used';
    return entry?.is === 'open' ? undefined : entry?.is;
  }

  /** Whether there is a decision in time. */
  async isDecided(id: string, until: number, signal: AbortSignal): Promise<boolean> {
    for (let delay = SHORTEST_PAUSE; ; delay = Math.min(2 * delay, LONGEST_PAUSE)) {
      if ((await this.#read(id))?.is !== 'open') return true;
      const left = until - this.#clock.now();
      if (left <= 0) return false;
      await pause(Math.min(delay, left), signal);
      if (signal.aborted) throw cancelledError(signal);
    }
  }

  async find(id: string, person: ConsentPerson): Promise<ConsentRequest | undefined> {
    const entry = await this.#read(id);
    return isOpenFor(entry, person) ? entry.request : undefined;
  }

  grant(id: string, person: ConsentPerson): Promise<boolean> {
    return this.#decide(id, person, 'granted');
  }

  deny(id: string, person: ConsentPerson): Promise<boolean> {
    return this.#decide(id, person, 'denied');
  }

  async #decide(id: string, person: ConsentPerson, is: Decision): Promise<boolean> {
    const entry = await this.#read(id);
    return isOpenFor(entry, person) && this.#replace(entry, is);
  }

  async #read(id: string): Promise<Entry | undefined> {
    const found = await this.#store.get(this.#keyOf(id));
    if (found === undefined) return undefined;
    const { version } = found;
    const entry = JSON.parse(found.value) as Omit<Entry, 'version'>;
    return entry.request.expires > this.#clock.now() ? { ...entry, version } : undefined;
  }

  #replace({ request, version }: Entry, is: Decision): Promise<boolean> {
    const { id, expires } = request;
    const ttl = Math.max(1, expires - this.#clock.now());
    return this.#store.put(this.#keyOf(id), { value: textOf({ request, is }), ttl, if: version });
  }

  #keyOf(of: string): string {
    const [owner, id] = splitKey(of);
    const digest = createHash('sha256')
      .update(JSON.stringify([this.#server, id]))
      .digest('base64url');
    return ownedKey(owner, `consent-page:${digest}`);
  }
}

function textOf({ request, is }: Omit<Entry, 'version'>): string {
  return JSON.stringify({ request, is });
}

function isOpenFor(entry: Entry | undefined, person: ConsentPerson): entry is Entry {
  return entry?.is === 'open' && isSame(entry.request.person, person);
}

function isSame(one: ConsentPerson, other: ConsentPerson): boolean {
  return one.sub === other.sub && one.issuer === other.issuer && one.tenant === other.tenant;
}
